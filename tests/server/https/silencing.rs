// SPDX-License-Identifier: Apache-2.0
//! Silenced warnings: both endpoints agree, and the audit log contains them.

use std::fs;

use serde_json::{Value, json};

use crate::common::reviews::review;
use crate::common::{Gate, GateArgs, garden_gate};

const KEY: &str = "ignore.garden-gate.dev/shoot.worker-pools-removed";

/// Returns a recorded change of a Shoot that removes a pool and silences the warning about it.
fn removal(says: &str) -> Value {
    let file = fs::read_to_string("tests/requests/013-mutate-update-shoots.json").unwrap();
    let recorded: Value = serde_json::from_str(&file).unwrap();
    let new = recorded["review"]["request"]["oldObject"].clone();
    let mut old = new.clone();
    let workers = &mut old["spec"]["provider"]["workers"];
    let mut pool = workers[0].clone();
    pool["name"] = json!("gone");
    pool["machine"]["type"] = json!("other");
    pool["maximum"] = json!(10);
    workers.as_array_mut().unwrap().push(pool);
    let mut new = new;
    new["metadata"]["annotations"][KEY] = json!(says);
    review("UPDATE", "shoots", &new, &old)
}

/// Returns the silences and the warnings of the server and of `review`.
async fn both(gate: &Gate, review: &Value) -> [(Value, Vec<String>); 2] {
    let (_, answer) = gate.post("/validate", review).await;
    let response = &answer["response"];
    let online = response["warnings"].as_array().into_iter().flatten().map(|it| {
        let warning = it.as_str().unwrap();
        let (_, id) = warning.rsplit_once('(').unwrap();
        id.trim_end_matches(')').to_owned()
    });
    let online = (response["auditAnnotations"]["silenced"].clone(), online.collect());
    gate.write("review.json", &review.to_string());
    let file = gate.path("review.json").display().to_string();
    let output = garden_gate(&["review", "--garden", "examples/garden", "--format", "json", &file]);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let offline = &printed["reviews"][0];
    let found = offline["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["finding"].as_str().unwrap().to_owned());
    [online, (offline["silenced"][0]["id"].clone(), found.collect())]
}

#[tokio::test]
async fn silenced_warning_is_absent_at_both_endpoints() {
    let garden = fs::canonicalize("examples/garden").unwrap();
    let gate = Gate::start(&GateArgs::new().garden_directory(&garden));
    let id = "shoot/worker-pools-removed";
    for (says, is_silenced) in [("moved by hand", true), ("", false)] {
        let [online, offline] = both(&gate, &removal(says)).await;
        assert_eq!(online.1, offline.1, "{says}");
        assert_eq!(online.0, offline.0, "{says}");
        assert_eq!(online.0 == json!(id), is_silenced, "{says}");
        let said = [id, "object/silence-without-reason"];
        for id in said {
            assert_eq!(online.1.iter().any(|it| it == id), !is_silenced, "{online:?}");
        }
    }
    let counted = format!("findings_total{{rule=\"{id}\",level=\"silenced\"}}");
    assert!((gate.metric(&counted).await - 1.0).abs() < f64::EPSILON);
}
