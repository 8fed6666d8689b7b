// SPDX-License-Identifier: Apache-2.0
//! Bodies about all kinds that rules judge, and other operations.

use garden_gate_model::api::Kind;
use serde_json::json;

use super::Group;
use super::body::Body;

/// Paths in a review, and texts of their values.
const CHANGES: [(&str, &[&str]); 6] = [
    ("request/object", &["null", "[]", "\"\"", "{}", "7", "{\"a\":1,\"a\":2}"]),
    ("request/oldObject", &["null", "[]", "{}"]),
    (
        "request/object/metadata",
        &[
            "null",
            "[]",
            "\"\"",
            "{\"name\":\"a\",\"name\":\"b\"}",
            "{\"labels\":{\"a\":1}}",
            "{\"labels\":{\"a\":null}}",
        ],
    ),
    (
        "request/object/metadata/labels",
        &["null", "[]", "{\"a\":\"b\",\"a\":\"c\"}", "{\"a\":\"\\ud800\"}"],
    ),
    (
        "request/object/spec",
        &[
            "null",
            "[]",
            "\"\"",
            "[{}]",
            "{\"x\":1e999}",
            "{\"x\":\"\\ud800\"}",
            "{\"x\":1,\"x\":2}",
        ],
    ),
    ("request/object/kind", &["null", "\"Other\"", "7"]),
];

/// Texts of the spec in both objects.
const UNCHANGED: [&str; 4] = ["null", "[]", "{\"x\":1e999}", "{\"x\":\"\\ud800\"}"];

pub(super) fn groups() -> Vec<Group> {
    let kinds = Kind::judged().map(|kind| group(kind.as_str(), &update(kind)));
    let operations = [
        "006-validate-create-shoots",
        "017-validate-delete-shoots",
        "012-validate-update-shoots-status",
    ]
    .map(|name| operation(name, &Body::recorded(name)));
    kinds.chain(operations).collect()
}

/// Returns the UPDATE of a small object without changes.
fn update(kind: Kind) -> Body {
    let (group, version) = kind.api();
    let mut object = json!({
        "apiVersion": kind.api_version(), "kind": kind.as_str(),
        "metadata": {"name": "a", "labels": {"a": "b"}}, "spec": {},
    });
    let mut request = json!({
        "uid": "u", "resource": {"group": group, "version": version, "resource": kind.resource()},
        "name": "a", "operation": "UPDATE", "userInfo": {"username": "alice"},
    });
    if kind.is_namespaced() {
        object["metadata"]["namespace"] = json!("garden-dev");
        request["namespace"] = json!("garden-dev");
    }
    request["object"] = object.clone();
    request["oldObject"] = object;
    let review =
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
    Body::new(review.to_string())
}

fn group(kind: &str, review: &Body) -> Group {
    let mut cases = Vec::new();
    for (path, values) in CHANGES {
        for value in values {
            cases.push((format!("{path}: {value}"), review.with_value(path, value.as_bytes())));
        }
    }
    for value in UNCHANGED {
        let new = review.changed("request/object/spec", value);
        let both = new.with_value("request/oldObject/spec", value.as_bytes());
        cases.push((format!("spec in both objects: {value}"), both));
    }
    Group::new(format!("UPDATE of {kind}"), review, cases)
}

/// Objects that an operation has, and those that it does not.
fn operation(name: &str, review: &Body) -> Group {
    let mut cases = Vec::new();
    for path in ["request/object", "request/oldObject"] {
        cases.push((format!("without {path}"), review.without(path)));
        for value in [
            "null",
            "[]",
            "\"\"",
            "{}",
            "7",
            "{\"spec\":1e999}",
            "{\"metadata\":{\"name\":\"\\ud800\"}}",
        ] {
            cases.push((format!("{path}: {value}"), review.with_value(path, value.as_bytes())));
        }
    }
    for value in
        ["\"CREATE\"", "\"UPDATE\"", "\"DELETE\"", "\"CONNECT\"", "\"create\"", "\"\"", "null"]
    {
        let path = "request/operation";
        cases.push((format!("{path}: {value}"), review.with_value(path, value.as_bytes())));
    }
    for value in ["\"status\"", "\"scale\"", "\"\"", "null", "7"] {
        let field = format!("\"subResource\":{value},");
        cases.push((
            format!("subResource {value} first"),
            review.with_first("request", field.as_bytes()),
        ));
    }
    for value in ["\"v1alpha1\"", "\"\"", "null"] {
        let path = "request/resource/version";
        cases.push((format!("{path}: {value}"), review.with_value(path, value.as_bytes())));
    }
    Group::new(name, review, cases)
}
