// SPDX-License-Identifier: Apache-2.0
//! Updates of the objects in the example landscape, which are as a gardener-apiserver stores them.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::reviews::review;
use crate::common::{Gate, GateArgs};

const GARDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/landscape/garden");

/// The judged kinds of `core.gardener.cloud` with a status.
const KINDS: [&str; 5] = ["Shoot", "Project", "Seed", "CloudProfile", "NamespacedCloudProfile"];

fn stored() -> Vec<Value> {
    let mut stored = Vec::new();
    for file in fs::read_dir(GARDEN).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let list = garden_gate_text::yaml::parse(&text).unwrap()[0].to_value();
        stored.extend(list["items"].as_array().unwrap().clone());
    }
    stored.retain(|it| KINDS.iter().any(|kind| it["kind"] == *kind));
    stored
}

#[tokio::test]
async fn update_of_each_stored_object_is_allowed_unchanged() {
    let gate = Gate::start(&GateArgs::new().garden_directory(Path::new(GARDEN)));
    let stored = stored();
    assert_eq!(stored.len(), 41);
    for old in stored {
        let resource = format!("{}s", old["kind"].as_str().unwrap().to_lowercase());
        let mut new = old.clone();
        new["metadata"]["labels"]["example.com/added"] = json!("true");
        let request = review("UPDATE", &resource, &new, &old);
        for path in ["/mutate", "/validate"] {
            let (status, answer) = gate.post(path, &request).await;
            let response = &answer["response"];
            let name = &old["metadata"]["name"];
            assert_eq!(status, 200, "{path} {name}: {answer}");
            assert_eq!(response["allowed"], true, "{path} {name}: {response}");
            assert_eq!(response["patch"], Value::Null, "{path} {name}: {response}");
        }
    }
}
