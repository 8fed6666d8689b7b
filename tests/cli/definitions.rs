// SPDX-License-Identifier: Apache-2.0
//! Definitions of extensions: shipped ones, and those in the folder of a configuration.

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{garden_gate, printed};
use crate::folder::{folder, write};

/// The definition of an extension that operators know.
const OWN: &str = "
apiVersion: garden-gate.dev/v1alpha1
kind: ExtensionDefinition
metadata: {name: own}
spec:
  repository: https://example.com/own
  resources: [{kind: Extension, type: own}]
  versions: {oldest: '0.1', newest: '0.2'}
  admission: {name: own-admission, webhooks: own-webhooks}
  configurations:
  - field: extensions
    type: own
    header: Ignored
    strict: true
    schema: {type: object, properties: {size: {type: integer, maximum: 5}}}
";

/// A garden that runs the admission component of acl.
const GARDEN: &str = "
apiVersion: core.gardener.cloud/v1beta1
kind: ControllerRegistration
metadata: {name: extension-acl}
spec: {resources: [{kind: Extension, type: acl}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: gardener-extension-admission-acl}
webhooks:
- name: validator
  rules: [{apiGroups: [core.gardener.cloud], apiVersions: [v1beta1], operations: [CREATE, UPDATE], resources: [shoots]}]
---
apiVersion: core.gardener.cloud/v1beta1
kind: CloudProfile
metadata: {name: local}
spec:
  type: local
  kubernetes: {versions: [{version: 1.34.1}]}
  machineImages: []
  machineTypes: [{name: nested, cpu: '2', gpu: '0', memory: 8Gi}]
  regions: []
";

fn shoot(extensions: &str) -> String {
    format!(
        "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata: {{name: web, namespace: garden-dev}}\nspec:\n  cloudProfile: {{kind: CloudProfile, name: local}}\n  extensions: {extensions}\n  provider: {{type: local, workers: []}}\n"
    )
}

fn acl(action: &str) -> String {
    let rule = format!("{{action: {action}, type: remote_ip, cidrs: [10.0.0.0/8]}}");
    shoot(&format!("[{{type: acl, providerConfig: {{rule: {rule}}}}}]"))
}

fn setup(shoot: &str) -> TempDir {
    folder(&[("web.yaml", shoot), ("garden/garden.yaml", GARDEN)])
}

fn run(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(arguments);
    printed(command.current_dir(folder.path()).output().unwrap())
}

/// Reviews the Shoot, and returns its entry of the JSON.
fn review(folder: &TempDir, arguments: &[&str]) -> Value {
    let format = ["review", "--garden", "garden", "--format", "json", "web.yaml"];
    let (_, out, err) = run(folder, &[&format, arguments].concat());
    assert_eq!(err, "");
    let document: Value = serde_json::from_str(&out).unwrap();
    document["reviews"][0].clone()
}

/// Returns the level and the message of the findings of a rule.
fn findings(object: &Value, rule: &str) -> Vec<(String, String)> {
    let all = object["findings"].as_array().unwrap().iter().filter(|it| it["rule"] == rule);
    let text = |it: &Value, name: &str| it[name].as_str().unwrap().to_owned();
    all.map(|it| (text(it, "level"), text(it, "message"))).collect()
}

/// Returns the reasons why the configurations of extensions are not judged.
fn not_judged(object: &Value) -> Vec<&str> {
    let all = object["notJudged"].as_array().into_iter().flatten();
    let all = all.filter(|it| it["field"].as_str().unwrap().contains("Config"));
    all.map(|it| it["why"].as_str().unwrap()).collect()
}

const ACL: &str = "policy/extension.acl";

#[test]
fn shipped_definition_refuses_as_its_component() {
    let object = review(&setup(&acl("NONE")), &["--no-config"]);
    let expected = ("deny".to_owned(), "action is neither ALLOW nor DENY".to_owned());
    assert_eq!(findings(&object, ACL), [expected]);
    assert_eq!(not_judged(&object), Vec::<&str>::new());
    assert_eq!(findings(&review(&setup(&acl("DENY")), &["--no-config"]), ACL), []);
}

#[test]
fn version_before_the_known_ones_is_not_judged() {
    let object = review(&setup(&acl("NONE")), &["--no-config", "--extension", "acl=1.10"]);
    assert_eq!(findings(&object, ACL), []);
    assert_eq!(not_judged(&object), ["versions of `acl` before 1.11 are not judged"]);
}

#[test]
fn settings_change_the_verdict() {
    let folder = setup(&acl("ALLOW").replace("[10.0.0.0/8]", "[10.0.0.0/8, 11.0.0.0/8]"));
    assert_eq!(findings(&review(&folder, &[]), ACL), []);
    write(
        folder.path(),
        ".garden-gate.yaml",
        "extensions: {acl: {settings: {maxAllowedCIDRs: 1}}}\n",
    );
    let expected = ("deny".to_owned(), "more CIDRs than the landscape allows".to_owned());
    assert_eq!(findings(&review(&folder, &[]), ACL), [expected]);
}

#[rstest]
#[case::name("acl: {settings: {maxAllowedCIDR: 1}}", "did you mean `maxAllowedCIDRs`")]
#[case::type_of_value(
    "acl: {settings: {maxAllowedCIDRs: many}}",
    "`extensions.acl.settings.maxAllowedCIDRs` has another type than its default, `50`"
)]
#[case::none("aws: {settings: {a: 1}}", "the definition of the extension has no settings")]
#[case::unknown("acls: {}", "did you mean `acl`")]
fn invalid_settings_are_errors(#[case] entry: &str, #[case] expected: &str) {
    let folder = folder(&[("a.yaml", &format!("extensions: {{{entry}}}\n"))]);
    let (code, out, err) = run(&folder, &["config", "check", "a.yaml"]);
    assert_eq!((code, err.as_str()), (Some(1), ""));
    assert!(out.contains(expected), "{out}");
}

#[test]
fn registered_extension_is_covered() {
    let (code, out, _) =
        run(&setup(&acl("DENY")), &["coverage", "--garden", "garden", "--format", "json"]);
    assert_eq!(code, Some(0));
    let document: Value = serde_json::from_str(&out).unwrap();
    let extension = &document["extensions"][0];
    assert_eq!(extension["extension"], json!("acl"));
    assert_eq!(extension["rules"], json!([ACL]));
    assert_eq!(extension["refuses"], json!(true));
    assert_eq!(document["policies"], json!([]));
}

#[test]
fn rule_of_a_definition_is_explained_and_silenced() {
    let folder = setup(&acl("NONE"));
    let (code, out, _) = run(&folder, &["rules", ACL]);
    assert_eq!(code, Some(0));
    assert!(out.contains("more CIDRs than the landscape allows"), "{out}");
    assert_eq!(findings(&review(&folder, &["--ignore", ACL]), ACL), []);
}

#[test]
fn definition_beside_the_configuration_is_loaded() {
    let own = |size: u32| shoot(&format!("[{{type: own, providerConfig: {{size: {size}}}}}]"));
    let folder = setup(&own(9));
    write(folder.path(), ".garden-gate.yaml", "extensions: {own: {admission: true}}\n");
    let (code, _, err) = run(&folder, &["review", "web.yaml"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("`extensions.own` is no known extension"), "{err}");
    write(folder.path(), "extensions/own/extension.yaml", OWN);
    write(folder.path(), "extensions/README.md", "# Ours\n");
    let object = review(&folder, &[]);
    let [(level, message)] = &findings(&object, "policy/extension.own")[..] else {
        unreachable!("{object}");
    };
    assert_eq!(level, "deny");
    assert!(message.contains('5'), "{message}");
    // Named again, it is loaded once.
    let again = review(&folder, &["--policies", "extensions"]);
    assert_eq!(findings(&again, "policy/extension.own").len(), 1);
    write(folder.path(), "web.yaml", &own(5));
    let object = review(&folder, &[]);
    assert_eq!(findings(&object, "policy/extension.own"), []);
    assert_eq!(not_judged(&object), Vec::<&str>::new());
}

#[test]
fn invalid_definition_beside_the_configuration_is_an_error() {
    let folder = setup(&acl("DENY"));
    write(folder.path(), ".garden-gate.yaml", "{}\n");
    write(
        folder.path(),
        "extensions/a/extension.yaml",
        "apiVersion: garden-gate.dev/v1alpha1\nkind: ExtensionDefinition\nmetadata: {name: a}\nspec: {}\n",
    );
    for command in [&["review", "web.yaml"][..], &["coverage", "--garden", "garden"]] {
        let (code, _, err) = run(&folder, command);
        assert_eq!(code, Some(2));
        let expected = ["extensions/a/extension.yaml:4", "`spec.resources` is required"];
        assert!(expected.iter().all(|it| err.contains(it)), "{command:?}: {err}");
    }
}
