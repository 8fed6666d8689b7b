// SPDX-License-Identifier: Apache-2.0
//! `garden-gate review` and `audit` in gardens with ValidatingAdmissionPolicies.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{garden_gate, printed};
use crate::folder::{folder, write};

const POLICY: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: team-label
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: [core.gardener.cloud]
      apiVersions: [v1beta1]
      operations: [CREATE, UPDATE]
      resources: [secretbindings]
  validations:
  - expression: has(object.metadata.labels) && object.metadata.labels.?team.orValue('') in ['a', 'b']
    message: every binding belongs to a team
";

const BINDING: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: everywhere
spec:
  policyName: team-label
  validationActions: [Deny]
";

const OBJECT: &str = "\
apiVersion: core.gardener.cloud/v1beta1
kind: SecretBinding
metadata:
  name: new
  namespace: garden-p
  labels:
    team: c
provider:
  type: local
secretRef:
  name: s
  namespace: garden-p
";

/// The Secret that the object references.
const SECRET: &str = "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: garden-p}\n";

const MESSAGE: &str = "ValidatingAdmissionPolicy 'team-label' with binding 'everywhere' denied request: \
    every binding belongs to a team";

fn garden(binding: &str) -> TempDir {
    folder(&[
        ("garden/policy.yaml", POLICY),
        ("garden/binding.yaml", binding),
        ("garden/secret.yaml", SECRET),
        ("new.yaml", OBJECT),
    ])
}

fn run(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(arguments);
    printed(command.current_dir(folder.path()).output().unwrap())
}

fn review(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let whole = ["review", "--no-config", "--whole-garden", "--garden", "garden"];
    run(folder, &[&whole, arguments].concat())
}

fn json_of(folder: &TempDir, arguments: &[&str]) -> Value {
    let (_, out, err) = review(folder, &[&["--format", "json"], arguments].concat());
    serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{out}{err}"))
}

/// Returns the findings of policies about the only object.
fn findings(document: &Value) -> Vec<&Value> {
    let all = document["reviews"][0]["findings"].as_array().unwrap().iter();
    all.filter(|it| it["rule"].as_str().unwrap().starts_with("policy/")).collect()
}

#[test]
fn refusal_of_a_policy_is_printed_at_its_field() {
    let folder = garden(BINDING);
    let (code, out, err) = review(&folder, &["new.yaml"]);
    assert_eq!(code, Some(1), "{out}{err}");
    let lines = [
        "new.yaml: CREATE of SecretBinding garden-p/new: denied",
        &format!("deny[policy/team-label]: {MESSAGE}"),
        "--> new.yaml:7:11",
        "= field: metadata.labels.team",
    ];
    for line in lines {
        assert!(out.contains(line), "{line}: {out}");
    }
    assert!(!out.contains("not judged: ValidatingAdmissionPolicy"), "{out}");
}

#[test]
fn refusal_of_a_policy_is_a_finding_in_json_and_sarif() {
    let folder = garden(BINDING);
    let document = json_of(&folder, &["new.yaml"]);
    let [finding] = findings(&document)[..] else {
        unreachable!("{document}");
    };
    let expected = [
        ("finding", json!("policy/team-label")),
        ("level", json!("deny")),
        ("type", json!("Invalid")),
        ("field", json!("metadata.labels.team")),
        ("pointer", json!("/metadata/labels/team")),
        ("value", json!("c")),
        ("message", json!(MESSAGE)),
        ("line", json!(7)),
    ];
    for (field, value) in expected {
        assert_eq!(finding[field], value, "{field}");
    }
    let (_, sarif, _) = review(&folder, &["--format", "sarif", "new.yaml"]);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let run = &sarif["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let rule = rules.iter().find(|it| it["id"] == "policy/team-label");
    assert_eq!(
        rule.unwrap()["shortDescription"]["text"],
        "ValidatingAdmissionPolicy `team-label` of the garden"
    );
    let results = run["results"].as_array().unwrap();
    assert!(results.iter().any(|it| it["ruleId"] == "policy/team-label"));
}

#[test]
fn warning_of_a_policy_allows_and_is_silenced() {
    let folder = garden(&BINDING.replace("[Deny]", "[Warn]"));
    let document = json_of(&folder, &["new.yaml"]);
    assert_eq!(document["reviews"][0]["verdict"], "allowed", "{document}");
    assert_eq!(findings(&document).len(), 1);
    let (_, _, err) = review(&folder, &["--add-silences=known", "new.yaml"]);
    assert!(err.contains("written into `new.yaml`"), "{err}");
    let document = json_of(&folder, &["new.yaml"]);
    assert_eq!(findings(&document), Vec::<&Value>::new(), "{document}");
    let silenced = document["reviews"][0]["silenced"].as_array().unwrap();
    assert!(silenced.iter().any(|it| it["id"] == "policy/team-label"));
}

#[test]
fn audited_violation_is_a_note() {
    let folder = garden(&BINDING.replace("[Deny]", "[Audit]"));
    let (code, out, _) = review(&folder, &["new.yaml"]);
    assert_eq!(code, Some(0), "{out}");
    let note = "note: ValidatingAdmissionPolicy `team-label` with binding `everywhere` records a violation in the audit log: every binding belongs to a team";
    assert!(out.contains(note), "{out}");
}

#[test]
fn refusal_in_the_baseline_is_known() {
    let folder = garden(BINDING);
    let (_, _, err) = review(&folder, &["--write-baseline", "baseline.json", "new.yaml"]);
    let (code, out, _) = review(&folder, &["--baseline", "baseline.json", "new.yaml"]);
    assert_eq!(code, Some(0), "{out}{err}");
}

#[test]
fn policies_of_the_change_count() {
    let folder = folder(&[
        ("garden/other.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: garden-p}\n"),
        ("change/policy.yaml", POLICY),
        ("change/binding.yaml", BINDING),
        ("change/new.yaml", OBJECT),
    ]);
    let document = json_of(&folder, &["change"]);
    assert_eq!(findings(&document).len(), 1, "{document}");
}

#[test]
fn policy_of_the_change_that_does_not_compile_is_a_warning() {
    let broken = POLICY.replace("in ['a', 'b']", "in 'a' in 1");
    let folder = folder(&[
        ("garden/binding.yaml", BINDING),
        ("change/policy.yaml", &broken),
        ("change/new.yaml", OBJECT),
    ]);
    let (_, out, err) = review(&folder, &["change"]);
    let warning = "warning: `change/policy.yaml`: ValidatingAdmissionPolicy `team-label` is not evaluated: `spec.validations[0].expression` does not compile";
    assert!(err.contains(warning), "{err}");
    assert!(out.contains("ValidatingAdmissionPolicy `team-label`: `spec.validations[0].expression` does not compile"), "{out}");
}

const MUTATING: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata:
  name: labels
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: [core.gardener.cloud]
      apiVersions: [v1beta1]
      operations: [CREATE, UPDATE]
      resources: [secretbindings, shoots]
  matchConditions:
  - name: local
    expression: object.kind == 'Shoot' || object.provider.type == 'local'
  reinvocationPolicy: Never
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: \"Object{metadata: Object.metadata{labels: {'a': 'b'}}}\"
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata:
  name: everywhere
spec:
  policyName: labels
";

const NOT_APPLIED: &str = "gardener-apiserver applies it if its admission plugin `MutatingAdmissionPolicy` is enabled; \
    the object is judged without its changes";

#[test]
fn mutating_policy_that_matches_is_not_judged() {
    let of_garden = folder(&[
        ("garden/mutating.yaml", MUTATING),
        ("garden/secret.yaml", SECRET),
        ("new.yaml", OBJECT),
    ]);
    let of_change = folder(&[
        ("garden/secret.yaml", SECRET),
        ("mutating.yaml", MUTATING),
        ("new.yaml", OBJECT),
    ]);
    for folder in [of_garden, of_change] {
        let (_, out, err) = review(&folder, &["."]);
        let line = format!("; MutatingAdmissionPolicy `labels`: {NOT_APPLIED}\n");
        assert!(out.contains("\nnot judged: ") && out.contains(&line), "{out}{err}");
        let document = json_of(&folder, &["."]);
        let reviews = document["reviews"].as_array().unwrap().iter();
        let open = reviews.flat_map(|it| it["notJudged"].as_array().cloned().unwrap_or_default());
        let open: Vec<Value> = open.filter(|it| it["pointer"] == "").collect();
        let expected = json!({
            "pointer": "", "field": "MutatingAdmissionPolicy `labels`", "why": NOT_APPLIED,
        });
        assert_eq!(open, [expected], "{document}");
        write(folder.path(), "new.yaml", &OBJECT.replace("type: local", "type: aws"));
        let (_, out, _) = review(&folder, &["new.yaml"]);
        assert!(!out.contains("MutatingAdmissionPolicy"), "{out}");
    }
}

/// Reviews with a configuration that applies mutating policies.
fn review_applying(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    write(folder.path(), "config.yaml", "mutatingAdmissionPolicies: true\n");
    let whole = ["review", "--config", "config.yaml", "--whole-garden", "--garden", "garden"];
    run(folder, &[&whole, arguments].concat())
}

#[test]
fn object_is_judged_as_mutating_policies_leave_it() {
    let team = |team: &str| MUTATING.replace("'a': 'b'", &format!("'team': {team}"));
    let folder = garden(BINDING);
    write(folder.path(), "garden/mutating.yaml", &team("'a'"));
    let (code, out, err) = review_applying(&folder, &["--diff", "new.yaml"]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(
        out.contains("note: MutatingAdmissionPolicy `labels` changes `metadata.labels.team`"),
        "{out}"
    );
    assert!(out.contains("+    team: a") && !out.contains("not judged: Mutating"), "{out}");
    // The other policy sees the changed label.
    write(folder.path(), "garden/mutating.yaml", &team("'d'"));
    let (code, out, err) = review_applying(&folder, &["new.yaml"]);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("deny[policy/team-label]"), "{out}");
    write(folder.path(), "garden/mutating.yaml", &team("object.absent"));
    let (code, out, err) = review_applying(&folder, &["new.yaml"]);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(
        out.contains(
            "deny[policy/labels]: policy 'labels' with binding 'everywhere' denied request: "
        ),
        "{out}"
    );
    assert!(!out.contains("policy/team-label"), "{out}");
    write(folder.path(), "garden/mutating.yaml", &team("object.metadata.uid"));
    let (code, out, err) = review_applying(&folder, &["new.yaml"]);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("undetermined[policy/labels]: cannot tell how MutatingAdmissionPolicy `labels` changes the object"), "{out}");
}

#[test]
fn rules_judge_a_shoot_as_mutating_policies_leave_it() {
    let zones = "[JSONPatch{op: 'add', path: '/spec/provider/workers/0/maximum', value: 0}]";
    let region = "[JSONPatch{op: 'replace', path: '/spec/region', value: 'nowhere'}]";
    let shoot = std::fs::read_to_string("examples/admission-policies/shoot.yaml").unwrap();
    for (patch, expected) in [(zones, "maximum"), (region, "spec.region")] {
        let configuration = "patchType: ApplyConfiguration\n    applyConfiguration:\n      expression: \"Object{metadata: Object.metadata{labels: {'a': 'b'}}}\"";
        let policy = format!("patchType: JSONPatch\n    jsonPatch:\n      expression: \"{patch}\"");
        let folder = folder(&[("new.yaml", &shoot)]);
        let garden = std::fs::read_dir("examples/garden").unwrap();
        for file in garden.map(|it| it.unwrap().path()) {
            let name = format!("garden/{}", file.file_name().unwrap().to_str().unwrap());
            write(folder.path(), &name, &std::fs::read_to_string(&file).unwrap());
        }
        write(folder.path(), "config.yaml", "mutatingAdmissionPolicies: true\n");
        let review = ["review", "--config", "config.yaml", "--garden", "garden", "new.yaml"];
        let (_, before, _) = run(&folder, &review);
        assert!(!before.contains(": denied"), "{before}");
        write(folder.path(), "garden/mutating.yaml", &MUTATING.replace(configuration, &policy));
        let (code, out, err) = run(&folder, &review);
        assert_eq!(code, Some(1), "{out}{err}");
        assert!(
            out.contains("note: MutatingAdmissionPolicy `labels` changes `spec."),
            "{out}{err}"
        );
        assert!(out.contains(expected), "{out}");
    }
}

#[test]
fn mutating_policy_is_checked() {
    let folder = folder(&[("valid.yaml", MUTATING)]);
    let check = ["policies", "check", "."];
    assert_eq!(run(&folder, &check).0, Some(0), "{:?}", run(&folder, &check));
    for (from, to, expected) in [
        ("Object{metadata:", "Object{metadata", "does not compile"),
        (
            "ApplyConfiguration\n",
            "JSONPatch\n",
            "`spec.mutations[0].jsonPatch.expression` is required",
        ),
        (
            "reinvocationPolicy: Never",
            "reinvocationPolicy: Always",
            "`spec.reinvocationPolicy` cannot be `Always`",
        ),
        ("UPDATE]", "DELETE]", "cannot be `DELETE`, which has no new object"),
        ("'a': 'b'", "'a': object.regions", "names the field `object.regions`"),
    ] {
        write(folder.path(), "valid.yaml", &MUTATING.replace(from, to));
        let (code, out, err) = run(&folder, &check);
        assert_eq!(code, Some(1), "{from}: {out}{err}");
        assert!(out.contains(expected) || err.contains(expected), "{out}{err}");
    }
}

#[rstest]
#[case::policy(
    "reinvocationPolicy: Never",
    "reinvocationPolicy: Bogus",
    "`spec.reinvocationPolicy` cannot be `Bogus`, so that an API server refuses the policy"
)]
#[case::constraints(
    "operations: [CREATE, UPDATE]",
    "operations: [Bogus]",
    "`spec.matchConstraints.resourceRules[0].operations[0]` cannot be `Bogus`, so that an API server refuses the policy"
)]
#[case::field(
    "reinvocationPolicy:",
    "reinvocation: Never\n  reinvocationPolicy:",
    "`spec.reinvocation` is an unknown field, whose effect is not known"
)]
#[case::binding(
    "policyName: labels",
    "policyName: labels\n  paramRef: {name: a}",
    "`spec.paramRef.parameterNotFoundAction` is required in its binding `everywhere`, so that an API server refuses the binding"
)]
fn mutating_policy_that_an_api_server_refuses_is_not_applied(
    #[case] from: &str,
    #[case] to: &str,
    #[case] expected: &str,
) {
    let invalid = MUTATING.replace(from, to);
    let files = [("garden/secret.yaml", SECRET), ("change/new.yaml", OBJECT)];
    let of_garden = folder(&[&files[..], &[("garden/mutating.yaml", invalid.as_str())]].concat());
    let of_change = folder(&[&files[..], &[("change/mutating.yaml", invalid.as_str())]].concat());
    for (folder, is_of_change) in [(of_garden, false), (of_change, true)] {
        let (code, out, err) = review_applying(&folder, &["change"]);
        assert_eq!(code, Some(4), "{out}{err}");
        let undetermined = format!(
            "cannot tell how MutatingAdmissionPolicy `labels` changes the object: {expected}"
        );
        assert!(out.contains(&undetermined), "{out}{err}");
        assert_eq!(err.contains(" is not evaluated: `spec."), is_of_change, "{err}");
        let (_, out, err) = review(&folder, &["change"]);
        assert!(out.contains("; MutatingAdmissionPolicy `labels`: "), "{out}{err}");
    }
    // A file that is named on the command line must be valid.
    let folder = folder(&[("mutating.yaml", &invalid), ("new.yaml", OBJECT)]);
    let policies = ["review", "--no-config", "--policies", "mutating.yaml", "new.yaml"];
    let (code, _, err) = run(&folder, &policies);
    let (field, _) = expected[1..].split_once('`').unwrap();
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("mutating.yaml:") && err.contains(&format!("`{field}` ")), "{err}");
}

#[test]
fn setting_without_policies_is_noted() {
    let folder = folder(&[("garden/secret.yaml", SECRET), ("new.yaml", OBJECT)]);
    let (_, _, err) = review(&folder, &["new.yaml"]);
    assert!(!err.contains("note:"), "{err}");
    let (code, out, err) = review_applying(&folder, &["new.yaml"]);
    assert_eq!(code, Some(0), "{out}{err}");
    let note = "note: `mutatingAdmissionPolicies` is set, but no MutatingAdmissionPolicy and no MutatingAdmissionPolicyBinding of the garden is known";
    assert!(err.contains(note), "{err}");
    let (_, binding) = MUTATING.split_once("---\n").unwrap();
    write(folder.path(), "garden/binding.yaml", binding);
    let note = "note: MutatingAdmissionPolicyBindings are known, but no MutatingAdmissionPolicy";
    for err in [review_applying(&folder, &["new.yaml"]).2, review(&folder, &["new.yaml"]).2] {
        assert!(err.contains(note), "{err}");
    }
    let audit = ["audit", "--no-config", "--garden", "garden", "--whole-garden"];
    assert!(run(&folder, &audit).2.contains(note));
    write(folder.path(), "garden/policy.yaml", MUTATING);
    let (_, _, err) = review_applying(&folder, &["new.yaml"]);
    assert!(!err.contains("note:"), "{err}");
}

#[test]
fn files_without_policies_are_noted() {
    let folder = folder(&[("policies/a.yaml", POLICY), ("new.yaml", OBJECT)]);
    let arguments = ["review", "--no-config", "--policies", "policies", "new.yaml"];
    let (_, _, err) = run(&folder, &arguments);
    assert!(err.contains("note: there is no GardenPolicy and no ExtensionDefinition"), "{err}");
    write(folder.path(), "policies/own.yaml", OWN);
    let (_, _, err) = run(&folder, &arguments);
    assert!(!err.contains("note: there is no GardenPolicy"), "{err}");
}

#[test]
fn mutating_policy_is_in_the_coverage_and_the_audit() {
    let stored = OBJECT.replace("    team: c\n", "    team: c\n  uid: a\n");
    let folder = folder(&[
        ("garden/mutating.yaml", MUTATING),
        ("garden/secret.yaml", SECRET),
        ("garden/stored.yaml", &stored),
    ]);
    let (_, out, err) = run(&folder, &["coverage", "--garden", "garden", "--whole-garden"]);
    let line =
        format!("  MutatingAdmissionPolicy `labels` for Shoot, SecretBinding: {NOT_APPLIED}\n");
    assert!(out.contains(&line), "{out}{err}");
    let audit = ["audit", "--garden", "garden", "--whole-garden", "--each", "--format", "json"];
    let (_, out, err) = run(&folder, &audit);
    assert!(out.contains("MutatingAdmissionPolicy `labels`"), "{out}{err}");
}

#[test]
fn broken_mutating_policy_is_escaped() {
    let broken = "{\"apiVersion\": \"admissionregistration.k8s.io/v1\", \"kind\": \"MutatingAdmissionPolicy\", \
        \"metadata\": {\"name\": \"a\\u001b[31mb\"}, \"spec\": {\"matchConditions\": 7}}";
    let folder = folder(&[
        ("garden/secret.yaml", SECRET),
        ("change/mutating.json", broken),
        ("change/new.yaml", OBJECT),
    ]);
    let (_, out, err) = review(&folder, &["change"]);
    assert!(err.contains("MutatingAdmissionPolicy"), "{out}{err}");
    assert!(err.contains("is not evaluated: "), "{out}{err}");
    assert!(out.contains("it cannot be read: "), "{out}{err}");
    assert!(!out.contains('\u{1b}') && !err.contains('\u{1b}'), "{out}{err}");
}

const LIMITS: &str = "\
apiVersion: v1
kind: ConfigMap
metadata:
  name: teams
  namespace: garden
data:
  c: allowed
";

/// Writes a policy whose parameter lists teams.
fn with_parameter(folder: &TempDir) {
    let policy = POLICY
        .replace("spec:\n", "spec:\n  paramKind: {apiVersion: v1, kind: ConfigMap}\n")
        .replace("in ['a', 'b']", "in params.data");
    let reference = "  paramRef: {name: teams, namespace: garden, parameterNotFoundAction: Deny}\n";
    write(folder.path(), "garden/policy.yaml", &policy);
    write(folder.path(), "garden/binding.yaml", &format!("{BINDING}{reference}"));
}

#[test]
fn parameter_is_read_from_the_garden_or_the_change() {
    let folder = garden(BINDING);
    with_parameter(&folder);
    let missing = json_of(&folder, &["new.yaml"]);
    let message = findings(&missing)[0]["message"].as_str().unwrap();
    assert!(message.contains("no params found"), "{message}");
    write(folder.path(), "garden/teams.yaml", LIMITS);
    assert_eq!(findings(&json_of(&folder, &["new.yaml"])).len(), 0);
    // The object of the change replaces that of the garden.
    let changed = LIMITS.replace("c: allowed", "d: allowed");
    write(folder.path(), "teams.yaml", &changed);
    let document = json_of(&folder, &["teams.yaml", "new.yaml"]);
    assert_eq!(findings(&document).len(), 1, "{document}");
}

#[test]
fn garden_without_parameters_names_the_policy() {
    let folder = garden(BINDING);
    with_parameter(&folder);
    let whole = ["review", "--no-config", "--garden", "garden", "new.yaml"];
    let (_, out, _) = run(&folder, &whole);
    let line = "ValidatingAdmissionPolicy `team-label`: its parameters are objects of kind v1 ConfigMap, which the garden does not have";
    assert!(out.contains(line), "{out}");
}

#[test]
fn audit_evaluates_policies() {
    let folder = garden(BINDING);
    write(folder.path(), "garden/stored.yaml", OBJECT);
    let arguments =
        ["audit", "--no-config", "--whole-garden", "--garden", "garden", "--format", "json"];
    let (code, out, err) = run(&folder, &arguments);
    assert_eq!(code, Some(1), "{out}{err}");
    let document: Value = serde_json::from_str(&out).unwrap();
    let [finding] = findings(&document)[..] else {
        unreachable!("{document}");
    };
    assert_eq!(finding["occasion"], "every-write");
    let (_, text, _) = run(&folder, &arguments[..5]);
    assert!(text.contains("policy/team-label"), "{text}");
}

#[test]
fn unsupported_policy_is_named() {
    let folder = garden(BINDING);
    let policy = POLICY
        .replace("has(object.metadata.labels)", "authorizer.path('/').check('get').allowed()");
    write(folder.path(), "garden/policy.yaml", &policy);
    let (_, out, _) = review(&folder, &["new.yaml"]);
    let line =
        "ValidatingAdmissionPolicy `team-label`: `spec.validations[0].expression` uses `authorizer";
    assert!(out.contains(line), "{out}");
}

#[test]
fn examples_pass_their_tests() {
    let mut command = garden_gate(&["policies", "test", "examples/policies"]);
    let (code, out, err) = printed(command.output().unwrap());
    assert_eq!((code, out.as_str()), (Some(0), "19 passed, 0 failed\n"), "{err}");
    let mut command = garden_gate(&["policies", "check", "examples/policies"]);
    let (code, out, err) = printed(command.output().unwrap());
    assert_eq!(code, Some(0), "{out}{err}");
    assert_eq!(out.lines().filter(|it| it.ends_with(": ok")).count(), 6, "{out}");
}

const OWN: &str = "\
apiVersion: garden-gate.dev/v1alpha1
kind: GardenPolicy
metadata:
  name: bindings
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: [core.gardener.cloud]
      apiVersions: [v1beta1]
      operations: [CREATE, UPDATE]
      resources: [secretbindings]
  validations:
  - expression: object.provider.type == 'x'
    message: only x
";

#[test]
fn own_policy_is_evaluated_with_its_flag() {
    let folder = garden(&BINDING.replace("[Deny]", "[Audit]"));
    write(folder.path(), "policies/own.yaml", OWN);
    let arguments = ["--policies", "policies", "new.yaml"];
    let (code, out, err) = review(&folder, &arguments);
    assert_eq!(code, Some(1), "{out}{err}");
    let lines = [
        "deny[policy/bindings]: only x (beyond Gardener: it accepts this today)",
        "= field: provider.type",
    ];
    for line in lines {
        assert!(out.contains(line), "{line}: {out}");
    }
    let broken = OWN.replace("provider.type == 'x'", "provider.type + 1");
    write(folder.path(), "policies/own.yaml", &broken);
    let (code, _, err) = review(&folder, &arguments);
    assert_eq!(code, Some(2));
    assert!(err.contains("policies/own.yaml:13:17: GardenPolicy `bindings`: `spec.validations[0].expression` does not compile"), "{err}");
}

#[test]
fn check_reports_fields_that_do_not_exist() {
    let folder =
        folder(&[("own.yaml", &OWN.replace("object.provider.type", "object.providers.type"))]);
    let (code, out, err) = run(&folder, &["policies", "check", "own.yaml"]);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(
        out.starts_with(
            "own.yaml:13:17: `spec.validations[0].expression` names the field `object.providers`"
        ),
        "{out}"
    );
    assert!(out.contains("did you mean `provider`?"), "{out}");
}

#[test]
fn failed_case_is_reported() {
    let test = "\
apiVersion: garden-gate.dev/v1alpha1
kind: PolicyTest
metadata:
  name: bindings
spec:
  cases:
  - name: local
    expected: allowed
    object: {apiVersion: core.gardener.cloud/v1beta1, kind: SecretBinding, metadata: {name: a, namespace: b}, provider: {type: local}}
";
    let folder = folder(&[("own.yaml", OWN), ("test.yaml", test)]);
    let (code, out, err) = run(&folder, &["policies", "test", "."]);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("local: expected allowed, but it is denied (only x)"), "{out}");
    assert!(out.ends_with("0 passed, 1 failed\n"), "{out}");
}

/// Returns a folder with a policy and a configuration.
fn configured(config: &str) -> TempDir {
    folder(&[("own.yaml", OWN), ("config.yaml", config)])
}

#[test]
fn configuration_names_policies_that_exist() {
    let policies = ["--policies", "own.yaml"];
    for (config, message) in [
        (
            "rules: {policy/bindings: warn, \"policy/*\": off}\nexempt: {rules: {policy/bindings: {users: [a]}}}",
            "ok\n",
        ),
        (
            "rules: {policy/binding: warn}",
            "config.yaml:1:9: error: no GardenPolicy has the id `policy/binding`\n  help: did you mean `policy/bindings`?",
        ),
        (
            "exempt: {rules: {policy/other: {users: [a]}}}",
            "config.yaml:1:18: error: no GardenPolicy has the id `policy/other`\n  help: it is `policy/` and the name of a policy",
        ),
        ("rules: {\"polcy/*\": off}", "did you mean `policy/*`?"),
    ] {
        let folder = configured(config);
        let arguments = ["config", "check", "config.yaml"];
        let (code, out, err) = run(&folder, &[&arguments[..], &policies].concat());
        assert!(out.contains(message), "{config}: {out}{err}");
        assert_eq!(code, Some(i32::from(message != "ok\n")), "{out}{err}");
    }
}

#[test]
fn configuration_is_checked_with_notes_without_policies() {
    let folder = configured("rules: {policy/other: warn}");
    let (code, out, _) = run(&folder, &["config", "check", "config.yaml"]);
    assert_eq!(code, Some(0), "{out}");
    let note = "config.yaml:1:9: note: it is not checked whether the policy `policy/other` exists\n  help: name the policies with `--policies`\nok\n";
    assert_eq!(out, note);
}

#[test]
fn config_check_reports_invalid_policies() {
    let folder = configured("{}");
    write(folder.path(), "own.yaml", &OWN.replace("'x'", "1 +"));
    let arguments = ["config", "check", "config.yaml", "--policies", "own.yaml"];
    let (code, _, err) = run(&folder, &arguments);
    assert_eq!(code, Some(2));
    assert!(err.contains("own.yaml:13:17: GardenPolicy `bindings`"), "{err}");
}

#[test]
fn levels_of_policies_are_set_by_configuration_and_flags() {
    let folder = garden(&BINDING.replace("[Deny]", "[Audit]"));
    write(folder.path(), "own.yaml", OWN);
    let policies = ["--policies", "own.yaml", "new.yaml"];
    let level = |arguments: &[&str]| {
        let document = json_of(&folder, &[&policies, arguments].concat());
        let own = findings(&document);
        let own = own.iter().find(|it| it["rule"] == "policy/bindings");
        own.map(|it| it["level"].as_str().unwrap().to_owned())
    };
    assert_eq!(level(&[]).as_deref(), Some("deny"));
    assert_eq!(level(&["--warn", "policy/bindings"]).as_deref(), Some("warn"));
    assert_eq!(level(&["--warn", "policy/*"]).as_deref(), Some("warn"));
    assert_eq!(level(&["--ignore", "policy/bindings"]), None);
    assert_eq!(level(&["--select", "policy/bindings"]).as_deref(), Some("deny"));
    assert_eq!(level(&["--select", "shoot/*"]), None);
    let (code, _, err) = review(&folder, &[&policies[..], &["--warn", "policy/x"]].concat());
    assert_eq!(code, Some(2));
    assert!(err.contains("no rule or finding has the id `policy/x`"), "{err}");
    write(folder.path(), "config.yaml", "rules: {policy/bindings: warn}");
    let arguments = ["review", "--whole-garden", "--garden", "garden", "--config", "config.yaml"];
    let (code, out, err) = run(&folder, &[&arguments[..], &policies].concat());
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("only x"), "{out}");
}

#[test]
fn every_invalid_expression_is_reported() {
    let broken = OWN
        .replace("'x'\n", "1 +\n  - expression: unknown\n  - expression: object.provider.type\n");
    let folder = folder(&[("own.yaml", &broken)]);
    let (code, out, _) = run(&folder, &["policies", "check", "own.yaml"]);
    assert_eq!(code, Some(1));
    let lines: Vec<&str> = out.lines().map(|it| it.split(": ").next().unwrap()).collect();
    assert_eq!(lines, ["own.yaml:13:17", "own.yaml:14:17", "own.yaml:15:17"], "{out}");
}

#[test]
fn requests_of_policies_are_registered() {
    let folder = configured("rules: {\"policy/*\": off}");
    let url = ["webhooks", "--url", "https://gate:9443", "--format", "json"];
    let operations = |arguments: &[&str]| {
        let (code, out, err) = run(&folder, &[&url[..], arguments].concat());
        assert_eq!(code, Some(0), "{err}");
        let list: Value = serde_json::from_str(&out).unwrap();
        let webhooks = list["items"][1]["webhooks"].as_array().unwrap().iter();
        let mut named =
            webhooks.filter(|it| it["name"] == "secretbindings.validate.garden-gate.dev");
        named.next().unwrap()["rules"][0]["operations"].clone()
    };
    let policies = ["--policies", "own.yaml"];
    assert_eq!(operations(&[]), json!(["UPDATE"]));
    assert_eq!(operations(&policies), json!(["CREATE", "UPDATE"]));
    let off = ["--config", "config.yaml"];
    assert_eq!(operations(&[policies, off].concat()), json!(["UPDATE"]));
}

/// Each change of a valid policy makes it invalid, for all commands that read it.
#[rstest]
#[case(
    "message:",
    "massage:",
    "14:5",
    "`spec.validations[0].massage` is an unknown field; did you mean `message`?"
)]
#[case(
    "operations:",
    "verbs:",
    "10:7",
    "`spec.matchConstraints.resourceRules[0].verbs` is an unknown field"
)]
#[case(
    "CREATE, ",
    "create, ",
    "10:20",
    "`spec.matchConstraints.resourceRules[0].operations[0]` cannot be `create`"
)]
#[case(
    "CREATE, UPDATE",
    "PATCH",
    "10:20",
    "`spec.matchConstraints.resourceRules[0].operations[0]` cannot be `PATCH`"
)]
#[case("secretbindings", "secretbinding", "11:19", "did you mean `secretbindings`")]
#[case("secretbindings", "SecretBindings", "11:19", "did you mean `secretbindings`")]
#[case(
    "    - apiGroups",
    "    - scope: namespaced\n      apiGroups",
    "8:14",
    "use `Cluster`, `Namespaced` or `*`"
)]
#[case("kind: GardenPolicy", "kind: GardenPolcy", "2:7", "did you mean `GardenPolicy`?")]
fn invalid_policy_is_an_error_of_all_commands(
    #[case] from: &str,
    #[case] to: &str,
    #[case] position: &str,
    #[case] message: &str,
) {
    let valid = POLICY
        .replace("admissionregistration.k8s.io/v1", "garden-gate.dev/v1alpha1")
        .replace("ValidatingAdmissionPolicy", "GardenPolicy");
    let invalid = valid.replacen(from, to, 1);
    assert_ne!(valid, invalid);
    let folder = folder(&[
        ("policies/a.yaml", &valid.replace("team-label", "other")),
        ("policies/b.yaml", &invalid),
        ("config.yaml", "{}"),
        ("garden/secret.yaml", SECRET),
        ("new.yaml", OBJECT),
    ]);
    let (code, out, err) = run(&folder, &["policies", "check", "policies"]);
    assert_eq!(code, Some(1), "{out}{err}");
    let is_expected =
        |line: &str| line.contains(&format!("b.yaml:{position}: ")) && line.contains(message);
    assert!(out.lines().any(is_expected), "{out}");
    let policies = ["--policies", "policies"];
    let (code, _, err) =
        run(&folder, &[&["config", "check", "config.yaml"], &policies[..]].concat());
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains(message), "{err}");
    let (code, _, err) = review(&folder, &[&policies[..], &["new.yaml"]].concat());
    assert_eq!(code, Some(2), "{err}");
}

#[test]
fn check_without_policies_says_so() {
    let folder = folder(&[("policies/secret.yaml", SECRET)]);
    let (code, out, _) = run(&folder, &["policies", "check", "policies"]);
    assert_eq!((code, out.as_str()), (Some(3), "there are no policies\n"));
}

#[test]
fn check_reports_every_error_of_policies_and_bindings() {
    let text = [
        POLICY
            .replace("name: team-label", "name: Team\n  namespace: x")
            .replace("message: every", "message: \"every\\n\" #"),
        BINDING.replace("[Deny]", "[Deny, Warn, deny]"),
    ];
    let folder = folder(&[("policies.yaml", &text.join("---\n"))]);
    let (code, out, _) = run(&folder, &["policies", "check", "policies.yaml"]);
    assert_eq!(code, Some(1), "{out}");
    let fields = out.lines().map(|line| line.split('`').nth(3).unwrap());
    let expected = [
        "metadata.name",
        "metadata.namespace",
        "spec.validationActions",
        "spec.validationActions[2]",
    ];
    assert_eq!(fields.collect::<Vec<_>>(), expected, "{out}");
}

#[test]
fn check_limits_errors_of_a_policy_and_of_all() {
    let labels: String = (0..300).map(|it| format!("    wrong key {it}: a\n")).collect();
    let wrong =
        POLICY.replace("  name: team-label\n", &format!("  name: team-label\n  labels:\n{labels}"));
    let policies = |count| vec![wrong.as_str(); count].join("---\n");
    let folder = folder(&[("one.yaml", &policies(1)), ("many.yaml", &policies(20))]);
    let (code, out, _) = run(&folder, &["policies", "check", "one.yaml"]);
    assert_eq!((code, out.lines().count()), (Some(1), 101), "{out}");
    assert!(out.ends_with("\nand 200 more errors\n"), "{out}");
    let (code, out, _) = run(&folder, &["policies", "check", "many.yaml"]);
    assert_eq!((code, out.lines().count()), (Some(1), 1_011), "{out}");
    assert!(out.ends_with("\nand 3000 more errors\n"), "{out}");
}
