// SPDX-License-Identifier: Apache-2.0
//! Checks of large policies take linear time: these inputs would take minutes or hours with quadratic time.

use std::iter;

use garden_gate_core::policies::{PolicyError, check, policies_in};
use garden_gate_model::api::GardenerVersion;
use rstest::rstest;
use serde_json::{Map, Value, json};

/// The number of wrong labels, values, groups or resources.
const MANY: usize = 200_000;

/// Returns a valid GardenPolicy with other values at JSON pointers.
fn policy(changes: &[(&str, Value)]) -> Value {
    let mut policy = json!({
        "apiVersion": "garden-gate.dev/v1alpha1",
        "kind": "GardenPolicy",
        "metadata": {"name": "p", "labels": {}},
        "spec": {
            "matchConstraints": {
                "objectSelector": {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]},
                "resourceRules": [{
                    "apiGroups": ["core.gardener.cloud"],
                    "apiVersions": ["v1beta1"],
                    "operations": ["CREATE"],
                    "resources": ["shoots"],
                }],
            },
            "validations": [{"expression": "true"}],
            "auditAnnotations": [],
        },
    });
    for (pointer, value) in changes {
        *policy.pointer_mut(pointer).unwrap() = value.clone();
    }
    policy
}

fn errors(policy: &Value) -> Vec<PolicyError> {
    let documents = policies_in(&policy.to_string()).unwrap();
    check(&documents[0], GardenerVersion::default())
}

fn many(count: usize, name: impl Fn(usize) -> String) -> Value {
    (0..count).map(name).collect()
}

/// Returns labels with wrong names.
fn labels(count: usize) -> Value {
    let labels = (0..count).map(|it| (format!("wrong key {it}"), json!("a")));
    labels.collect::<Map<_, _>>().into()
}

fn expressions(count: usize) -> Value {
    iter::repeat_n(json!({"expression": "1"}), count).collect()
}

const GROUPS: &str = "/spec/matchConstraints/resourceRules/0/apiGroups";
const RESOURCES: &str = "/spec/matchConstraints/resourceRules/0/resources";
const VALUES: &str = "/spec/matchConstraints/objectSelector/matchExpressions/0/values";

#[rstest]
#[case::labels(&[("/metadata/labels", labels(MANY))], MANY)]
#[case::labels_and_expressions(&[("/metadata/labels", labels(MANY)), ("/spec/validations", expressions(1_000))], MANY + 1_000)]
#[case::values(&[(VALUES, many(MANY, |it| format!("wrong value {it}")))], MANY)]
#[case::duplicates(&[("/spec/auditAnnotations", iter::repeat_n(json!({"key": "a", "valueExpression": "'a'"}), 10_000).collect())], 10_001)]
#[case::resources(&[(RESOURCES, many(MANY / 10, |it| format!("other{it}")))], MANY / 10)]
#[case::groups(&[
    (GROUPS, many(MANY, |it| format!("other{it}"))),
    (RESOURCES, many(MANY / 10, |_| "shoots".to_owned())),
], 1)]
fn every_error_is_found(#[case] changes: &[(&str, Value)], #[case] expected: usize) {
    let found = errors(&policy(changes));
    assert_eq!(found.len(), expected, "{:?}", found.first());
}

#[test]
fn long_name_is_not_copied_for_each_error() {
    let annotation = json!({"key": "a b", "valueExpression": "'a'"});
    let annotations = iter::repeat_n(annotation, 10_000).collect();
    let name = json!("n".repeat(1_000_000));
    let policy = policy(&[("/metadata/name", name), ("/spec/auditAnnotations", annotations)]);
    let found = errors(&policy);
    assert!(found.len() > 10_000, "{}", found.len());
    let longest = found.iter().map(|it| it.message.len()).max().unwrap();
    assert!(longest <= 2_048, "{longest}");
}

#[test]
fn unknown_fields_are_counted() {
    let mut policy = policy(&[]);
    for index in 0..50 {
        policy["spec"][format!("unknown{index:02}")] = json!(1);
    }
    let found = errors(&policy);
    assert_eq!(found.len(), 21);
    let message = &found[20].message;
    assert!(message.ends_with("`spec.unknown19` and 30 more are unknown fields"), "{message}");
}

/// The type error follows from that of the variable with exactly this name only.
#[test]
fn error_of_a_variable_hides_only_those_that_follow() {
    let mut policy = policy(&[(
        "/spec/validations",
        json!([{"expression": "variables.a"}, {"expression": "1 + variables.ab"}]),
    )]);
    policy["spec"]["variables"] = json!([
        {"name": "a", "expression": "1 + 'a'"},
        {"name": "ab", "expression": "'a'"},
    ]);
    let found = errors(&policy);
    let fields: Vec<&str> = found.iter().map(|it| it.message.split('`').nth(3).unwrap()).collect();
    let expected = ["spec.validations[1].expression", "spec.variables[0].expression"];
    assert_eq!(fields, expected, "{found:?}");
}
