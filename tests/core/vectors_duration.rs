// SPDX-License-Identifier: Apache-2.0
//! Durations, compared with Go's parser.

use std::fs::File;

use flate2::read::GzDecoder;
use garden_gate_text::go::parse_duration;
use serde_json::Value;

#[test]
fn every_recorded_answer_agrees() {
    let file = File::open("tests/vectors/duration.json.gz").unwrap();
    let vectors: Value = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    let rows = vectors["vectors"].as_array().unwrap();
    assert!(!rows.is_empty());
    for row in rows {
        let text = row["in"].as_str().unwrap();
        let got = parse_duration(text).ok().map(|it| it.as_nanos());
        assert_eq!(got, row["nanoseconds"].as_i64().map(i128::from), "{text:?}");
    }
}
