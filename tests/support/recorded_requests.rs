// SPDX-License-Identifier: Apache-2.0
//! Recorded AdmissionReviews of a real API server, in `tests/requests`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::value::RawValue;

/// Returns a recorded AdmissionReview with the field order of an API server.
///
/// The metadata of the request precedes its objects.
pub(crate) fn recorded(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/requests");
    let file = fs::read_to_string(folder.join(name).with_extension("json")).unwrap();
    let recorded: BTreeMap<&str, &RawValue> = serde_json::from_str(&file).unwrap();
    without_space(recorded["review"].get())
}

/// Converts formatted JSON to the compact form of an API server.
fn without_space(json: &str) -> String {
    let mut is_text = false;
    let mut is_escaped = false;
    let is_kept = |character: &char| {
        let is_quote = *character == '"' && !is_escaped;
        is_escaped = is_text && *character == '\\' && !is_escaped;
        is_text ^= is_quote;
        is_text || !character.is_ascii_whitespace()
    };
    json.chars().filter(is_kept).collect()
}
