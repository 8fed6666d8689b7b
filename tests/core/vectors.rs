//! Recorded answers of the original libraries.

use std::fs::File;

use flate2::read::GzDecoder;
use serde_json::Value;

/// The rows of one list of `tests/vectors/<file>.json.gz`; never none.
pub(crate) fn rows(file: &str, list: &str) -> Vec<Value> {
    let file = File::open(format!("tests/vectors/{file}.json.gz")).unwrap();
    let vectors: Value = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    let rows = vectors[list].as_array().unwrap().clone();
    assert!(!rows.is_empty());
    rows
}
