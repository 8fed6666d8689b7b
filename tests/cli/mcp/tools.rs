// SPDX-License-Identifier: Apache-2.0
//! What each tool returns.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::client::{AT, Agent, example, root, world};
use crate::command::{garden_gate, printed};

#[tokio::test]
async fn tools_are_read_only_and_have_schemas() {
    let world = world();
    let agent = Agent::start(&world, &[]).await;
    let tools = agent.tools().await;
    let names: Vec<&str> = tools.iter().map(|it| &*it.name).collect();
    assert_eq!(names, ["review", "explain", "fix", "forecast", "audit", "schema"]);
    for tool in &tools {
        let schema = Value::Object((*tool.input_schema).clone());
        jsonschema::validator_for(&schema).unwrap();
        assert_eq!(schema["additionalProperties"], false, "{}", tool.name);
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert!(property["description"].is_string(), "{}: {name}", tool.name);
        }
        let hints = tool.annotations.as_ref().unwrap();
        assert_eq!((hints.read_only_hint, hints.destructive_hint), (Some(true), Some(false)));
        assert!(agent.instructions().contains(&*tool.name), "{}", tool.name);
    }
    assert_eq!(agent.end().await, Some(0));
}

#[tokio::test]
async fn results_are_the_json_of_the_commands() {
    let world = world();
    let agent = Agent::start(&world, &[]).await;
    let commands: &[(&str, Value, &[&str])] = &[
        (
            "review",
            json!({"paths": ["denied.yaml", "shoots"], "garden": "garden", "at": AT}),
            &[
                "review",
                "--format",
                "json",
                "--garden",
                "garden",
                "--at",
                AT,
                "denied.yaml",
                "shoots",
            ],
        ),
        (
            "audit",
            json!({"garden": "garden", "at": AT}),
            &["audit", "--format", "json", "--garden", "garden", "--at", AT],
        ),
        (
            "forecast",
            json!({"garden": "garden", "at": AT, "for": "30d"}),
            &["forecast", "--format", "json", "--garden", "garden", "--at", AT, "--for", "30d"],
        ),
        (
            "explain",
            json!({"id": "shoot/toleration-not-whitelisted"}),
            &["rules", "--format", "json", "shoot/toleration-not-whitelisted"],
        ),
        ("schema", json!({"name": "Quota"}), &["schema", "Quota"]),
    ];
    for (tool, arguments, words) in commands {
        let output = garden_gate(words).current_dir(root(&world)).output().unwrap();
        let (_, expected, err) = printed(output);
        assert!(!expected.is_empty(), "{tool}: {err}");
        let texts = agent.call(tool, arguments.clone()).await;
        assert_eq!(texts.last(), Some(&expected), "{tool}");
    }
}

#[tokio::test]
async fn review_of_text_has_a_summary() {
    let world = world();
    let agent = Agent::start(&world, &["--garden", "root/garden"]).await;
    let arguments = json!({"manifests": example("manifests/shoot-denied.yaml"), "at": AT});
    let [summary, document] = agent.call("review", arguments).await.try_into().unwrap();
    assert!(summary.starts_with("1 objects: 1 denied"), "{summary}");
    assert!(summary.contains("- -:17: Shoot garden-dev/sneaky: refused: toleration"), "{summary}");
    let document: Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["reviews"][0]["verdict"], "denied");
}

#[tokio::test]
async fn old_state_makes_a_change() {
    let world = world();
    let agent = Agent::start(&world, &["--garden", "root/garden"]).await;
    let arguments = json!({"paths": ["shoots"], "old": "shoots", "at": AT});
    let [_, document] = agent.call("review", arguments).await.try_into().unwrap();
    let document: Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["leftOut"]["unchanged"], 1, "{document}");
    let error = agent.error("review", json!({"manifests": "", "old": "shoots"})).await;
    assert!(error.contains("`old` needs `paths`"), "{error}");
}

#[tokio::test]
async fn fix_returns_a_diff_and_writes_nothing() {
    let world = world();
    let agent = Agent::start(&world, &["--garden", "root/garden"]).await;
    let before = files(&world);
    let text = example("manifests/shoot-denied.yaml");
    for input in [json!({"paths": ["denied.yaml"]}), json!({"manifests": text})] {
        let mut arguments = input.clone();
        arguments["suggestions"] = true.into();
        arguments["at"] = AT.into();
        let [messages, diff] = agent.call("fix", arguments).await.try_into().unwrap();
        assert!(messages.contains("would fix: "), "{messages}");
        assert!(messages.ends_with("Apply the diff, then review again.\n"), "{messages}");
        assert!(diff.starts_with("--- ") && diff.contains("-  tolerations:"), "{diff}");
    }
    let safe = agent.call("fix", json!({"paths": ["denied.yaml"], "at": AT})).await;
    assert!(safe[0].contains("Nothing can be fixed automatically"), "{safe:?}");
    assert_eq!(files(&world), before);
}

/// Returns the names and contents of all files.
fn files(world: &tempfile::TempDir) -> BTreeSet<(String, Vec<u8>)> {
    let entries = walkdir::WalkDir::new(world.path()).into_iter().map(Result::unwrap);
    let files = entries.filter(|it| it.file_type().is_file());
    files.map(|it| (it.path().display().to_string(), std::fs::read(it.path()).unwrap())).collect()
}

#[tokio::test]
async fn configuration_is_found_in_the_roots_only() {
    let world = world();
    let silent = "rules:\n  shoot/toleration-not-whitelisted: off\n";
    crate::folder::write(world.path(), ".garden-gate.yaml", silent);
    let agent = Agent::start(&world, &["--garden", "root/garden"]).await;
    let arguments = json!({"paths": ["denied.yaml"], "at": AT});
    let verdict = async || {
        let texts = agent.call("review", arguments.clone()).await;
        let document: Value = serde_json::from_str(texts.last().unwrap()).unwrap();
        document["reviews"][0]["verdict"].clone()
    };
    assert_eq!(verdict().await, "denied");
    crate::folder::write(world.path(), "root/.garden-gate.yaml", silent);
    assert_eq!(verdict().await, "allowed");
    let named =
        Agent::start(&world, &["--garden", "root/garden", "--config", ".garden-gate.yaml"]).await;
    let texts = named.call("review", arguments.clone()).await;
    let document: Value = serde_json::from_str(texts.last().unwrap()).unwrap();
    assert_eq!(document["reviews"][0]["verdict"], "allowed");
}

#[tokio::test]
async fn flags_of_the_operator_apply_to_calls() {
    let world = world();
    let arguments = json!({"paths": ["denied.yaml"], "at": AT});
    for (flags, expected) in [
        (&["--ignore", "shoot/toleration-not-whitelisted"][..], "allowed"),
        (&["--warn", "shoot/*"], "allowed"),
        (&["--profile", "gardener", "--gardener-version", "1.145"], "denied"),
    ] {
        let flags = [&["--garden", "root/garden"], flags].concat();
        let agent = Agent::start(&world, &flags).await;
        let texts = agent.call("review", arguments.clone()).await;
        let document: Value = serde_json::from_str(texts.last().unwrap()).unwrap();
        assert_eq!(document["reviews"][0]["verdict"], expected, "{flags:?}: {document}");
    }
}

#[tokio::test]
async fn long_result_is_shortened_to_the_most_urgent_entries() {
    let world = world();
    let denied = example("manifests/shoot-denied.yaml");
    let many: Vec<String> =
        (0..500).map(|it| denied.replace("sneaky", &format!("s{it}"))).collect();
    crate::folder::write(world.path(), "root/many.yaml", &many.join("\n---\n"));
    let agent = Agent::start(&world, &["--garden", "root/garden", "--max-output", "65536"]).await;
    let arguments = json!({"paths": ["many.yaml"], "at": AT});
    let [summary, document] = agent.call("review", arguments).await.try_into().unwrap();
    assert!(summary.len() + document.len() <= 65536 + 1024);
    assert!(summary.starts_with("500 objects: 500 denied"), "{summary}");
    assert!(
        summary.contains(" of 500; ") && summary.contains("use fewer `paths`, or `rules`"),
        "{summary}"
    );
    let document: Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["summary"]["objects"], 500);
    assert_eq!(document["reviews"][0]["verdict"], "denied");
    let rules = agent.call("explain", json!({})).await;
    assert!(rules[0].contains("an `id`, a longer prefix"), "{}", rules[0]);
}
