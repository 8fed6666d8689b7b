// SPDX-License-Identifier: Apache-2.0
//! Quantities, compared with Kubernetes' parsing, comparison and formatting.

use std::fs::File;

use flate2::read::GzDecoder;
use garden_gate_text::go::Quantity;
use serde_json::Value;

fn vectors(list: &str) -> Vec<Value> {
    let file = File::open("tests/vectors/quantity.json.gz").unwrap();
    let mut vectors: Value = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    let rows = vectors[list].as_array_mut().map(std::mem::take).unwrap();
    assert!(rows.len() > 100);
    rows
}

#[test]
fn every_recorded_spelling_agrees() {
    for row in vectors("vectors") {
        let text = row["in"].as_str().unwrap();
        let quantity = Quantity::parse(text).ok();
        let canonical = quantity.as_ref().map(Quantity::canonical);
        let printed = quantity.as_ref().map(ToString::to_string);
        assert_eq!(quantity.is_some(), row["ok"], "{text:?}");
        assert_eq!(canonical.as_deref(), row["canonical"].as_str(), "{text:?}");
        assert_eq!(printed.as_deref(), row["string"].as_str(), "{text:?}");
    }
}

#[test]
fn every_recorded_comparison_agrees() {
    for row in vectors("equality") {
        let quantity = |side: &str| Quantity::parse(row[side].as_str().unwrap()).unwrap();
        assert_eq!(quantity("a") == quantity("b"), row["equal"], "{row}");
    }
}
