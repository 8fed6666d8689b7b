// SPDX-License-Identifier: Apache-2.0
//! `garden-gate coverage`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use serde_json::{Value, json};

use crate::command::{garden_gate, printed};
use crate::folder::folder;

const GARDEN: &str = "examples/extensions";

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(&["coverage"]);
    printed(command.args(arguments).output().unwrap())
}

fn document(arguments: &[&str]) -> Value {
    let format = ["--garden", GARDEN, "--format", "json"];
    let (code, out, err) = run(&[&format, arguments].concat());
    assert_eq!((code, err.as_str()), (Some(0), ""));
    serde_json::from_str(&out).unwrap()
}

/// Returns the block of an extension, by its ControllerRegistration.
fn extension(document: &Value, registration: &str) -> Value {
    let all = document["extensions"].as_array().unwrap();
    let found = all.iter().find(|it| it["registration"] == registration);
    found.unwrap().clone()
}

#[test]
fn registered_extension_refuses() {
    let aws = extension(&document(&[]), "provider-aws");
    assert_eq!(aws["version"], json!("1.70"));
    assert_eq!(aws["refuses"], json!(true));
    let rules = aws["rules"].as_array().unwrap();
    assert!(rules.contains(&json!("aws/shoot")), "{aws}");
}

#[test]
fn extension_without_webhooks_only_warns() {
    let calico = extension(&document(&[]), "networking-calico");
    assert_eq!(calico["refuses"], json!(false));
    let limits = calico["limits"].to_string();
    assert!(limits.contains("no webhook configuration"), "{limits}");
}

#[test]
fn unknown_extension_has_no_rules() {
    let unknown = extension(&document(&[]), "extension-cost-report");
    assert_eq!(unknown["extension"], Value::Null);
    assert_eq!(unknown["rules"], json!([]));
    assert_eq!(unknown["resources"], json!(["Extension/cost-report"]));
}

#[test]
fn extension_without_a_version_is_assumed_to_be_the_newest() {
    let linux = extension(&document(&[]), "os-gardenlinux");
    let limits = linux["limits"].to_string();
    assert!(limits.contains("names the version"), "{limits}");
}

#[test]
fn version_before_the_known_ones_is_not_judged() {
    let aws = extension(&document(&["--extension", "aws=1.1"]), "provider-aws");
    assert_eq!((&aws["rules"], &aws["refuses"]), (&json!([]), &json!(false)));
    let limits = aws["limits"].to_string();
    assert!(limits.contains("are not judged"), "{limits}");
}

#[test]
fn extension_of_the_configuration_needs_no_registration() {
    let document = document(&["--extension", "cilium=1.49"]);
    let all = document["extensions"].as_array().unwrap();
    let last = all.last().unwrap();
    assert_eq!((&last["registration"], &last["extension"]), (&json!(""), &json!("cilium")));
}

#[test]
fn other_webhooks_are_listed_with_their_kinds() {
    let document = document(&[]);
    assert_eq!(
        document["policies"],
        json!([{
            "title": "webhook `cost-centre.example.com` of ValidatingWebhookConfiguration `cost-centre`",
            "kinds": ["Project", "Shoot"],
        }])
    );
}

#[test]
fn garden_without_extensions_is_empty_input() {
    let (code, out, err) = run(&["--garden", "examples/garden"]);
    assert_eq!((code, out.as_str()), (Some(3), ""));
    assert!(err.contains("no ControllerRegistration"), "{err}");
}

#[test]
fn garden_that_cannot_be_read_is_an_error() {
    let garden = folder(&[("extensions.yaml", "kind: ControllerRegistration\n  a: {")]);
    let directory = garden.path().to_str().unwrap();
    let (code, out, err) = run(&["--garden", directory]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("extensions of the garden are unknown"), "{err}");
}

#[test]
fn no_garden_is_an_error() {
    let (code, _, err) = run(&["--no-config"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("--garden DIR or --live"), "{err}");
}
