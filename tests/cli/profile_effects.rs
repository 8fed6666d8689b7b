// SPDX-License-Identifier: Apache-2.0
//! The Shoots that a reviewed profile strands or forces earlier.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{garden_gate, printed};
use crate::folder::folder;

const AT: &str = "2026-12-01T00:00:00Z";
const GARDEN: &str = "examples/forecast";
const PROFILE: &str = "examples/forecast/cloudprofile.yaml";

/// The generated gardens have no extensions, and their newest version may expire.
const OTHERS: [&str; 4] = [
    "--ignore",
    "shoot/extensions-unregistered",
    "--ignore",
    "cloudprofile/kubernetes-latest-expiration",
];

/// The date of 1.33.9 is earlier.
const SOONER: [(&str, &str); 1] = [("2027-01-15T12:00:00Z", "2026-12-20T12:00:00Z")];
/// There is no longer a target version for Shoots of 1.33.
const WITHOUT_1_34: [(&str, &str); 2] = [
    ("version: 1.34.4, classification: supported", "version: 1.34.4, classification: preview"),
    (
        "1.34.3, classification: deprecated, expirationDate: \"2026-12-20T12:00:00Z\"",
        "1.34.3, classification: preview",
    ),
];
/// A version is available again.
const NOT_PREVIEW: [(&str, &str); 1] = [("- {classification: preview}\n      ", "")];

/// Returns a folder with the changed profile of the examples.
fn changed(changes: &[(&str, &str)]) -> TempDir {
    let mut text = fs::read_to_string(PROFILE).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let config = fs::read_to_string("examples/forecast/.garden-gate.yaml").unwrap();
    folder(&[("cloudprofile.yaml", &text), (".garden-gate.yaml", &config)])
}

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    printed(garden_gate(arguments).args(["--at", AT]).output().unwrap())
}

fn review(garden: &str, file: &Path, arguments: &[&str]) -> String {
    let file = file.display().to_string();
    let arguments = [&["review", "--garden", garden, &file], arguments].concat();
    let (_, out, err) = run(&arguments);
    assert!(!err.contains("error"), "{err}");
    out
}

fn json_of(garden: &str, file: &Path, arguments: &[&str]) -> Value {
    let out = review(garden, file, &[&["--format", "json"], arguments].concat());
    serde_json::from_str(&out).unwrap()
}

/// Returns the lines about the effect on Shoots.
fn lines(out: &str) -> Vec<&str> {
    let is_effect = |line: &&str| line.contains("strand") || line.contains(" earlier");
    out.lines().filter(is_effect).collect()
}

/// Returns the Shoots with this change in a forecast, and not with a worse one.
fn forecast(file: &Path) -> [BTreeSet<String>; 2] {
    let file = file.display().to_string();
    let arguments = ["forecast", "--garden", GARDEN, "--with", &file, "--format", "json"];
    let (_, out, _) = run(&arguments);
    let report: Value = serde_json::from_str(&out).unwrap();
    let changes = report["changes"].as_array().unwrap();
    let of = |change: &str| -> BTreeSet<String> {
        let of = changes.iter().filter(|it| it["change"] == change);
        let text = |it: &Value, field: &str| it[field].as_str().unwrap().to_owned();
        of.map(|it| format!("{}/{}", text(it, "namespace"), text(it, "name"))).collect()
    };
    let stranded = of("stranded");
    let forced = of("forced earlier").difference(&stranded).cloned().collect();
    [stranded, forced]
}

#[rstest]
#[case::sooner(&SOONER, [0, 3])]
#[case::without_target(&WITHOUT_1_34, [3, 0])]
#[case::both(&[SOONER[0], WITHOUT_1_34[0], WITHOUT_1_34[1]], [3, 0])]
#[case::better(&NOT_PREVIEW, [0, 0])]
fn counts_are_those_of_a_forecast(#[case] changes: &[(&str, &str)], #[case] expected: [usize; 2]) {
    let folder = changed(changes);
    let file = folder.path().join("cloudprofile.yaml");
    let report = json_of(GARDEN, &file, &[]);
    let lists = forecast(&file);
    assert_eq!(lists.each_ref().map(BTreeSet::len), expected, "{lists:?}");
    for (field, names) in ["shootsStranded", "shootsForcedEarlier"].iter().zip(lists) {
        let found = &report["reviews"][0][field];
        assert_eq!(found["count"], names.len(), "{found}");
        let first: Vec<&String> = names.iter().take(3).collect();
        assert_eq!(found.get("first").cloned().unwrap_or(json!([])), json!(first));
    }
}

#[test]
fn text_has_one_line_with_the_command() {
    let folder = changed(&WITHOUT_1_34);
    let file = folder.path().join("cloudprofile.yaml");
    let out = review(GARDEN, &file, &[]);
    insta::assert_snapshot!(
        lines(&out).join("\n").replace(&folder.path().display().to_string(), "DIR")
    );
    assert!(out.contains("what the change means for Shoots:\n  strands "), "{out}");
    let out = review(GARDEN, &file, &["--quiet"]);
    assert_eq!(lines(&out), Vec::<&str>::new());
}

/// The named command reports the same Shoots.
#[test]
fn named_command_can_be_run() {
    let folder = changed(&SOONER);
    let out = review(GARDEN, &folder.path().join("cloudprofile.yaml"), &[]);
    let command = out.split('`').find(|it| it.starts_with("garden-gate forecast")).unwrap();
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let (code, out, err) = printed(garden_gate(&words).output().unwrap());
    assert_eq!((code, err.as_str()), (Some(0), ""), "{command}");
    assert!(out.starts_with("3 Shoots change"), "{out}");
}

#[test]
fn markdown_has_it_in_the_headline_and_in_the_details() {
    let folder = changed(&SOONER);
    let file = folder.path().join("cloudprofile.yaml");
    let out = review(GARDEN, &file, &["--format", "markdown"]);
    let headline = out.lines().nth(1).unwrap();
    assert!(headline.contains(", 1 change forces 3 Shoots earlier"), "{headline}");
    let details: Vec<&str> = out.lines().filter(|it| it.starts_with("- forces")).collect();
    assert_eq!(details.len(), 1, "{out}");
    let out = review(GARDEN, &file, &["--format", "github"]);
    assert_eq!(out.matches("::forces 3 Shoots earlier").count(), 1, "{out}");
    let out = review(GARDEN, &file, &["--format", "concise"]);
    assert!(out.ends_with("1 change forces 3 Shoots earlier\n"), "{out}");
}

#[test]
fn change_that_affects_nobody_says_nothing() {
    for changes in [&NOT_PREVIEW[..], &[("kind: CloudProfile", "kind: CloudProfile # same")]] {
        let folder = changed(changes);
        let file = folder.path().join("cloudprofile.yaml");
        let out = review(GARDEN, &file, &[]);
        assert_eq!(lines(&out), Vec::<&str>::new(), "{out}");
    }
}

#[test]
fn nothing_is_claimed_without_a_garden() {
    let folder = changed(&SOONER);
    let file = folder.path().join("cloudprofile.yaml").display().to_string();
    let (_, out, _) = run(&["review", &file, "--old", PROFILE, "--format", "json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["reviews"][0]["operation"], "UPDATE");
    assert_eq!(report["reviews"][0].get("shootsStranded"), None);
}

/// Returns the profile of generated Shoots, without one of the Kubernetes versions.
fn profile(versions: &[&str]) -> Value {
    let versions: Vec<Value> = versions
        .iter()
        .map(|it| match it.split_once('@') {
            None => json!({"version": it}),
            Some((version, end)) => {
                json!({"version": version, "classification": "deprecated", "expirationDate": end})
            }
        })
        .collect();
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "CloudProfile",
        "metadata": {"name": "c"},
        "spec": {
            "type": "stub",
            "kubernetes": {"versions": versions},
            "machineImages": [{"name": "linux", "updateStrategy": "minor", "versions": [
                {"version": "1.0.0", "architectures": ["amd64"], "cri": [{"name": "containerd"}]},
            ]}],
            "machineTypes": [{"name": "small", "cpu": "1", "gpu": "0", "memory": "1Gi", "architecture": "amd64"}],
            "volumeTypes": [{"name": "ssd", "class": "standard"}],
            "regions": [{"name": "eu", "zones": [{"name": "z"}]}],
        },
    })
}

/// Returns the other objects that the Shoots need.
fn others() -> [Value; 2] {
    let project = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Project",
        "metadata": {"name": "a"},
        "spec": {"namespace": "garden-a"},
    });
    let secret =
        json!({"apiVersion": "v1", "kind": "Secret", "name": "account", "namespace": "garden-a"});
    let binding = json!({
        "apiVersion": "security.gardener.cloud/v1alpha1",
        "kind": "CredentialsBinding",
        "metadata": {"name": "account", "namespace": "garden-a"},
        "provider": {"type": "stub"},
        "credentialsRef": secret,
    });
    [project, binding]
}

fn shoot(name: &str, (kind, profile): (&str, &str), version: &str) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": name, "namespace": "garden-a"},
        "spec": {
            "cloudProfile": {"kind": kind, "name": profile},
            "region": "eu",
            "purpose": "evaluation",
            "credentialsBindingName": "account",
            "networking": {
                "type": "calico", "ipFamilies": ["IPv4"],
                "nodes": "10.250.0.0/16", "pods": "100.96.0.0/11", "services": "100.64.0.0/13",
            },
            "kubernetes": {"version": version},
            "maintenance": {
                "autoUpdate": {"kubernetesVersion": false, "machineImageVersion": false},
                "timeWindow": {"begin": "220000+0000", "end": "230000+0000"},
            },
            "provider": {"type": "stub", "workers": [{
                "name": "w", "minimum": 1, "maximum": 2, "maxSurge": 1, "maxUnavailable": 0,
                "cri": {"name": "containerd"}, "volume": {"type": "ssd", "size": "50Gi"}, "zones": ["z"],
                "machine": {"type": "small", "architecture": "amd64", "image": {"name": "linux", "version": "1.0.0"}},
            }]},
        },
    })
}

const OF_CLUSTER: (&str, &str) = ("CloudProfile", "c");
const EXPIRING: &str = "1.33.1@2027-01-15T00:00:00Z";

/// Writes a garden with these objects, and a change.
fn garden(objects: &[Value], new: &Value) -> TempDir {
    let objects: Vec<Value> = objects.iter().cloned().chain(others()).collect();
    let list = json!({"apiVersion": "v1", "kind": "List", "items": objects});
    folder(&[("garden/all.json", &list.to_string()), ("new.json", &new.to_string())])
}

fn review_in(folder: &TempDir, arguments: &[&str]) -> String {
    let mut command = garden_gate(&["review", "--garden", "garden", "--whole-garden", "--at", AT]);
    command.args(OTHERS);
    command.args(arguments).arg("new.json").current_dir(folder.path());
    let (_, out, err) = printed(command.output().unwrap());
    assert!(!err.contains("error"), "{err}");
    out
}

fn entry(folder: &TempDir, arguments: &[&str]) -> Value {
    let out = review_in(folder, &[&["--format", "json"], arguments].concat());
    let report: Value = serde_json::from_str(&out).unwrap();
    report["reviews"][0].clone()
}

#[rstest]
#[case(1)]
#[case(100)]
#[case(5000)]
fn many_shoots_are_counted_and_few_named(#[case] count: usize) {
    let mut objects = vec![profile(&["1.34.1", "1.33.1"])];
    objects.extend((0..count).map(|it| shoot(&format!("s{it:04}"), OF_CLUSTER, "1.33.1")));
    let folder = garden(&objects, &profile(&["1.34.1", EXPIRING]));
    let entry = entry(&folder, &[]);
    let forced = &entry["shootsForcedEarlier"];
    assert_eq!(forced["count"], count, "{forced}");
    assert_eq!(forced["first"].as_array().unwrap().len(), count.min(3));
    // Rules judge some of many updates only.
    let stranded =
        if count > 200 { json!({"count": 0, "atLeast": true}) } else { json!({"count": 0}) };
    assert_eq!(entry["shootsStranded"], stranded);
}

/// Without 1.34 there is no update path from 1.33.
#[test]
fn stranded_shoots_are_named_in_text() {
    let mut objects = vec![profile(&["1.33.1", "1.32.1"])];
    objects.extend((0..5).map(|it| shoot(&format!("s{it}"), OF_CLUSTER, "1.33.1")));
    let folder = garden(&objects, &profile(&[EXPIRING, "1.32.1"]));
    let out = review_in(&folder, &[]);
    insta::assert_snapshot!(lines(&out).join("\n"));
}

fn namespaced(versions: &Value) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "NamespacedCloudProfile",
        "metadata": {"name": "own", "namespace": "garden-a"},
        "spec": {
            "parent": {"kind": "CloudProfile", "name": "c"},
            "kubernetes": {"versions": versions},
        },
    })
}

#[test]
fn shoots_of_a_namespaced_profile_are_counted() {
    let own = ("NamespacedCloudProfile", "own");
    let later = json!([{"version": "1.33.1", "expirationDate": "2028-01-01T00:00:00Z"}]);
    let objects = [
        profile(&["1.34.1", EXPIRING]),
        namespaced(&later),
        shoot("x", own, "1.33.1"),
        shoot("y", OF_CLUSTER, "1.33.1"),
    ];
    // Its own date is later than that of the parent, until it is removed.
    let folder = garden(&objects, &namespaced(&json!([])));
    let reviewed = entry(&folder, &[]);
    assert_eq!(reviewed["kind"], "NamespacedCloudProfile");
    assert_eq!(reviewed["shootsForcedEarlier"], json!({"count": 1, "first": ["garden-a/x"]}));
    // An earlier date in the parent affects the Shoots without a date of their own.
    let folder = garden(&objects, &profile(&["1.34.1", "1.33.1@2026-12-20T00:00:00Z"]));
    let reviewed = entry(&folder, &[]);
    assert_eq!(reviewed["shootsForcedEarlier"], json!({"count": 1, "first": ["garden-a/y"]}));
    // Both together: the removal of the date follows the parent, and each Shoot counts once.
    let both = json!({"apiVersion": "v1", "kind": "List", "items": [
        profile(&["1.34.1", "1.33.1@2026-12-20T00:00:00Z"]),
        namespaced(&json!([])),
    ]});
    let folder = garden(&objects, &both);
    let out = review_in(&folder, &["--format", "markdown"]);
    assert!(out.contains("2 changes force 2 Shoots earlier"), "{out}");
}

#[test]
fn shoots_of_the_change_count_as_applied() {
    let objects = [
        profile(&["1.34.1", "1.33.1"]),
        shoot("x", OF_CLUSTER, "1.33.1"),
        shoot("y", OF_CLUSTER, "1.33.1"),
    ];
    let change = json!({"apiVersion": "v1", "kind": "List", "items": [
        profile(&["1.34.1", EXPIRING]),
        shoot("x", OF_CLUSTER, "1.34.1"),
    ]});
    let folder = garden(&objects, &change);
    let reviewed = entry(&folder, &[]);
    assert_eq!(reviewed["shootsForcedEarlier"], json!({"count": 1, "first": ["garden-a/y"]}));
}

#[test]
fn unreadable_shoot_makes_the_count_a_minimum() {
    let mut broken = shoot("broken", OF_CLUSTER, "1.33.1");
    broken["spec"]["kubernetes"] = json!("1.33.1");
    let objects = |also: bool| {
        let others = also.then(|| shoot("x", OF_CLUSTER, "1.33.1"));
        let all = [profile(&["1.34.1", "1.33.1"]), broken.clone()];
        all.into_iter().chain(others).collect::<Vec<_>>()
    };
    let new = profile(&["1.34.1", EXPIRING]);
    let folder = garden(&objects(true), &new);
    let reviewed = entry(&folder, &[]);
    let expected = json!({"count": 1, "atLeast": true, "first": ["garden-a/x"]});
    assert_eq!(reviewed["shootsForcedEarlier"], expected);
    let out = review_in(&folder, &[]);
    assert!(out.contains("  forces at least 1 Shoot earlier: "), "{out}");
    // No Shoot is known to be affected, and nothing else is claimed.
    let folder = garden(&objects(false), &new);
    assert_eq!(entry(&folder, &[])["shootsForcedEarlier"], json!({"count": 0, "atLeast": true}));
    assert_eq!(lines(&review_in(&folder, &[])), Vec::<&str>::new());
}

#[test]
fn several_gardens_have_their_own_shoots() {
    let list = |names: &[&str]| {
        let shoots = names.iter().map(|it| shoot(it, OF_CLUSTER, "1.33.1"));
        let profile = profile(&["1.34.1", "1.33.1"]);
        let items: Vec<Value> = [profile].into_iter().chain(others()).chain(shoots).collect();
        json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string()
    };
    let folder = folder(&[
        ("qa/all.json", &list(&["x"])),
        ("prod/all.json", &list(&["x", "y"])),
        ("new.json", &profile(&["1.34.1", EXPIRING]).to_string()),
    ]);
    let gardens = ["review", "--garden", "qa", "--garden", "prod", "--whole-garden", "--at", AT];
    let mut command = garden_gate(&gardens);
    command.args(OTHERS);
    command.arg("new.json").current_dir(folder.path());
    let (_, out, _) = printed(command.output().unwrap());
    insta::assert_snapshot!(lines(&out).join("\n"));
}

/// Names in a directory may have any characters.
#[rstest]
#[case("text")]
#[case("concise")]
#[case("markdown")]
#[case("github")]
#[case("json")]
fn hostile_names_are_escaped(#[case] format: &str) {
    let name = "\u{1b}[31mx\n::error::y\u{202e}`<script>alert(1)</script>|**z**";
    let objects = [profile(&["1.33.1", "1.32.1"]), shoot(name, OF_CLUSTER, "1.33.1")];
    let folder = garden(&objects, &profile(&[EXPIRING, "1.32.1"]));
    let out = review_in(&folder, &["--format", format]);
    assert!(!out.contains(['\u{1b}', '\u{202e}']), "{out:?}");
    assert!(!out.lines().any(|it| it.starts_with("::error::y")), "{out}");
    match format {
        "markdown" => {
            let before = out.lines().filter_map(|line| line.split_once("<script>"));
            let mut is_code = before.map(|(before, _)| before.matches('`').count() % 2 == 1);
            assert!(is_code.all(|it| it), "{out}");
        }
        "concise" => assert!(out.contains("1 change strands 1 Shoot\n"), "{out}"),
        _ => assert!(out.contains("[31mx"), "{out}"),
    }
}
