// SPDX-License-Identifier: Apache-2.0
//! Objects that an API server has stored, in `audit` and `review` with the built program.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::fs;

use rstest::rstest;
use serde_json::{Value, json};

use crate::command::{garden_gate, printed};
use crate::folder::folder;

const NOW: &str = "2026-11-28T03:00:00Z";
const LANDSCAPE: &str = "tests/stored_objects/landscape.yaml";
const PROFILE: &str = "tests/stored_objects/profile.yaml";
const SEED: &str = "tests/stored_objects/seed.yaml";

fn json_of(arguments: &[&str]) -> Value {
    let mut command = garden_gate(arguments);
    let (_, out, err) = printed(command.args(["--format", "json"]).output().unwrap());
    serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{out}{err}"))
}

/// Returns the report of an audit of one file, without a configuration.
fn audit(text: &str) -> Value {
    let folder = folder(&[("garden.yaml", text)]);
    let garden = folder.path().to_str().unwrap();
    json_of(&["audit", "--no-config", "--garden", garden, "--at", NOW])
}

/// Returns `name finding` of each finding with a level, and `name undetermined: rule`.
fn said(report: &Value, level: &str) -> Vec<String> {
    let mut said = Vec::new();
    for review in report["reviews"].as_array().unwrap() {
        let name = review["name"].as_str().unwrap();
        for finding in review["findings"].as_array().unwrap() {
            if finding["level"] == level {
                said.push(format!("{name} {}", finding["finding"].as_str().unwrap()));
            }
        }
        for unknown in review["undetermined"].as_array().into_iter().flatten() {
            if unknown["level"] == level {
                said.push(format!("{name} undetermined {}", unknown["rule"].as_str().unwrap()));
            }
        }
    }
    said
}

/// Returns the landscape with changed text.
fn landscape(changes: &[(&str, &str)], more: &str) -> String {
    let mut text = fs::read_to_string(LANDSCAPE).unwrap();
    for (before, after) in changes {
        assert_eq!(text.matches(before).count(), 1, "{before}");
        text = text.replace(before, after);
    }
    text + more
}

#[test]
fn stored_landscape_has_no_finding() {
    let report = audit(&landscape(&[], ""));
    assert_eq!(report["audit"]["denied"], 0, "{report}");
    assert_eq!(said(&report, "warn"), [""; 0]);
}

#[test]
fn metadata_of_the_system_refuse_nothing_of_any_kind() {
    let text = fs::read_to_string(LANDSCAPE).unwrap();
    let metadata = "\nmetadata:\n  uid: a-b\n  resourceVersion: '7'\n  generation: 3\n  creationTimestamp: '2026-01-01T00:00:00Z'\n  managedFields: [{manager: gardenlet, operation: Update, fieldsType: FieldsV1, fieldsV1: {}}]\n  finalizers: [gardener]\n  name:";
    let (others, shoot) = text.rsplit_once("---\n").unwrap();
    let text = others.replace("\nmetadata:\n  name:", metadata) + "---\n" + shoot;
    assert!(text.matches("uid: a-b").count() > 5);
    let report = audit(&text);
    assert_eq!(said(&report, "deny"), [""; 0]);
    assert_eq!(said(&report, "warn"), [""; 0]);
}

const FINALIZER: &str = "  - gardener\n";
const CLASS: &str = "---
apiVersion: core.gardener.cloud/v1beta1
kind: ExposureClass
metadata: {name: internal}
handler: internal
scheduling:
  tolerations: [{key: seed.example.org/internal}]
";
const QUOTA: &str = "---
apiVersion: v1
kind: ResourceQuota
metadata: {name: shoots, namespace: garden-shop}
spec: {hard: {count/shoots.core.gardener.cloud: '1'}}
status: {hard: {count/shoots.core.gardener.cloud: '1'}, used: {count/shoots.core.gardener.cloud: '1'}}
";
const WHITELIST: (&str, &str) = (
    "  namespace: garden-shop\n  createdBy:",
    "  namespace: garden-shop\n  tolerations: {whitelist: [{key: seed.example.org/internal}]}\n  createdBy:",
);

#[rstest]
#[case::finalizers(&[(FINALIZER, "  - gardener\n  - gardener.cloud/reference-protection\n  - core.gardener.cloud/controllerregistration\n")], "")]
#[case::profile_name(&[("  credentialsBindingName: neb-account\n", "  credentialsBindingName: neb-account\n  cloudProfileName: neb\n")], "")]
#[case::operation(&[(FINALIZER, "  - gardener\n  annotations: {gardener.cloud/operation: rotate-ca-start, maintenance.gardener.cloud/operation: rotate-ssh-keypair}\n")], "")]
#[case::labels(&[(FINALIZER, "  - gardener\n  labels: {shoot.gardener.cloud/status: healthy, name.seed.gardener.cloud/neb-seed: 'true'}\n")], "")]
#[case::exposure_class(&[WHITELIST, ("  purpose: production\n", "  purpose: production\n  exposureClassName: internal\n  tolerations: [{key: seed.example.org/internal}]\n")], CLASS)]
#[case::full_quota(&[], QUOTA)]
fn parts_that_only_the_system_writes_refuse_nothing(
    #[case] changes: &[(&str, &str)],
    #[case] more: &str,
) {
    let report = audit(&landscape(changes, more));
    assert_eq!(said(&report, "deny"), [""; 0]);
}

#[test]
fn finding_after_a_removed_element_is_at_its_position_in_the_object() {
    let tolerations = "  purpose: production\n  exposureClassName: internal\n  tolerations: [{key: seed.example.org/internal}, {key: other}]\n";
    let report = audit(&landscape(&[WHITELIST, ("  purpose: production\n", tolerations)], CLASS));
    let reviews = report["reviews"].as_array().unwrap();
    let shoot = reviews.iter().find(|it| it["name"] == "s1").unwrap();
    assert_eq!(said(&report, "deny"), ["s1 shoot/toleration-not-whitelisted"]);
    let finding = &shoot["findings"][0];
    assert_eq!(finding["field"], "spec.tolerations[1]");
    assert_eq!(finding["pointer"], "/spec/tolerations/1");
}

/// A second Seed, which accepts every Shoot.
fn second_seed(text: &str) -> String {
    let mut documents = text.split("---\n");
    let seed = documents.find(|it| it.contains("kind: Seed")).unwrap();
    format!("---\n{}", seed.replace("name: neb-seed", "name: other-seed"))
}

const TAINT: (&str, &str) = (
    "kind: Seed\nmetadata:\n  name: neb-seed\nspec:\n",
    "kind: Seed\nmetadata:\n  name: neb-seed\nspec:\n  taints: [{key: new}]\n",
);

#[test]
fn a_seed_refuses_only_if_the_scheduler_finds_no_other() {
    let text = landscape(&[TAINT], "");
    let alone = said(&audit(&text), "deny");
    assert_eq!(alone, ["s1 shoot/seed-taints-not-tolerated"]);
    let others = second_seed(&landscape(&[], ""));
    assert_eq!(said(&audit(&(text + &others)), "deny"), [""; 0]);
}

#[rstest]
#[case::spec(("  region: neb1\n  purpose", "  region: neb1\n  newerField: a\n  purpose"))]
#[case::status(("  hibernated: false\n", "  hibernated: false\n  newerField: a\n"))]
fn unknown_field_of_a_stored_object_is_undetermined(#[case] change: (&str, &str)) {
    let in_status = change.0.contains("hibernated");
    let report = audit(&landscape(&[change], ""));
    // A new object has no status.
    let expected = ["s1 undetermined object/unknown-field"];
    let expected = if in_status { &expected[..0] } else { &expected[..] };
    assert_eq!(said(&report, "deny"), expected);
}

#[test]
fn many_unknown_fields_of_a_stored_object_are_undetermined() {
    let many: String = (0..30).map(|it| format!("  newer{it}: a\n")).collect();
    let change = ("  purpose: production\n", format!("  purpose: production\n{many}"));
    let report = audit(&landscape(&[(change.0, &change.1)], ""));
    let said = said(&report, "deny");
    assert!(said.iter().all(|it| it == "s1 undetermined object/unknown-field"), "{said:?}");
    assert_eq!(said.len(), 21);
}

fn review(file: &str, more: &[&str]) -> Value {
    let arguments = ["review", "--no-config", "--at", NOW];
    let report = json_of(&[&arguments[..], more, &[file]].concat());
    report["reviews"][0].clone()
}

#[test]
fn dumped_profile_has_no_new_versions() {
    let review = review(PROFILE, &[]);
    assert_eq!(review["verdict"], "allowed", "{review}");
    assert_eq!(review["findings"], json!([]));
    assert!(review["notes"].to_string().contains("--garden"), "{review}");
}

#[test]
fn refusal_of_a_new_object_is_undetermined_for_a_dumped_one() {
    let text = landscape(
        &[("    version: 1.34.7\n  networking", "    version: 1.20.1\n  networking")],
        "",
    );
    let (garden, shoot) = text.rsplit_once("---\n").unwrap();
    let garden = folder(&[("garden.yaml", garden)]);
    let file = |text: &str| {
        let folder = folder(&[("shoot.yaml", text)]);
        let file = folder.path().join("shoot.yaml");
        review(file.to_str().unwrap(), &["--garden", garden.path().to_str().unwrap()])
    };
    let dumped = file(shoot);
    assert_eq!(dumped["verdict"], "undetermined", "{dumped}");
    let unreadable = file(
        &shoot
            .replace("    minimum: 1\n", "      minimum: 5\n")
            .replace("maximum: 3", "maximum: -1"),
    );
    assert_ne!(unreadable["verdict"], "allowed");
    let written =
        shoot.replace("  uid: 11111111-2222-3333-4444-555555555555\n  resourceVersion: '1'\n", "");
    let written = file(&written);
    assert_eq!(written["verdict"], "denied", "{written}");
}

#[rstest]
#[case::own("a-b", "allowed")]
#[case::of_a_former_object("c-d", "undetermined")]
fn foreign_uid_is_a_conflict(#[case] uid: &str, #[case] expected: &str) {
    let profile = fs::read_to_string(PROFILE).unwrap();
    let with_uid = |uid: &str| profile.replacen("75abc49a-3110-11e9-84b6-6e5c02186572", uid, 1);
    let folder =
        folder(&[("garden/profile.yaml", &with_uid("a-b")), ("profile.yaml", &with_uid(uid))]);
    let [garden, file] = ["garden", "profile.yaml"].map(|it| folder.path().join(it));
    let arguments = [
        "review",
        "--no-config",
        "--garden",
        garden.to_str().unwrap(),
        file.to_str().unwrap(),
        "--at",
        NOW,
    ];
    let report = json_of(&arguments);
    assert_eq!(report["reviews"][0]["verdict"], expected, "{report:#}");
}

/// A manifest with a `uid` may still be new: an API server ignores that field of new objects.
#[rstest]
#[case::operation("  annotations: {gardener.cloud/operation: bogus}\n")]
#[case::operation_in_maintenance("  annotations: {maintenance.gardener.cloud/operation: bogus}\n")]
#[case::label("  labels: {shoot.gardener.cloud/status: 'a b'}\n")]
#[case::finalizers("  finalizers: [gardener]\n")]
fn uid_hides_no_refusal(#[case] more: &str) {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let text = fs::read_to_string(format!("{examples}/manifests/shoot-allowed.yaml")).unwrap();
    let garden = format!("{examples}/garden");
    let verdict = |more: &str| {
        let text = text.replace("  name: gateway\n", &format!("  name: gateway\n{more}"));
        let folder = folder(&[("shoot.yaml", &text)]);
        let file = folder.path().join("shoot.yaml");
        review(file.to_str().unwrap(), &["--garden", &garden])["verdict"].clone()
    };
    assert_eq!(verdict(""), "allowed");
    assert_eq!(verdict(more), "denied");
    assert_ne!(verdict(&format!("  uid: x\n{more}")), "allowed");
}

#[test]
fn uid_hides_no_refusal_of_new_versions() {
    let text = fs::read_to_string(PROFILE).unwrap();
    let review_without = |removed: &str| {
        let lines = text.lines().filter(|it| !it.starts_with(removed));
        let text: Vec<&str> = lines.collect();
        let folder = folder(&[("profile.yaml", &text.join("\n"))]);
        let file = folder.path().join("profile.yaml");
        review(file.to_str().unwrap(), &[])["verdict"].clone()
    };
    assert_eq!(review_without("  uid:"), "allowed");
    assert_eq!(review_without("  resourceVersion:"), "undetermined");
}

/// No write removes the deletion timestamp of an object.
#[rstest]
#[case::omitted("")]
#[case::removed("  deletionTimestamp: null\n")]
fn change_does_not_end_a_deletion(#[case] new: &str) {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let text = fs::read_to_string(format!("{examples}/manifests/shoot-allowed.yaml")).unwrap();
    let with = |more: &str| text.replace("  name: gateway\n", &format!("  name: gateway\n{more}"));
    let old = with("  deletionTimestamp: '2026-01-01T00:00:00Z'\n  finalizers: [gardener]\n");
    let new = with(&format!("{new}  finalizers: [gardener]\n")).replace("1.34.7", "1.35.3");
    let folder = folder(&[("old/shoot.yaml", &old), ("new/shoot.yaml", &new)]);
    let [old, new] = ["old", "new"].map(|it| folder.path().join(it));
    let garden = format!("{examples}/garden");
    let options = ["--garden", &garden, "--old", old.to_str().unwrap()];
    let review = review(new.to_str().unwrap(), &options);
    assert_eq!(review["verdict"], "denied", "{review}");
}

#[test]
fn dumped_object_that_no_update_may_have_is_denied() {
    let text = fs::read_to_string(PROFILE).unwrap();
    let folder = folder(&[("profile.yaml", &text.replace("type: neb", "type: ''"))]);
    let file = folder.path().join("profile.yaml");
    let review = review(file.to_str().unwrap(), &[]);
    assert_eq!(review["verdict"], "denied", "{review}");
}

#[test]
fn decoding_errors_of_a_dumped_object_are_denied_in_all_parts() {
    let text = fs::read_to_string(PROFILE).unwrap();
    for more in ["status: {unknown: a}\n", "status: 7\n"] {
        let folder = folder(&[("profile.yaml", &(text.clone() + more))]);
        let file = folder.path().join("profile.yaml");
        let review = review(file.to_str().unwrap(), &[]);
        assert_eq!(review["verdict"], "denied", "{review}");
    }
}

#[test]
fn seed_of_gardener_1_150_0_is_allowed() {
    let review = review(SEED, &["--whole-garden"]);
    assert_eq!(review["findings"], json!([]));
    let report = audit(&fs::read_to_string(SEED).unwrap());
    assert_eq!(said(&report, "deny"), [""; 0]);
}

#[test]
fn undecodable_field_is_compared_with_the_api_of_its_kind() {
    let text = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x, namespace: default}\nspec:\n  template:\n    spec:\n      containers: none\n";
    let folder = folder(&[("deployment.yaml", text)]);
    let file = folder.path().join("deployment.yaml");
    let review = review(file.to_str().unwrap(), &[]);
    let help = &review["findings"][0]["help"];
    assert_eq!(help, "compare the field with the API reference of apps/v1");
}

#[test]
fn controller_deployment_of_v1beta1_has_a_version() {
    let text = "apiVersion: core.gardener.cloud/v1beta1
kind: ControllerRegistration
metadata: {name: provider-aws}
spec:
  deployment: {deploymentRefs: [{name: provider-aws}]}
  resources: [{kind: Infrastructure, type: aws}, {kind: ControlPlane, type: aws}, {kind: Worker, type: aws}]
---
apiVersion: core.gardener.cloud/v1beta1
kind: ControllerDeployment
metadata: {name: provider-aws}
type: helm
providerConfig: {chart: abc, values: {image: {tag: v1.60.0}}}
";
    let folder = folder(&[("garden.yaml", text)]);
    let garden = folder.path().to_str().unwrap();
    let mut command = garden_gate(&["coverage", "--garden", garden]);
    let (code, out, err) = printed(command.output().unwrap());
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("aws 1.60"), "{out}");
}
