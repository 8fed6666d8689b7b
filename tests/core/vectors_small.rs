// SPDX-License-Identifier: Apache-2.0
//! Numbers, booleans and label selectors, compared with Go and Kubernetes.

use std::collections::BTreeMap;

use crate::vectors::rows;
use garden_gate_model::api::LabelSelector;
use garden_gate_text::go::{Selector, atoi, parse_bool};

#[test]
fn every_number_is_read_alike() {
    for row in rows("atoi", "vectors") {
        let text = row["in"].as_str().unwrap();
        assert_eq!(atoi(text), row["value"].as_i64(), "{text:?}");
        assert_eq!(atoi(text).is_some(), row["ok"], "{text:?}");
    }
}

#[test]
fn every_boolean_is_read_alike() {
    for row in rows("bool", "vectors") {
        let text = row["in"].as_str().unwrap();
        assert_eq!(parse_bool(text), row["value"].as_bool(), "{text:?}");
        assert_eq!(parse_bool(text).is_some(), row["ok"], "{text:?}");
    }
}

#[test]
fn every_selector_selects_alike() {
    for row in rows("selectors", "vectors") {
        let selector: Option<LabelSelector> =
            serde_json::from_value(row["selector"].clone()).unwrap();
        let labels: BTreeMap<String, String> =
            serde_json::from_value(row["labels"].clone()).unwrap();
        let compiled = selector.as_ref().map_or(Ok(None), |selector| {
            Selector::compile(&selector.match_labels, selector.expressions()).map(Some)
        });
        assert_eq!(compiled.is_ok(), row["ok"], "{row}");
        if let Ok(compiled) = compiled {
            let matches = compiled.is_some_and(|selector| selector.matches(&labels));
            assert_eq!(matches, row["matches"], "{row}");
        }
    }
}
