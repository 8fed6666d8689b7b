// SPDX-License-Identifier: Apache-2.0
//! Tests of `garden-gate plan` with durations and prices of the configuration.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{garden_gate, printed};
use crate::folder::{folder, write};
use crate::plan::{PROFILE, pool, shoot, with};

const DURATIONS: &str = "plan: {durations: {machineCreation: {best: 1m, typical: 2m, worst: 3m}, machineRemoval: {worst: 10m}}}";
const PRICES: &str = "plan: {prices: {currency: EUR, machineTypes: {small: 0.1, large: 0.4}}}";

/// Returns a folder in which pool `a` with 6 machines gets other machines, and pool `b` with 2 is deleted.
fn change(configuration: &str) -> TempDir {
    let folder = folder(&[("garden/profile.yaml", PROFILE), (".garden-gate.yaml", configuration)]);
    let old = shoot("web", &[pool("a", 6, &["x"]), pool("b", 2, &["x"])]);
    let new = shoot("web", &[with(&pool("a", 6, &["x"]), &[("/machine/type", json!("large"))])]);
    write(folder.path(), "old/web.yaml", &old.to_string());
    write(folder.path(), "new/web.yaml", &new.to_string());
    folder
}

fn plan(folder: &TempDir, format: &str) -> (String, String) {
    let arguments = ["plan", "new", "--old", "old", "--garden", "garden", "--format", format];
    let mut command = garden_gate(&arguments);
    command.args(["--config", ".garden-gate.yaml", "--at", "2026-12-01T00:00:00Z"]);
    let (_, out, err) = printed(command.current_dir(folder.path()).output().unwrap());
    (out, err)
}

#[rstest]
#[case("durations", DURATIONS)]
#[case("prices", PRICES)]
#[case("unpriced", "plan: {prices: {currency: EUR, machineTypes: {small: 0.1}}}")]
fn settings_change_the_plan(#[case] name: &str, #[case] configuration: &str) {
    let (out, err) = plan(&change(configuration), "text");
    insta::assert_snapshot!(format!("plan-with-{name}"), format!("{out}{err}"));
}

#[test]
fn costs_are_in_markdown_and_json() {
    let folder = change(PRICES);
    let (page, _) = plan(&folder, "markdown");
    assert!(page.contains("a month costs"), "{page}");
    let (out, _) = plan(&folder, "json");
    let plan: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(plan["cost"]["currency"], "EUR");
    // 6 machines for 0.30 more an hour, and 2 fewer machines for 0.10.
    assert_eq!(plan["cost"]["monthly"], json!({"least": 1168.0, "most": 1168.0}));
}

#[test]
fn windows_have_costs_and_durations() {
    let profile = PROFILE.replace(
        "versions: [{version: 1.0.0,",
        "versions: [{version: 1.1.0, cri: [{name: containerd}], architectures: [amd64]}, {version: 1.0.0,",
    );
    let settings = format!("{DURATIONS}\n")
        .replace("plan: {", "plan: {prices: {currency: EUR, machineTypes: {small: 0.1}}, ");
    let folder = folder(&[("garden/profile.yaml", &profile), (".garden-gate.yaml", &settings)]);
    let update = json!({"machineImageVersion": true});
    let old =
        with(&shoot("web", &[pool("a", 6, &["x"])]), &[("/spec/maintenance/autoUpdate", update)]);
    write(folder.path(), "garden/web.yaml", &old.to_string());
    let mut command = garden_gate(&["plan", "--windows", "--garden", "garden", "--for", "7d"]);
    command.args(["--config", ".garden-gate.yaml", "--at", "2026-12-01T00:00:00Z"]);
    let (_, out, err) = printed(command.current_dir(folder.path()).output().unwrap());
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    for expected in ["Extra machines cost", "the creation of a machine takes 1 min to 2 min"] {
        assert!(words.contains(expected), "{out}{err}");
    }
}

#[test]
fn costs_match_the_schema() {
    let (_, out, _) = printed(garden_gate(&["schema", "plan"]).output().unwrap());
    let validator = jsonschema::validator_for(&serde_json::from_str(&out).unwrap()).unwrap();
    for configuration in [PRICES, DURATIONS] {
        let (out, _) = plan(&change(configuration), "json");
        let plan: Value = serde_json::from_str(&out).unwrap();
        let errors: Vec<String> = validator.iter_errors(&plan).map(|it| it.to_string()).collect();
        assert_eq!(errors, [""; 0]);
    }
}

#[rstest]
#[case(
    "10.0.0.0/30",
    "to do: lower `maximum` or `maxSurge`: the node network `10.0.0.0/30` has 4 addresses, and all pools at their maximum have 9 machines"
)]
#[case(
    "10.0.0.0/33",
    "not known: whether the node network holds all machines: `10.0.0.0/33` is not a network address"
)]
fn node_network_is_compared(#[case] nodes: &str, #[case] expected: &str) {
    let folder = change("");
    for state in ["old", "new"] {
        let file = folder.path().join(state).join("web.yaml");
        let shoot: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let shoot = with(&shoot, &[("/spec/networking/nodes", json!(nodes))]);
        std::fs::write(&file, shoot.to_string()).unwrap();
    }
    let (out, err) = plan(&folder, "text");
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(expected), "{out}{err}");
}

#[test]
fn hostile_settings_are_refused() {
    let folder = change("plan: {prices: {currency: EUR, machineTypes: {small: -1}}}");
    let (out, err) = plan(&folder, "text");
    assert_eq!(out, "");
    assert!(err.contains("`plan.prices.machineTypes.small` is not between 0 and 1000000"), "{err}");
}
