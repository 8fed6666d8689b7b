// SPDX-License-Identifier: Apache-2.0
//! Label keys and values, compared with Kubernetes' validation.

use std::fs::File;

use flate2::read::GzDecoder;
use garden_gate_text::go::{label_value_error, qualified_name_error};
use serde_json::Value;

#[test]
fn every_recorded_answer_agrees() {
    let file = File::open("tests/vectors/labels.json.gz").unwrap();
    let vectors: Value = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    let judges = [("keys", qualified_name_error as fn(&str) -> _), ("values", label_value_error)];
    for (list, judge) in judges {
        let rows = vectors[list].as_array().unwrap();
        assert!(!rows.is_empty());
        for row in rows {
            let text = row["in"].as_str().unwrap();
            assert_eq!(judge(text).is_none(), row["ok"], "{list} {text:?}");
        }
    }
}
