use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};

/// What makes a remark the same in another run: neither its words nor where the object stands, which change while nothing else does.
/// An object may have several of one fingerprint.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub(super) struct Fingerprint {
    /// `Shoot garden-dev/web`; the file of what is no object.
    pub(super) object: String,
    /// The id of the finding, or of the rule that could not judge.
    pub(super) finding: String,
    /// As Gardener writes it; empty for the object as a whole.
    pub(super) field: String,
}

impl Fingerprint {
    pub(super) fn new(object: &str, finding: &str, field: &str) -> Self {
        let [object, finding, field] = [object, finding, field].map(str::to_owned);
        Self {
            object,
            finding,
            field,
        }
    }

    /// As short text, for the remark that is the `nth` one of this fingerprint.
    pub(super) fn hash(&self, nth: usize) -> String {
        let nth = nth.to_string();
        let parts = [&self.object, &self.finding, &self.field, &nth].map(String::as_str);
        let hash = digest(&SHA256, parts.join("\0").as_bytes());
        let digits = hash.as_ref().iter().map(|byte| format!("{byte:02x}"));
        digits.collect()
    }
}
