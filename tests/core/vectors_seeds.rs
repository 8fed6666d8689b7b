// SPDX-License-Identifier: Apache-2.0
//! Decisions about seeds, compared with Go: taints, label selectors, booleans.

use std::collections::BTreeMap;
use std::fs::File;

use flate2::read::GzDecoder;
use garden_gate_model::api::{SeedSelector, Tolerated, Toleration};
use garden_gate_text::go::parse_bool;
use serde::de::DeserializeOwned;
use serde_json::Value;

fn vectors(name: &str) -> Vec<Value> {
    let file = File::open(format!("tests/vectors/{name}.json.gz")).unwrap();
    let recorded: Value = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    recorded["vectors"].as_array().unwrap().clone()
}

fn read<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

#[test]
fn every_recorded_set_of_taints_is_tolerated_as_recorded() {
    let vectors = vectors("taints");
    assert!(vectors.len() > 100);
    for vector in vectors {
        let taints: Vec<Toleration> = read(&vector["taints"]);
        let tolerations: Vec<Toleration> = read(&vector["tolerations"]);
        let tolerated = Tolerated::by(&tolerations).cover(&taints);
        assert_eq!(vector["tolerated"], tolerated, "{vector}");
    }
}

#[test]
fn every_recorded_selector_selects_as_recorded() {
    let vectors = vectors("selectors");
    assert!(vectors.len() > 100);
    for vector in vectors {
        // A seed selector is never null.
        let Some(selector) = read::<Option<SeedSelector>>(&vector["selector"]) else {
            continue;
        };
        let labels: BTreeMap<String, String> = read(&vector["labels"]);
        let selects = selector.selects(&labels);
        assert_eq!(selects.is_some(), vector["ok"], "{vector}");
        assert_eq!(selects, vector["matches"].as_bool(), "{vector}");
    }
}

#[test]
fn every_recorded_boolean_is_read_as_recorded() {
    for vector in vectors("bool") {
        let read = parse_bool(vector["in"].as_str().unwrap());
        assert_eq!(read.is_some(), vector["ok"], "{vector}");
        assert_eq!(read, vector["value"].as_bool(), "{vector}");
    }
}
