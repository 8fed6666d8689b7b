// SPDX-License-Identifier: Apache-2.0
//! The landscape of the examples, whose objects are as a gardener-apiserver stores them, in each command.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use rstest::rstest;
use serde_json::{Value, json};

use crate::command::{garden_gate, printed};
use crate::folder::folder;

const NOW: &str = "2026-11-30T08:00:00Z";
const CONFIG: &str = "examples/landscape/gate.yaml";
const GARDEN: &str = "examples/landscape/garden";

/// Runs a command with the configuration of the landscape.
fn run(command: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(&[command, "--config", CONFIG]);
    printed(command.args(arguments).output().unwrap())
}

fn in_garden(command: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    run(command, &[&["--garden", GARDEN, "--at", NOW], arguments].concat())
}

fn json_of((_, out, err): (Option<i32>, String, String)) -> Value {
    serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{out}{err}"))
}

/// Returns all objects of a file of the landscape.
fn objects(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    let documents = garden_gate_text::yaml::parse(&text).unwrap();
    let lists = documents.iter().map(|it| it.to_value());
    let items = lists.map(|it| it["items"].as_array().unwrap().clone());
    items.flatten().collect()
}

/// Returns an object of the landscape by kind and name.
fn object(kind: &str, name: &str) -> Value {
    let files = fs::read_dir(GARDEN).unwrap();
    let mut all = files.flat_map(|it| objects(&it.unwrap().path()));
    let is_wanted = |it: &Value| it["kind"] == kind && it["metadata"]["name"] == name;
    all.find(is_wanted).unwrap()
}

/// Returns `occasion finding` of each finding, after the name of its object.
fn said(report: &Value, level: &str) -> Vec<String> {
    let reviews = report["reviews"].as_array().unwrap().iter();
    let said = reviews.flat_map(|review| {
        let findings =
            review["findings"].as_array().unwrap().iter().filter(|it| it["level"] == level);
        findings.map(|it| {
            let part = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let [name, when, id] = [&review["name"], &it["occasion"], &it["finding"]].map(part);
            format!("{name} {when} {id}").replace("  ", " ")
        })
    });
    said.collect()
}

#[test]
fn no_secret_has_data() {
    for file in fs::read_dir(GARDEN).unwrap() {
        for secret in objects(&file.unwrap().path()) {
            let has_values = ["data", "stringData"].map(|it| secret.get(it).is_some());
            assert!(secret["kind"] != "Secret" || has_values == [false; 2]);
        }
    }
}

#[test]
fn audit_is_as_reviewed() {
    let (code, out, err) = in_garden("audit", &["--each"]);
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    insta::assert_snapshot!("audit", out);
}

#[test]
fn readme_shows_the_audit() {
    let (_, out, _) = in_garden("audit", &["--by", "rule"]);
    let page = fs::read_to_string("examples/landscape/README.md").unwrap();
    assert!(page.contains(out.trim_end()), "{out}");
}

/// A gardener-apiserver accepted an update of each object that added a label.
#[test]
fn no_write_of_an_unchanged_object_is_refused_or_undetermined() {
    let report = json_of(in_garden("audit", &["--format", "json"]));
    let denied = said(&report, "deny");
    let with_every_write = denied.iter().filter(|it| !it.contains(" create "));
    assert_eq!(with_every_write.count(), 0, "{denied:?}");
    assert_eq!(report["audit"]["undetermined"], 0, "{report}");
}

#[test]
fn objects_in_deletion_are_not_judged_as_new() {
    let report = json_of(in_garden("audit", &["--format", "json"]));
    let all = [said(&report, "deny"), said(&report, "warn")].concat();
    let deleted = |it: &&String| it.starts_with("old-demo ") || it.starts_with("loadtest ");
    assert_eq!(all.iter().find(deleted), None);
}

/// gardener-controller-manager sets the annotation, and operators lower the limit afterwards.
#[test]
fn lifetime_of_a_stored_shoot_is_not_extended() {
    let folder = folder(&[]);
    for file in fs::read_dir(GARDEN).unwrap() {
        let file = file.unwrap();
        let text = fs::read_to_string(file.path())
            .unwrap()
            .replace("clusterLifetimeDays: 14", "clusterLifetimeDays: 3");
        fs::write(folder.path().join(file.file_name()), text).unwrap();
    }
    let garden = folder.path().to_str().unwrap();
    let report = run("audit", &["--garden", garden, "--at", NOW, "--format", "json"]);
    let denied = said(&json_of(report), "deny");
    let lifetimes = denied.iter().filter(|it| it.contains("quota-lifetime"));
    assert_eq!(lifetimes.count(), 0, "{denied:?}");
}

#[test]
fn forecast_is_as_reviewed() {
    let (code, out, err) = in_garden("forecast", &["--for", "2w", "--details"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    insta::assert_snapshot!("forecast", out);
    let (_, grouped, _) = in_garden("forecast", &["--for", "2w"]);
    insta::assert_snapshot!("forecast-grouped", grouped);
}

#[test]
fn coverage_is_as_reviewed() {
    let (code, out, err) = run("coverage", &["--garden", GARDEN]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    insta::assert_snapshot!("coverage", out);
}

#[test]
fn stored_manifests_are_allowed_in_their_garden() {
    let report = in_garden("review", &["--format", "json", GARDEN]);
    assert_eq!(report.0, Some(0), "{}", report.1);
    let report = json_of(report);
    let reviews = report["reviews"].as_array().unwrap();
    let of_garden = reviews.iter().filter(|it| it["operation"] == "UPDATE");
    assert_eq!(of_garden.count(), 82, "{report}");
    assert!(reviews.iter().all(|it| it["verdict"] == "allowed"));
}

/// What expired or was disabled later is the only open question.
#[test]
fn stored_manifests_without_a_garden_are_not_refused() {
    let arguments = ["--at", NOW, "--format", "json", GARDEN];
    let report = json_of(run("review", &arguments));
    assert_eq!(said(&report, "deny"), [""; 0]);
    let reviews = report["reviews"].as_array().unwrap().iter();
    let open = reviews.filter(|it| it["verdict"] != "allowed");
    let open: Vec<&Value> = open.map(|it| &it["name"]).collect();
    assert_eq!(open, ["legacy"]);
}

#[test]
fn rotation_during_a_migration_names_the_migration() {
    let mut changed = object("Shoot", "etl");
    changed["metadata"]["annotations"]["gardener.cloud/operation"] = json!("rotate-ca-start");
    let folder = folder(&[("changed.json", &changed.to_string())]);
    let file = folder.path().join("changed.json");
    let (code, out, _) = in_garden("review", &[file.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    let message = "operation `rotate-ca-start` is not possible now: the Shoot is being migrated to another seed";
    assert!(out.contains(message), "{out}");
}

/// The API server omits the empty API group of ServiceAccounts.
#[test]
fn empty_string_that_is_not_stored_is_no_drift() {
    let mut project = object("Project", "shop");
    let members = project["spec"]["members"].as_array_mut().unwrap();
    let accounts = members.iter_mut().filter(|it| it["kind"] == "ServiceAccount");
    accounts.for_each(|it| it["apiGroup"] = json!(""));
    let folder = folder(&[("project.json", &project.to_string())]);
    let file = folder.path().join("project.json");
    let (code, out, _) = in_garden("review", &[file.to_str().unwrap()]);
    assert_eq!(code, Some(0));
    assert!(!out.contains("drift"), "{out}");
}

/// A change of a stored object: kind and name, JSON pointer, new value.
type Change<'a> = (&'a str, &'a str, &'a str, Value);

/// A gardener-apiserver 1.150 gave these verdicts about the stored objects with these changes.
#[rstest]
#[case::wake_up(("Shoot", "staging", "/spec/hibernation/enabled", json!(false)), &[])]
#[case::wake_up_old(("Shoot", "archive", "/spec/hibernation/enabled", json!(false)), &[])]
#[case::webhook(("Shoot", "notebooks", "/spec/hibernation", json!({"enabled": true})), &["shoot/hibernation-constraint"])]
#[case::in_deletion(("Shoot", "loadtest", "/spec/provider/workers/0/maximum", json!(5)), &["shoot/spec-frozen-when-deleting"])]
#[case::in_migration(("Shoot", "etl", "/spec/provider/workers/0/maximum", json!(11)), &["shoot/spec-change-during-migration"])]
#[case::in_place(("Shoot", "stream", "/spec/provider/workers/0/machine/image/version", json!("1877.6.0")), &["shoot/in-place-update-pending"])]
#[case::expired_version(("Shoot", "legacy", "/spec/provider/workers/0/maximum", json!(5)), &[])]
#[case::patch_version(("Shoot", "legacy", "/spec/kubernetes/version", json!("1.33.11")), &[])]
#[case::rotation(("Shoot", "warehouse", "/metadata/annotations/gardener.cloud~1operation", json!("rotate-credentials-complete")), &[])]
#[case::minor_version(("Shoot", "lake", "/spec/kubernetes/version", json!("1.35.4")), &[])]
#[case::copied_secret(("Shoot", "web", "/spec/kubernetes/version", json!("1.35.4")), &["field/removed"])]
#[case::self_hosted(("Shoot", "edge-hamburg", "/spec/provider/workers/1/maximum", json!(3)), &[])]
#[case::managed_seed(("Shoot", "aws-eu2", "/spec/provider/workers/0/maximum", json!(7)), &[])]
#[case::above_quota(("Shoot", "trial-b", "/spec/provider/workers/0/maximum", json!(2)), &["shoot/quota-exceeded"])]
#[case::seed(("Shoot", "demo", "/spec/seedName", json!("gcp-eu1")), &["shoot/seed-name-not-via-binding"])]
#[case::whitelist(("Project", "shop", "/spec/tolerations", json!({})), &[])]
#[case::overlay(("NamespacedCloudProfile", "gcp-gpu", "/spec/machineTypes", json!([])), &[])]
#[case::invisible_seed(("Seed", "os-de1", "/spec/settings/scheduling/visible", json!(false)), &[])]
#[case::credentials(("CredentialsBinding", "aws-data", "/credentialsRef/name", json!("other")), &["field/immutable", "binding/credentials-missing"])]
fn change_of_a_stored_object_gets_the_verdict_of_gardener(
    #[case] (kind, name, pointer, value): Change<'_>,
    #[case] expected: &[&str],
) {
    let mut changed = object(kind, name);
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    let parent = changed.pointer_mut(parent).unwrap();
    parent[field.replace("~1", "/")] = value;
    let folder = folder(&[("changed.json", &changed.to_string())]);
    let file = folder.path().join("changed.json");
    let arguments = ["--format", "json", file.to_str().unwrap()];
    let report = json_of(in_garden("review", &arguments));
    let expected: Vec<String> = expected.iter().map(|it| format!("{name} {it}")).collect();
    assert_eq!(said(&report, "deny"), expected, "{report}");
    let verdict = if expected.is_empty() { "allowed" } else { "denied" };
    assert_eq!(report["reviews"][0]["verdict"], verdict, "{report}");
}

/// `garden-gate demo` has the objects inside the program; `UPDATE_DOCS=1` renews them.
#[test]
fn landscape_of_demo_is_current() {
    const FILE: &str = "examples/landscape/garden.json.gz";
    let mut files: Vec<PathBuf> =
        fs::read_dir(GARDEN).unwrap().map(|it| it.unwrap().path()).collect();
    files.sort();
    let expected: Vec<Value> = files.iter().flat_map(|file| objects(file)).collect();
    let contained = || -> Vec<Value> {
        serde_json::from_reader(GzDecoder::new(File::open(FILE).unwrap())).unwrap()
    };
    if env::var_os("UPDATE_DOCS").is_some() && contained() != expected {
        let mut file = GzEncoder::new(File::create(FILE).unwrap(), Compression::best());
        serde_json::to_writer(&mut file, &expected).unwrap();
        file.finish().unwrap();
    }
    assert!(contained() == expected, "renew {FILE} with UPDATE_DOCS=1");
}
