// SPDX-License-Identifier: Apache-2.0
//! Several versions of an extension, which `review` and `audit` compare like those of Gardener.

use std::fs;

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{garden_gate, printed};
use crate::folder;

/// A Shoot with a field that provider-aws knows from 1.73 on.
const SHOOT: &str = r"
apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata: {name: web, namespace: garden-dev}
spec:
  cloudProfile: {kind: CloudProfile, name: aws}
  region: eu-west-1
  credentialsBindingName: account
  kubernetes: {version: 1.34.1}
  networking: {type: calico, nodes: 10.250.0.0/16, pods: 100.96.0.0/11, services: 100.64.0.0/13}
  provider:
    type: aws
    infrastructureConfig:
      apiVersion: aws.provider.extensions.gardener.cloud/v1alpha1
      kind: InfrastructureConfig
      networks:
        nodesSecurityGroupID: sg-1234
        vpc: {cidr: 10.250.0.0/16}
        zones: [{name: eu-west-1a, workers: 10.250.0.0/19, public: 10.250.96.0/22, internal: 10.250.112.0/22}]
    workers:
    - {name: a, minimum: 1, maximum: 1, machine: {type: m5.large, image: {name: gardenlinux, version: 1877.5.0}}, volume: {size: 50Gi, type: gp3}, zones: [eu-west-1a]}
";

/// Creates a folder with the Shoot, and a garden that runs provider-aws 1.70 with its admission component.
fn setup() -> TempDir {
    let garden = fs::read_to_string("examples/extensions/extensions.yaml").unwrap();
    folder::folder(&[
        ("web.yaml", SHOOT),
        ("garden/extensions.yaml", &garden),
        ("stored/extensions.yaml", &garden),
        ("stored/web.yaml", SHOOT),
    ])
}

fn run(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(arguments);
    printed(command.current_dir(folder.path()).output().unwrap())
}

fn review(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    run(folder, &[&["review", "--no-config", "--garden", "garden", "web.yaml"], arguments].concat())
}

fn audit(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    run(folder, &[&["audit", "--no-config", "--garden", "stored"], arguments].concat())
}

const UNKNOWN: &str = "aws/undecodable";

#[test]
fn review_judges_by_each_version() {
    let folder = setup();
    let (_, text, err) = review(&folder, &["--extension", "aws=1.70.0,1.74.0"]);
    let refused = text.lines().find(|it| it.contains(UNKNOWN)).unwrap_or_default();
    assert!(refused.starts_with("  aws 1.70: deny "), "{text}{err}");
    assert!(text.contains("\njudged as aws 1.70: 1 denied"), "{text}");
    assert!(text.contains("\njudged as aws 1.74: "), "{text}");
    assert!(text.ends_with("1 of 1 objects differ between these versions\n"), "{text}");
    let (_, again, _) = review(&folder, &["--extension", "aws=1.70,aws=1.74"]);
    assert_eq!(again, text);
}

#[test]
fn versions_of_gardener_and_extensions_are_compared_together() {
    let folder = setup();
    let both = ["--gardener-version", "1.145,1.150", "--extension", "aws=1.70,1.74,calico=1.58"];
    let (_, text, err) = review(&folder, &both);
    assert!(text.contains("\njudged as Gardener 1.145 with aws 1.70: "), "{text}{err}");
    assert!(text.contains("\njudged as Gardener 1.150 with aws 1.74: "), "{text}{err}");
}

#[test]
fn audit_reports_only_what_the_second_version_adds() {
    let folder = setup();
    let (code, text, err) = audit(&folder, &["--extension", "aws=1.74,1.70"]);
    assert_eq!(code, Some(1), "{text}{err}");
    assert!(text.contains(UNKNOWN), "{text}");
    let expected = "judged as Gardener 1.150 (newest known), aws 1.70
note: findings that aws 1.74 reports, too, are omitted
";
    assert!(text.contains(expected), "{text}");
    let (_, text, _) = audit(&folder, &["--extension", "aws=1.70,1.74"]);
    assert!(!text.contains(UNKNOWN), "{text}");
}

#[test]
fn json_names_the_versions() {
    let folder = setup();
    let (_, out, err) = audit(&folder, &["--extension", "aws=1.74,1.70", "--format", "json"]);
    let report: Value = serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{out}{err}"));
    let expected = json!([{"name": "aws", "version": "1.70", "comparedWith": "1.74"}]);
    assert_eq!(report["judgedAs"]["extensions"], expected);
    assert_eq!(report["judgedAs"]["comparedWith"], Value::Null);
    let (_, out, _) = review(&folder, &["--extension", "aws=1.73.1", "--format", "json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["judgedAs"]["extensions"], json!([{"name": "aws", "version": "1.73"}]));
}

#[rstest]
#[case::lengths(
    &["--gardener-version", "1.145,1.146,1.150", "--extension", "aws=1.70,1.74"],
    "--extension aws names 2 versions, but --gardener-version 3; name one, or as many"
)]
#[case::no_name(&["--extension", "1.74"], "write it like aws=1.66.0")]
#[case::no_version(&["--extension", "aws=1.70,"], "`` is not a version")]
#[case::unknown(&["--extension", "aws=1.70,was=1.74"], "this is no known extension")]
#[case::bad(&["--extension", "aws=1.70,newest"], "`newest` is not a version")]
#[case::control(&["--extension", "aws=1.70,\u{1b}[31m"], "is not a version")]
#[case::format(&["--extension", "aws=1.70,1.74", "--format", "json"], "compared as text")]
fn invalid_versions_are_explained(#[case] arguments: &[&str], #[case] expected: &str) {
    let (code, out, err) = review(&setup(), arguments);
    assert_eq!(code, Some(2), "{out}");
    assert!(err.contains(expected) && !err.contains('\u{1b}'), "{err}");
}

#[test]
fn other_commands_take_one_version() {
    let folder = setup();
    for command in [&["forecast"][..], &["coverage"], &["site", "out"]] {
        let several = ["--garden", "garden", "--extension", "aws=1.70,1.74"];
        let (code, _, err) = run(&folder, &[command, &several].concat());
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains("--extension takes one version here"), "{err}");
    }
    let (code, _, err) = audit(&folder, &["--extension", "aws=1.70,1.71,1.72"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("an audit compares two versions"), "{err}");
}
