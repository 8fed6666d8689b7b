// SPDX-License-Identifier: Apache-2.0
use std::fs;

use serde_json::{Value, json};

/// Returns a recorded review of a real API server.
pub(crate) fn recorded(file: &str) -> Value {
    let recorded = fs::read_to_string(format!("tests/requests/{file}.json")).unwrap();
    serde_json::from_str::<Value>(&recorded).unwrap()["review"].take()
}

/// Returns the CREATE of a Shoot.
pub(crate) fn create() -> Value {
    recorded("006-validate-create-shoots")
}

/// Returns the UPDATE of a Shoot without changes.
pub(crate) fn update() -> Value {
    let mut review = recorded("004-validate-update-shoots");
    review["request"]["object"] = review["request"]["oldObject"].clone();
    review
}

/// Returns the UPDATE of a Shoot that gets more machines.
pub(crate) fn update_of_maximum() -> Value {
    let mut review = update();
    review["request"]["object"]["spec"]["provider"]["workers"][0]["maximum"] = json!(99);
    review
}

/// Returns the same UPDATE for a Shoot in deletion.
pub(crate) fn update_in_deletion() -> Value {
    let mut review = update_of_maximum();
    set(&mut review, "/metadata/deletionTimestamp", &json!("2026-01-01T00:00:00Z"));
    review
}

/// A field of a Shoot that only its provider reads.
pub(crate) const CONFIG: &str = "/spec/provider/infrastructureConfig";

/// Sets a field in the objects of a review, in both if there are two.
pub(crate) fn set(review: &mut Value, pointer: &str, value: &Value) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    for side in ["object", "oldObject"] {
        if let Some(parent) = review["request"][side].pointer_mut(parent) {
            parent[name] = value.clone();
        }
    }
}

/// Returns a review whose objects contain this text, which `serde_json::Value` may not be able to represent.
pub(crate) fn with_text(mut review: Value, pointer: &str, text: &str) -> String {
    const HERE: &str = "@here@";
    set(&mut review, pointer, &json!(HERE));
    review.to_string().replace(&format!("\"{HERE}\""), text)
}

/// Returns `{"a":[{"":0},…]}` with this size, which has the largest tree.
pub(crate) fn empty_fields(bytes: usize) -> String {
    let item = "{\"\":0},";
    let items = item.repeat(bytes / item.len());
    format!("{{\"a\":[{}]}}", items.trim_end_matches(','))
}

/// Valid JSON that many parsers reject: halves of surrogate pairs, numbers beyond all floats, and deep nesting.
pub(crate) fn unreadable() -> Vec<(&'static str, String)> {
    let nested = |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
    vec![
        ("half a surrogate pair", r#"{"a":"\ud800"}"#.to_owned()),
        ("a key that is half a pair", r#"{"\udc00":1}"#.to_owned()),
        ("127 levels", nested(127)),
        ("128 levels", nested(128)),
        ("200 levels", nested(200)),
        ("a number beyond floats", r#"{"a":1e999}"#.to_owned()),
        ("a number with a long exponent", r#"{"a":-1e99999999999999999999}"#.to_owned()),
        ("5,000 levels", nested(5_000)),
    ]
}
