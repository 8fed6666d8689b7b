// SPDX-License-Identifier: Apache-2.0
//! The impact of a CloudProfile change on Shoots in `garden-gate review`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use crate::command::{garden_gate, printed};
use crate::folder;
use serde_json::{Value, json};
use tempfile::TempDir;

fn version(version: &str, more: &Value) -> Value {
    let mut version = json!({"version": version});
    let more = more.as_object().unwrap().clone();
    version.as_object_mut().unwrap().extend(more);
    version
}

fn image(name: &str, more: &Value) -> Value {
    let mut image = version(name, more);
    image["architectures"] = json!(["amd64"]);
    image["cri"] = json!([{"name": "containerd"}]);
    image
}

fn machine(name: &str) -> Value {
    json!({"name": name, "cpu": 1, "gpu": 0, "memory": "1Gi"})
}

fn profile(versions: &[Value], images: &[Value], types: &[Value]) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "CloudProfile",
        "metadata": {"name": "c"},
        "spec": {
            "type": "stub",
            "kubernetes": {"versions": versions},
            "machineImages": [{"name": "linux", "updateStrategy": "minor", "versions": images}],
            "machineTypes": types,
            "regions": [{"name": "eu"}],
        },
    })
}

fn old() -> Value {
    let none = json!({});
    let expired = json!({"expirationDate": "2026-06-01T00:00:00Z"});
    profile(
        &[
            version("1.33.1", &none),
            version("1.32.5", &json!({"classification": "supported"})),
            version("1.31.9", &expired),
        ],
        &[image("1.0.0", &none), image("2.0.0", &none)],
        &[machine("small"), machine("large"), machine("old")],
    )
}

fn new() -> Value {
    let none = json!({});
    let deprecated =
        json!({"classification": "deprecated", "expirationDate": "2027-01-15T00:00:00Z"});
    let mut large = machine("large");
    large["usable"] = json!(false);
    profile(
        &[
            version("1.34.0", &json!({"classification": "preview"})),
            version("1.33.1", &none),
            version("1.32.5", &deprecated),
        ],
        &[
            image("1.0.0", &json!({"expirationDate": "2027-01-01T00:00:00Z"})),
            image("2.0.0", &none),
        ],
        &[machine("small"), large, machine("huge")],
    )
}

fn shoot(name: &str, (kind, profile): (&str, &str), image: &str, machine: &str) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": name, "namespace": "garden-a"},
        "spec": {
            "cloudProfile": {"kind": kind, "name": profile},
            "kubernetes": {"version": "1.32.5"},
            "provider": {"type": "stub", "workers": [{
                "name": "w", "minimum": 1, "maximum": 1,
                "machine": {"type": machine, "image": {"name": "linux", "version": image}},
            }]},
        },
    })
}

/// Returns two Shoots of the profile, and one of a NamespacedCloudProfile with a separate expiration date.
fn garden() -> Vec<Value> {
    let of = ("CloudProfile", "c");
    let own = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "NamespacedCloudProfile",
        "metadata": {"name": "own", "namespace": "garden-a"},
        "spec": {
            "parent": {"kind": "CloudProfile", "name": "c"},
            "kubernetes": {"versions": [{"version": "1.32.5", "expirationDate": "2028-01-01T00:00:00Z"}]},
        },
    });
    vec![
        old(),
        own,
        shoot("x", of, "1.0.0", "small"),
        shoot("y", of, "2.0.0", "large"),
        shoot("z", ("NamespacedCloudProfile", "own"), "2.0.0", "small"),
    ]
}

fn review(garden: &[Value], new: &Value, format: &str, more: &[&str]) -> String {
    let list = json!({"apiVersion": "v1", "kind": "List", "items": garden});
    let files = [("garden/all.json", list.to_string()), ("new.json", new.to_string())];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    let folder: TempDir = folder::folder(&files);
    let at = "2026-11-22T00:00:00Z";
    let mut command = garden_gate(&["review", "--garden", "garden", "--at", at]);
    command.args(["--format", format]).args(more).arg("new.json");
    let (_, out, _) = printed(command.current_dir(folder.path()).output().unwrap());
    out
}

/// Returns the lines of the table for a terminal.
fn lines(out: &str) -> Vec<&str> {
    let lines = out.lines().skip_while(|it| !it.starts_with("what the change means"));
    lines.skip(1).take_while(|it| it.starts_with("  ")).collect()
}

#[test]
fn a_table_says_what_changes_and_whose_it_is() {
    let out = review(&garden(), &new(), "text", &["--whole-garden"]);
    insta::assert_snapshot!(lines(&out).join("\n"));
}

#[test]
fn markdown_has_it_as_a_table() {
    let out = review(&garden(), &new(), "markdown", &["--whole-garden"]);
    let rows = out.lines().skip_while(|it| !it.starts_with("| what changes"));
    let rows: Vec<&str> = rows.take_while(|it| !it.starts_with('<')).collect();
    insta::assert_snapshot!(rows.join("\n"));
}

#[test]
fn json_has_all_of_it() {
    let out = review(&garden(), &new(), "json", &["--whole-garden"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    let impact = &report["reviews"][0]["impact"];
    let deprecated = json!({
        "what": "Kubernetes 1.32.5",
        "change": "supported → deprecated, expires at 2027-01-15T00:00:00Z (before: never)",
        "shoots": 3,
        "first": ["garden-a/x", "garden-a/y", "garden-a/z"],
        "forced": {"from": "2027-01-15T00:00:00Z", "shoots": 2},
    });
    let changes = impact["changes"].as_array().unwrap();
    assert!(changes.contains(&deprecated), "{impact}");
    let unused = json!([{"what": "machine types", "names": ["huge"]}]);
    assert_eq!(impact["unused"], unused);
}

#[test]
fn nothing_is_said_where_nothing_on_offer_changes() {
    let mut new = old();
    new["metadata"]["labels"] = json!({"a": "b"});
    let out = review(&garden(), &new, "text", &["--whole-garden"]);
    assert_eq!(lines(&out), Vec::<&str>::new());
}

#[test]
fn shoots_are_not_counted_if_some_are_unknown() {
    let out = review(&[old()], &new(), "text", &[]);
    let lines = lines(&out);
    assert_eq!(lines.len(), 7, "{lines:?}");
    assert!(lines.iter().all(|it| it.ends_with("not all Shoots are known")), "{lines:?}");
}
