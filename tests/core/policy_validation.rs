// SPDX-License-Identifier: Apache-2.0
//! Policies and bindings with one changed field are valid or invalid as for a kube-apiserver.

use garden_gate_core::policies::{check, own_policies, policies_in};
use garden_gate_model::api::GardenerVersion;
use rstest::rstest;
use serde_json::{Value, json};

fn admission() -> Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": "p.example.com"},
        "spec": {
            "failurePolicy": "Fail",
            "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
            "matchConstraints": constraints(),
            "matchConditions": [{"name": "a", "expression": "true"}],
            "variables": [{"name": "a", "expression": "1"}, {"name": "b", "expression": "variables.a"}, {"name": "c", "expression": "1"}],
            "validations": [{"expression": "variables.b == 1", "message": "a", "reason": "Invalid"}],
            "auditAnnotations": [{"key": "a", "valueExpression": "'a'"}],
        },
    })
}

fn constraints() -> Value {
    json!({
        "matchPolicy": "Exact",
        "namespaceSelector": {"matchLabels": {"a": "b"}},
        "objectSelector": {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]},
        "resourceRules": [rule(), {
            "apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"], "scope": "*",
        }],
        "excludeResourceRules": [{
            "apiGroups": ["core.gardener.cloud"], "apiVersions": ["v1beta1"], "operations": ["DELETE"],
            "resources": ["seeds"],
        }],
    })
}

fn rule() -> Value {
    json!({
        "apiGroups": ["core.gardener.cloud"], "apiVersions": ["v1beta1"], "operations": ["CREATE", "UPDATE"],
        "resources": ["shoots"], "scope": "Namespaced", "resourceNames": ["a"],
    })
}

fn garden() -> Value {
    let mut policy = admission();
    policy["apiVersion"] = "garden-gate.dev/v1alpha1".into();
    policy["kind"] = "GardenPolicy".into();
    policy["spec"].as_object_mut().unwrap().remove("paramKind");
    policy["spec"]["level"] = "warn".into();
    policy
}

fn binding() -> Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": "b"},
        "spec": {
            "policyName": "p.example.com",
            "paramRef": {"name": "a", "namespace": "b", "parameterNotFoundAction": "Deny"},
            "matchResources": constraints(),
            "validationActions": ["Deny", "Audit"],
        },
    })
}

fn mutating() -> Value {
    let mut constraints = constraints();
    constraints["resourceRules"][1]["operations"] = json!(["UPDATE", "CONNECT"]);
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingAdmissionPolicy",
        "metadata": {"name": "p.example.com"},
        "spec": {
            "failurePolicy": "Fail",
            "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
            "matchConstraints": constraints,
            "matchConditions": [{"name": "a", "expression": "true"}],
            "variables": [{"name": "a", "expression": "1"}, {"name": "b", "expression": "variables.a"}],
            "mutations": [
                {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": "Object{}"}},
                {"patchType": "JSONPatch", "jsonPatch": {"expression": "[JSONPatch{op: 'remove', path: '/a'}]"}},
            ],
            "reinvocationPolicy": "Never",
        },
    })
}

fn mutating_binding() -> Value {
    let mut binding = binding();
    binding["kind"] = "MutatingAdmissionPolicyBinding".into();
    binding["spec"].as_object_mut().unwrap().remove("validationActions");
    binding
}

/// Returns the field of an error, which follows the name of the policy.
fn field(message: &str) -> String {
    message.split('`').nth(3).unwrap_or(message).to_owned()
}

/// Returns the fields with errors.
fn errors(policy: &Value) -> Vec<String> {
    let documents = match policies_in(&policy.to_string()) {
        Ok(documents) => documents,
        Err(error) => return vec![field(&error.message)],
    };
    let errors = documents.iter().flat_map(|it| check(it, GardenerVersion::default()));
    let mut fields: Vec<String> = errors.map(|it| field(&it.message)).collect();
    fields.sort();
    let is_loaded = own_policies(&documents).is_ok();
    assert!(!is_loaded || fields.is_empty() || policy["kind"] != "GardenPolicy", "{policy}");
    fields
}

/// Sets a field, or removes it if the value is `"<none>"`.
fn set(policy: &mut Value, field: &str, value: &Value) {
    let pointer = format!("/{}", field.replace(['.', '['], "/").replace(']', ""));
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = policy.pointer_mut(parent).unwrap();
    match (parent, name.parse::<usize>()) {
        (Value::Object(fields), _) if value == "<none>" => {
            fields.remove(name);
        }
        (Value::Array(items), Ok(index)) if index < items.len() => items[index] = value.clone(),
        (Value::Array(items), Ok(_)) => items.push(value.clone()),
        (parent, _) => parent[name] = value.clone(),
    }
}

fn assert_errors(mut policy: Value, field: &str, value: &Value, expected: &[&str]) {
    set(&mut policy, field, value);
    let found = errors(&policy);
    assert_eq!(found, expected, "{} with {field}: {value}", policy["kind"]);
}

/// Values of a field that are valid, and those that are not, with the field of the error if it is another one.
type Row<'a> = (&'a str, &'a [Value], &'a [Value]);

fn assert_rows(policy: fn() -> Value, rows: &[Row<'_>]) {
    assert_eq!(errors(&policy()), [""; 0]);
    for (field, valid, invalid) in rows {
        for value in *valid {
            assert_errors(policy(), field, value, &[]);
        }
        for value in *invalid {
            assert_errors(policy(), field, value, &[field]);
        }
    }
}

fn none() -> Value {
    "<none>".into()
}

fn many(count: usize, of: impl Fn(usize) -> Value) -> Value {
    (0..count).map(of).collect()
}

#[rstest]
#[case::admission(admission)]
#[case::garden(garden)]
fn fields_of_policies_are_checked(#[case] policy: fn() -> Value) {
    let condition = |index: usize| json!({"name": format!("a{index}"), "expression": "true"});
    let annotation = |index: usize| json!({"key": format!("a{index}"), "valueExpression": "'a'"});
    assert_rows(
        policy,
        &[
            ("metadata.namespace", &[json!(""), json!(null)], &[json!("a")]),
            ("metadata.generateName", &[json!("a-"), json!("a")], &[json!("A-"), json!("-")]),
            ("metadata.finalizers", &[json!([]), json!(["a/b"])], &[]),
            (
                "spec.failurePolicy",
                &[none(), json!(null), json!("Ignore")],
                &[json!(""), json!("fail"), json!("Warn")],
            ),
            (
                "spec.matchConditions",
                &[none(), json!(null), json!([]), many(64, condition)],
                &[many(65, condition)],
            ),
            (
                "spec.matchConditions[0].name",
                &[json!("a/b"), json!("a_b.C")],
                &[none(), json!(""), json!("a b"), json!("/a"), json!("A/a")],
            ),
            ("spec.matchConditions[0].expression", &[], &[none(), json!(""), json!(" \n")]),
            (
                "spec.variables[2].name",
                &[json!("_c1")],
                &[
                    none(),
                    json!(" "),
                    json!("in"),
                    json!("my-a"),
                    json!("1a"),
                    json!("while"),
                    json!("ä"),
                ],
            ),
            (
                "spec.variables[1].expression",
                &[json!("2")],
                &[none(), json!(""), json!(" "), json!("variables.c"), json!("variables.b")],
            ),
            (
                "spec.validations[0].expression",
                &[json!("true")],
                &[none(), json!(""), json!("\t"), json!("1")],
            ),
            (
                "spec.validations[0].message",
                &[none(), json!(""), json!("\na\n")],
                &[json!(" "), json!("\n"), json!("a\nb"), json!("a\rb")],
            ),
            (
                "spec.validations[0].messageExpression",
                &[none(), json!(""), json!("'a'")],
                &[json!(" "), json!("1"), json!("authorizer.path('/').check('get').reason()")],
            ),
            (
                "spec.validations[0].reason",
                &[none(), json!(null), json!("Forbidden"), json!("RequestEntityTooLarge")],
                &[json!(""), json!("Unauthorized"), json!("invalid")],
            ),
            (
                "spec.auditAnnotations",
                &[none(), json!([]), many(20, annotation)],
                &[many(21, annotation)],
            ),
            (
                "spec.auditAnnotations[0].key",
                &[json!("a_b.C")],
                &[none(), json!(""), json!("a b"), json!("a/b"), json!("a".repeat(64))],
            ),
            (
                "spec.auditAnnotations[0].valueExpression",
                &[json!("null"), json!(format!("'{}'", "a".repeat(5118)))],
                &[none(), json!(""), json!(" "), json!(format!("'{}'", "a".repeat(5119)))],
            ),
            ("spec.matchConstraints", &[], &[none(), json!(null)]),
            ("spec.matchConstraints.resourceRules", &[], &[none(), json!(null), json!([])]),
        ],
    );
}

#[rstest]
#[case::admission(admission, "spec.matchConstraints")]
#[case::garden(garden, "spec.matchConstraints")]
#[case::binding(binding, "spec.matchResources")]
fn fields_of_rules_are_checked(#[case] policy: fn() -> Value, #[case] resources: &str) {
    let rows: &[Row<'_>] = &[
        ("matchPolicy", &[none(), json!(null), json!("Equivalent")], &[json!(""), json!("exact")]),
        (
            "resourceRules[0].operations",
            &[json!(["*"]), json!(["CREATE", "CREATE"])],
            &[none(), json!([]), json!(["*", "CREATE"]), json!(["CREATE", "*"])],
        ),
        (
            "resourceRules[0].operations[0]",
            &[json!("DELETE"), json!("CONNECT")],
            &[json!(""), json!("create"), json!("PATCH"), json!(null)],
        ),
        (
            "resourceRules[0].apiGroups",
            &[json!(["*"]), json!(["", "core.gardener.cloud"])],
            &[none(), json!([]), json!(["*", "apps"])],
        ),
        (
            "resourceRules[0].apiVersions",
            &[json!(["*"]), json!(["v1", "v1beta1"])],
            &[none(), json!([]), json!(["*", "v1beta1"])],
        ),
        ("resourceRules[0].apiVersions[1]", &[json!("v1")], &[json!("")]),
        (
            "resourceRules[0].resources",
            &[
                json!(["*"]),
                json!(["*/*"]),
                json!(["shoots/*"]),
                json!(["shoots", "shoots/status"]),
                json!(["shoots", "*"]),
            ],
            &[none(), json!([]), json!(["*", "shoots"]), json!(["shoots", "*/*"])],
        ),
        (
            "resourceRules[0].resources[1]",
            &[json!("shoots/status"), json!("*/status")],
            &[json!("")],
        ),
        (
            "resourceRules[0].scope",
            &[none(), json!(null), json!("*")],
            &[json!(""), json!("namespaced"), json!("Global")],
        ),
        ("resourceRules[0].resourceNames", &[none(), json!([]), json!(["A b"])], &[]),
        (
            "resourceRules[0].resourceNames[0]",
            &[json!("")],
            &[json!("."), json!(".."), json!("a/b"), json!("a%")],
        ),
        ("resourceRules[0].resourceNames[1]", &[json!("b")], &[json!("a")]),
        ("excludeResourceRules", &[none(), json!([])], &[]),
        ("excludeResourceRules[0].operations", &[json!(["*"])], &[none(), json!(["*", "CREATE"])]),
        ("excludeResourceRules[0].scope", &[json!("*")], &[json!("cluster")]),
    ];
    for (field, valid, invalid) in rows {
        assert_rows(policy, &[(&format!("{resources}.{field}"), valid, invalid)]);
    }
    for (field, value, expected) in [
        (
            "resourceRules[0].resources",
            json!(["shoots/*", "shoots/status"]),
            "resourceRules[0].resources[1]",
        ),
        (
            "resourceRules[0].resources",
            json!(["*/status", "shoots/status"]),
            "resourceRules[0].resources[1]",
        ),
        ("resourceRules[0]", json!(null), ""),
    ] {
        let mut policy = policy();
        set(&mut policy, &format!("{resources}.{field}"), &value);
        let found = errors(&policy);
        assert!(
            !found.is_empty() && found.iter().all(|it| it.contains(expected)),
            "{value}: {found:?}"
        );
    }
}

#[test]
fn fields_of_mutating_policies_are_checked() {
    let condition = |index: usize| json!({"name": format!("a{index}"), "expression": "true"});
    let operations = [json!("CONNECT"), json!("UPDATE")];
    assert_rows(
        mutating,
        &[
            ("metadata.name", &[json!("a.b")], &[none(), json!("A")]),
            ("metadata.namespace", &[json!("")], &[json!("a")]),
            ("spec.failurePolicy", &[none(), json!("Ignore")], &[json!(""), json!("Warn")]),
            ("spec.paramKind.apiVersion", &[json!("apps/v1")], &[none(), json!("a/b/c")]),
            ("spec.paramKind.kind", &[json!("A")], &[none(), json!("A.b")]),
            ("spec.matchConstraints", &[], &[none(), json!(null), json!([])]),
            ("spec.matchConstraints.resourceRules", &[], &[none(), json!(null), json!([])]),
            ("spec.matchConstraints.matchPolicy", &[none(), json!("Exact")], &[json!("exact")]),
            (
                "spec.matchConstraints.resourceRules[0].operations",
                &[json!(["*"])],
                &[none(), json!([]), json!(["*", "CREATE"])],
            ),
            (
                "spec.matchConstraints.resourceRules[0].operations[0]",
                &operations,
                &[json!("DELETE"), json!("create"), json!("")],
            ),
            (
                "spec.matchConstraints.excludeResourceRules[0].operations[0]",
                &[json!("DELETE")],
                &[],
            ),
            (
                "spec.matchConstraints.resourceRules[0].resources",
                &[json!(["shoots/*"]), json!(["*"])],
                &[none(), json!([]), json!(["*", "shoots"])],
            ),
            ("spec.matchConstraints.resourceRules[0].apiGroups", &[json!([""])], &[none()]),
            ("spec.matchConstraints.resourceRules[0].scope", &[none()], &[json!("Global")]),
            ("spec.matchConditions", &[none(), many(64, condition)], &[many(65, condition)]),
            ("spec.matchConditions[0].name", &[json!("a/b")], &[none(), json!("a b")]),
            ("spec.matchConditions[0].expression", &[], &[none(), json!(" "), json!("1")]),
            ("spec.variables[1].name", &[json!("a"), json!("c")], &[none(), json!("1a")]),
            ("spec.variables[1].expression", &[json!("2")], &[none(), json!("variables.c")]),
            ("spec.mutations", &[], &[none(), json!(null), json!([])]),
            ("spec.mutations[0].patchType", &[], &[none(), json!("Bogus")]),
            (
                "spec.mutations[0].applyConfiguration.expression",
                &[],
                &[none(), json!(""), json!("1")],
            ),
            ("spec.mutations[0].jsonPatch", &[none(), json!(null)], &[json!({"expression": "[]"})]),
            ("spec.mutations[1].jsonPatch.expression", &[], &[json!(" "), json!("Object{}")]),
            (
                "spec.reinvocationPolicy",
                &[json!("IfNeeded")],
                &[none(), json!(null), json!("Bogus"), json!("never")],
            ),
        ],
    );
    assert_rows(
        mutating_binding,
        &[
            ("spec.policyName", &[json!("q")], &[none(), json!("A")]),
            ("spec.paramRef", &[none()], &[json!({"parameterNotFoundAction": "Deny"})]),
            ("spec.paramRef.parameterNotFoundAction", &[json!("Allow")], &[none(), json!("deny")]),
            ("spec.matchResources", &[none(), json!({})], &[]),
            (
                "spec.matchResources.resourceRules[0].operations[0]",
                &operations,
                &[json!("DELETE"), json!("create")],
            ),
            ("spec.validationActions", &[], &[json!(["Deny"])]),
        ],
    );
}

#[rstest]
#[case::admission(admission, "spec.matchConstraints.namespaceSelector")]
#[case::garden(garden, "spec.matchConstraints.objectSelector")]
#[case::binding(binding, "spec.matchResources.namespaceSelector")]
#[case::params(binding, "spec.paramRef.selector")]
fn selectors_are_checked(#[case] policy: fn() -> Value, #[case] selector: &str) {
    let policy = || {
        let mut policy = policy();
        if selector.contains("paramRef") {
            set(&mut policy, "spec.paramRef.name", &none());
        }
        policy
    };
    let requirement = |key: &str, operator: &str, values: Value| json!({"matchExpressions": [{"key": key, "operator": operator, "values": values}]});
    for (value, expected) in [
        (json!({}), None),
        (requirement("a", "In", json!(["b", ""])), None),
        (requirement("a.b/c", "NotIn", json!(["b"])), None),
        (requirement("a", "Exists", json!([])), None),
        (requirement("a", "DoesNotExist", json!(null)), None),
        (requirement("a", "Is", json!(["b"])), Some("matchExpressions[0].operator")),
        (requirement("a", "", json!(null)), Some("matchExpressions[0].operator")),
        (requirement("a", "in", json!(["b"])), Some("matchExpressions[0].operator")),
        (requirement("a", "In", json!([])), Some("matchExpressions[0].values")),
        (requirement("a", "Exists", json!(["b"])), Some("matchExpressions[0].values")),
        (requirement("", "Exists", json!(null)), Some("matchExpressions[0].key")),
        (requirement("a b", "Exists", json!(null)), Some("matchExpressions[0].key")),
        (requirement("a", "In", json!(["b", "-"])), Some("matchExpressions[0].values[1]")),
        (json!({"matchLabels": {"a": "b c"}}), Some("matchLabels[a]")),
        (json!({"matchLabels": {"a b": "c"}}), Some("matchLabels[a b]")),
        (json!({"matchLabel": {}}), Some("matchLabel")),
    ] {
        let mut policy = policy();
        set(&mut policy, selector, &value);
        let expected: Vec<String> =
            expected.into_iter().map(|it| format!("{selector}.{it}")).collect();
        assert_eq!(errors(&policy), expected, "{value}");
    }
}

#[test]
fn parameters_and_bindings_are_checked() {
    assert_rows(
        admission,
        &[
            (
                "spec.paramKind.apiVersion",
                &[json!("apps/v1"), json!("/v1")],
                &[
                    none(),
                    json!(""),
                    json!("a/b/c"),
                    json!("v1/"),
                    json!("A/v1"),
                    json!("1v"),
                    json!("a/V1"),
                    json!("/"),
                ],
            ),
            (
                "spec.paramKind.kind",
                &[json!("A-b")],
                &[none(), json!(""), json!("A.b"), json!("1A"), json!("a b")],
            ),
        ],
    );
    assert_rows(
        binding,
        &[
            (
                "metadata.name",
                &[json!("a-b.c")],
                &[none(), json!("A"), json!("a_b"), json!("a".repeat(254)), json!("-a")],
            ),
            ("metadata.namespace", &[], &[json!("a")]),
            ("spec.policyName", &[json!("q")], &[none(), json!(""), json!("A")]),
            (
                "spec.paramRef",
                &[none(), json!(null)],
                &[json!({"parameterNotFoundAction": "Deny"})],
            ),
            ("spec.paramRef.name", &[json!("A b")], &[json!("a/b"), json!("..")]),
            ("spec.paramRef.parameterNotFoundAction", &[json!("Allow")], &[none(), json!("deny")]),
            ("spec.matchResources", &[none(), json!({})], &[]),
            (
                "spec.validationActions",
                &[json!(["Warn"]), json!(["Audit", "Warn"])],
                &[none(), json!([]), json!(["Deny", "Warn"])],
            ),
            ("spec.validationActions[0]", &[json!("Warn")], &[json!("deny"), json!("")]),
            ("spec.validationActions[1]", &[json!("Audit")], &[json!("Deny")]),
        ],
    );
    let both = ["spec.paramRef.name", "spec.paramRef.selector"];
    assert_errors(binding(), "spec.paramRef.selector", &json!({}), &both);
}

#[rstest]
#[case::admission(admission)]
#[case::garden(garden)]
fn names_are_unique_and_policies_have_an_effect(#[case] policy: fn() -> Value) {
    for (list, name) in
        [("matchConditions", "name"), ("variables", "name"), ("auditAnnotations", "key")]
    {
        let mut policy = policy();
        let items = policy["spec"][list].as_array_mut().unwrap();
        items.push(items[0].clone());
        let expected = format!("spec.{list}[{}].{name}", items.len() - 1);
        assert_eq!(errors(&policy), [expected]);
    }
    let mut policy = policy();
    set(&mut policy, "spec.validations", &none());
    assert_eq!(errors(&policy), [""; 0]);
    set(&mut policy, "spec.auditAnnotations", &json!([]));
    assert_eq!(errors(&policy), ["spec.validations"]);
}

#[rstest]
#[case::admission(admission)]
#[case::garden(garden)]
#[case::binding(binding)]
#[case::mutating(mutating)]
#[case::mutating_binding(mutating_binding)]
fn every_object_refuses_unknown_fields_and_wrong_types(#[case] policy: fn() -> Value) {
    let mut objects = Vec::new();
    pointers(&policy(), String::new(), &mut objects);
    for pointer in objects {
        let mut policy = policy();
        policy.pointer_mut(&pointer).unwrap()["fooBar"] = json!({});
        if pointer.ends_with("/matchLabels") {
            assert!(!errors(&policy).is_empty(), "{pointer}");
        } else {
            let found = errors(&policy);
            assert!(
                matches!(&found[..], [field] if field.ends_with("fooBar")),
                "{pointer}: {found:?}"
            );
        }
    }
}

fn pointers(value: &Value, pointer: String, objects: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields
                .iter()
                .for_each(|(key, value)| pointers(value, format!("{pointer}/{key}"), objects));
            objects.push(pointer);
        }
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, it)| pointers(it, format!("{pointer}/{index}"), objects));
        }
        _ => {}
    }
}

#[test]
fn name_is_part_of_audit_keys() {
    let both = ["metadata.name", "spec.auditAnnotations[0].key"];
    for policy in [admission(), garden()] {
        assert_errors(policy, "metadata.name", &json!("A"), &both);
    }
}

#[rstest]
#[case::list("spec.matchConstraints.resourceRules[0].operations", json!("CREATE"))]
#[case::string("spec.validations[0].message", json!(1))]
#[case::object("spec.matchConstraints.objectSelector", json!([]))]
#[case::unread("spec.matchConstraints.matchPolicy", json!(true))]
#[case::item("spec.matchConstraints.resourceRules[0].apiGroups[0]", json!(null))]
fn value_of_a_wrong_type_is_named(#[case] field: &str, #[case] value: Value) {
    for policy in [admission(), garden()] {
        assert_errors(policy, field, &value, &[field]);
    }
}

#[test]
fn variables_in_match_conditions_are_refused_as_by_an_api_server() {
    let field = "spec.matchConditions[0].expression";
    assert_errors(admission(), field, &json!("variables.a == 1"), &[field]);
}

#[rstest]
#[case::misspelt("garden-gate.dev/v1alpha1", "GardenPolcy", true)]
#[case::lower("garden-gate.dev/v1alpha1", "gardenpolicy", true)]
#[case::no_kind("garden-gate.dev/v1alpha1", "", true)]
#[case::no_version("", "GardenPolicy", true)]
#[case::neither("", "GardenPolcy", true)]
#[case::other_version("garden-gate.dev/v1", "GardenPolicy", true)]
#[case::misspelt_group("garden-gat.dev/v1alpha1", "GardenPolicy", true)]
#[case::admission_without_version("", "ValidatingAdmissionPolicy", true)]
#[case::group_only("admissionregistration.k8s.io", "ValidatingAdmissionPolicy", true)]
#[case::admission_version("admissionregistration.k8s.io/v2", "ValidatingAdmissionPolicy", true)]
#[case::binding_without_version("", "ValidatingAdmissionPolicyBinding", true)]
#[case::misspelt_admission("admissionregistration.k8s.io/v1", "ValidatingAdmisionPolicy", true)]
#[case::core("v1", "ValidatingAdmissionPolicy", true)]
#[case::test("garden-gate.dev/v1alpha1", "PolicyTest", false)]
#[case::webhook("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", false)]
#[case::list("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyList", false)]
#[case::other("policies.kyverno.io/v1", "ValidatingPolicy", false)]
#[case::config_map("v1", "ConfigMap", false)]
fn misspelt_kind_is_an_error(#[case] version: &str, #[case] kind: &str, #[case] is_error: bool) {
    let text = json!({"apiVersion": version, "kind": kind, "metadata": {"name": "a"}}).to_string();
    let found = policies_in(&text);
    assert_eq!(found.is_err(), is_error, "{found:?}");
    assert!(found.is_err_and(|it| !it.help.is_empty()) || !is_error);
}

#[test]
fn garden_policy_that_never_matches_is_an_error() {
    let rule = "spec.matchConstraints.resourceRules[0]";
    for (field, value, expected) in [
        ("operations", json!(["CONNECT"]), "operations"),
        ("resources", json!(["shoot"]), "resources[0]"),
        ("resources", json!(["Shoots"]), "resources[0]"),
        ("resources", json!(["shoots", "projectz"]), "resources[1]"),
        ("resources", json!(["shoots/adminkubeconfig"]), "resources[0]"),
        ("resources", json!(["pods"]), "resources[0]"),
        ("apiGroups", json!(["core.gardener.clou"]), "apiGroups"),
        ("apiGroups", json!([""]), "apiGroups"),
        ("apiGroups", json!(["security.gardener.cloud"]), "apiGroups"),
        ("apiVersions", json!(["v1"]), "apiVersions"),
        ("scope", json!("Cluster"), "scope"),
    ] {
        let expected = [format!("{rule}.{expected}")];
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        let field = format!("{rule}.{field}");
        assert_errors(garden(), &field, &value, &expected);
        assert_errors(admission(), &field, &value, &[]);
    }
    let everything = json!([{"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*/*"]}]);
    let excluded = "spec.matchConstraints.excludeResourceRules";
    assert_errors(garden(), excluded, &everything, &[excluded]);
    let selector = "spec.matchConstraints.objectSelector";
    for (labels, operator, values, is_error) in [
        (json!({"a": "b"}), "NotIn", json!(["b"]), true),
        (json!({"a": "b"}), "DoesNotExist", json!([]), true),
        (json!({"a": "b"}), "In", json!(["c"]), true),
        (json!({"a": "b"}), "In", json!(["b", "c"]), false),
        (json!({"c": "b"}), "DoesNotExist", json!([]), false),
        (json!({}), "NotIn", json!(["b"]), false),
    ] {
        let value = json!({"matchLabels": labels, "matchExpressions": [{"key": "a", "operator": operator, "values": values}]});
        let expected: &[&str] = if is_error { &[selector] } else { &[] };
        assert_errors(garden(), selector, &value, expected);
    }
}
