// SPDX-License-Identifier: Apache-2.0
//! Recorded answers of the original Go libraries.

use std::fs::File;

use flate2::read::GzDecoder;
use serde_json::Value;

/// Returns the rows of one list in `tests/vectors/<file>.json.gz`; there is at least one.
pub(crate) fn rows(file: &str, list: &str) -> Vec<Value> {
    let file = File::open(format!("tests/vectors/{file}.json.gz")).unwrap();
    let vectors: Value = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    let rows = vectors[list].as_array().unwrap().clone();
    assert!(!rows.is_empty());
    rows
}
