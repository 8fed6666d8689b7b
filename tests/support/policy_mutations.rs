// SPDX-License-Identifier: Apache-2.0
//! Policies and bindings with random changes of any fields.

use serde_json::{Value, json};

use crate::random::Random;

/// Values that are valid in some fields and invalid in others.
const STRINGS: [&str; 42] = [
    "",
    " ",
    "a",
    "A",
    "a b",
    "a-b",
    "a_b",
    "a.b",
    "a/b",
    "a/b/c",
    "*",
    "*/*",
    "shoots",
    "shoots/*",
    "*/status",
    "shoots/status",
    "Shoots",
    "CREATE",
    "create",
    "CONNECT",
    "Fail",
    "Ignore",
    "Exact",
    "Namespaced",
    "Cluster",
    "In",
    "NotIn",
    "Exists",
    "DoesNotExist",
    "Deny",
    "Warn",
    "Audit",
    "Allow",
    "Forbidden",
    "Unauthorized",
    "v1",
    "in",
    "true",
    "'a'",
    "a\nb",
    "JSONPatch",
    "Never",
];

/// Returns a policy or a binding with up to three changes, in which every field is set before.
pub(crate) fn mutated(random: &mut Random) -> Value {
    let policy = match random.below(3) {
        0 => binding(),
        _ => admission(),
    };
    changed(policy, random)
}

/// Returns a policy that changes objects, or its binding, like [`mutated`].
pub(crate) fn mutated_mutating(random: &mut Random) -> Value {
    let policy = match random.below(3) {
        0 => mutating_binding(),
        _ => mutating(),
    };
    changed(policy, random)
}

fn changed(mut policy: Value, random: &mut Random) -> Value {
    for _ in 0..=random.below(3) {
        let mut pointers = Vec::new();
        collect(&policy, String::new(), &mut pointers);
        let pointer = random.pick(&pointers).clone();
        if let Some(value) = policy.pointer_mut(&pointer) {
            mutate(value, random);
        }
    }
    policy
}

/// Collects the pointers of all values, except those of the kind.
fn collect(value: &Value, pointer: String, pointers: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields
            .iter()
            .filter(|(key, _)| {
                !matches!((pointer.as_str(), key.as_str()), ("", "apiVersion" | "kind"))
            })
            .for_each(|(key, value)| {
                collect(value, format!("{pointer}/{}", key.replace('/', "~1")), pointers);
            }),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(index, item)| collect(item, format!("{pointer}/{index}"), pointers)),
        _ => {}
    }
    if !pointer.is_empty() {
        pointers.push(pointer);
    }
}

fn mutate(value: &mut Value, random: &mut Random) {
    let string = *random.pick(&STRINGS);
    match (value, random.below(6)) {
        (Value::Object(fields), 0 | 1) => {
            let names: Vec<String> = fields.keys().cloned().collect();
            if !names.is_empty() {
                fields.remove(random.pick(&names));
            }
        }
        (Value::Object(fields), 2) => {
            fields.insert("fooBar".to_owned(), string.into());
        }
        (Value::Object(fields), 3) => {
            fields.insert(string.to_owned(), "a".into());
        }
        (Value::Array(items), 0) => {
            items.pop();
        }
        (Value::Array(items), 1) => items.extend(items.first().cloned()),
        (Value::Array(items), 2) => items.push(string.into()),
        (Value::Array(items), 3) => {
            *items =
                (0..random.below(70)).map(|_| items.first().cloned().unwrap_or_default()).collect();
        }
        (value, 4) => {
            *value =
                random.pick(&[json!(null), json!([]), json!({}), json!(1), json!(true)]).clone();
        }
        (value @ Value::String(_), 3) => {
            *value = string.repeat(1 + random.below(300)).into();
        }
        (value @ Value::String(_), _) => *value = string.into(),
        (_, _) => {}
    }
}

fn admission() -> Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicy",
        "metadata": metadata(),
        "spec": {
            "failurePolicy": "Fail",
            "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
            "matchConstraints": constraints(),
            "matchConditions": [{"name": "a", "expression": "true"}, {"name": "b", "expression": "params == null"}],
            "variables": [{"name": "a", "expression": "1"}, {"name": "b", "expression": "2"}],
            "validations": [
                {"expression": "true", "message": "a", "reason": "Invalid"},
                {"expression": "1 < 2", "messageExpression": "'a'", "reason": "Forbidden"},
            ],
            "auditAnnotations": [{"key": "a", "valueExpression": "'a'"}, {"key": "b", "valueExpression": "null"}],
        },
    })
}

fn binding() -> Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": metadata(),
        "spec": {
            "policyName": "p",
            "paramRef": {"selector": selector(), "namespace": "b", "parameterNotFoundAction": "Deny"},
            "matchResources": constraints(),
            "validationActions": ["Deny", "Audit"],
        },
    })
}

fn mutating() -> Value {
    let operations = r#"[JSONPatch{op: "add", path: "/metadata/labels/a", value: variables.a}]"#;
    let object = "Object{metadata: Object.metadata{labels: {'a': 'b'}}}";
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingAdmissionPolicy",
        "metadata": metadata(),
        "spec": {
            "failurePolicy": "Fail",
            "reinvocationPolicy": "IfNeeded",
            "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
            "matchConstraints": constraints(),
            "matchConditions": [{"name": "a", "expression": "true"}, {"name": "b", "expression": "params == null"}],
            "variables": [{"name": "a", "expression": "1"}, {"name": "b", "expression": "2"}],
            "mutations": [
                {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": object}},
                {"patchType": "JSONPatch", "jsonPatch": {"expression": operations}},
            ],
        },
    })
}

fn mutating_binding() -> Value {
    let mut binding = binding();
    binding["kind"] = json!("MutatingAdmissionPolicyBinding");
    if let Some(spec) = binding["spec"].as_object_mut() {
        spec.remove("validationActions");
    }
    binding
}

fn metadata() -> Value {
    json!({"name": "p.example.com", "labels": {"a": "b"}, "annotations": {"a": "b"}, "finalizers": ["a/b"]})
}

fn selector() -> Value {
    json!({"matchLabels": {"a": "b"}, "matchExpressions": [
        {"key": "a", "operator": "In", "values": ["b", "c"]},
        {"key": "d", "operator": "Exists"},
    ]})
}

fn constraints() -> Value {
    let rule = json!({
        "apiGroups": ["core.gardener.cloud", ""], "apiVersions": ["v1beta1", "v1"], "operations": ["CREATE", "UPDATE"],
        "resources": ["shoots", "shoots/status", "seeds"], "scope": "Namespaced", "resourceNames": ["a", "b"],
    });
    json!({
        "matchPolicy": "Exact",
        "namespaceSelector": selector(),
        "objectSelector": selector(),
        "resourceRules": [rule, rule],
        "excludeResourceRules": [rule],
    })
}
