// SPDX-License-Identifier: Apache-2.0
//! A garden directory whose files lose objects: verdicts, readiness and metrics.

use std::fs;

use serde_json::Value;

use crate::common::{Gate, GateArgs, eventually};

const VANISHED: &str = r#"garden_vanished_objects{kind="Shoot"}"#;

fn example(path: &str) -> String {
    fs::read_to_string(format!("examples/{path}")).unwrap()
}

/// Starts a server with the example garden and this `--garden-removal-delay`.
fn start(delay: &str) -> Gate {
    let args = GateArgs::new().flag("--garden-removal-delay", delay);
    let files = fs::read_dir("examples/garden").unwrap();
    let args = files.fold(args, |args, file| {
        let name = file.unwrap().file_name().into_string().unwrap();
        let manifest = example(&format!("garden/{name}"));
        args.garden(&name, &manifest)
    });
    Gate::start(&args)
}

/// Reports whether the removal of a version that Shoots use is allowed.
async fn is_removed(gate: &Gate) -> bool {
    let review = example("reviews/cloudprofile-version-removed-denied.json");
    let review: Value = serde_json::from_str(&review).unwrap();
    let (code, answer) = gate.post("/validate", &review).await;
    assert_eq!(code, 200);
    answer["response"]["allowed"].as_bool().unwrap()
}

#[tokio::test]
async fn shoots_that_vanish_from_files_keep_their_versions_and_are_named() {
    let gate = start("1h");
    let shoots = example("garden/shoots.yaml");
    assert!(!is_removed(&gate).await);
    let half = &shoots[..shoots.find("\n---").map_or(shoots.len() / 2, |end| end + 1)];
    for lost in [Some(""), Some("---\n"), Some(half), None] {
        let path = gate.path("garden/shoots.yaml");
        match lost {
            Some(text) => fs::write(path, text).unwrap(),
            None => fs::remove_file(path).unwrap(),
        }
        let is_named = async || {
            let (code, text) = gate.get("/readyz").await;
            assert_eq!(code, 200);
            text.starts_with("ok, but objects vanished from the files of the garden `")
                && text.contains("unchanged for 3600s: Shoot (")
                && text.contains(", since 20")
        };
        eventually("readiness names the kind", is_named).await;
        assert!(gate.metric(VANISHED).await > 0.0);
        assert!(!is_removed(&gate).await, "{lost:?}");
        gate.write("garden/shoots.yaml", &shoots);
        let is_ready = async || gate.get("/readyz").await.1 == "ok\n";
        eventually("all are there again", is_ready).await;
        assert_eq!(gate.metric(VANISHED).await, 0.0);
    }
    fs::write(gate.path("garden/shoots.yaml"), "kind: Shoot\nspec: {").unwrap();
    let is_stale = async || {
        let (_, text) = gate.get("/readyz").await;
        text.contains("cannot be loaded, so the last valid one is used") && text.contains("Shoot (")
    };
    eventually("readiness names the failure", is_stale).await;
    assert!(!is_removed(&gate).await);
}

#[tokio::test]
async fn an_intended_removal_counts_after_the_delay() {
    let gate = start("1s");
    assert!(!is_removed(&gate).await);
    fs::remove_file(gate.path("garden/shoots.yaml")).unwrap();
    eventually("nothing uses the version", async || is_removed(&gate).await).await;
    assert!(gate.log().contains("objects vanished from the files"));
    let is_ready = async || gate.get("/readyz").await.1 == "ok\n";
    eventually("it is over", is_ready).await;
}
