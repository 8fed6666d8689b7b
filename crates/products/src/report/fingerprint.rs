// SPDX-License-Identifier: Apache-2.0
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use garden_gate_text::hexadecimal;

/// Identity of an annotation across runs, without its message and its position in the file.
///
/// Those may change independently. An object may have several annotations with the same fingerprint.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub(super) struct Fingerprint {
    /// The object, such as `Shoot garden-dev/web`; the file if it contains no object.
    pub(super) object: String,
    /// The id of the finding, or of the undetermined rule.
    pub(super) finding: String,
    /// The field in Gardener's notation; empty for the whole object.
    pub(super) field: String,
}

impl Fingerprint {
    pub(super) fn new(object: &str, finding: &str, field: &str) -> Self {
        let [object, finding, field] = [object, finding, field].map(str::to_owned);
        Self { object, finding, field }
    }

    /// Returns a short hash of the `nth` annotation with this fingerprint.
    pub(super) fn hash(&self, nth: usize) -> String {
        let nth = nth.to_string();
        let parts = [&self.object, &self.finding, &self.field, &nth].map(String::as_str);
        let hash = Sha256::digest(parts.join("\0").as_bytes());
        hexadecimal(&hash)
    }
}
