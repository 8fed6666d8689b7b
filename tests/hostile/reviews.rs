use std::fs;

use serde_json::{Value, json};

/// One of the reviews that a real API server sent.
pub(crate) fn recorded(file: &str) -> Value {
    let recorded = fs::read_to_string(format!("tests/requests/{file}.json")).unwrap();
    serde_json::from_str::<Value>(&recorded).unwrap()["review"].take()
}

/// The CREATE of a Shoot.
pub(crate) fn create() -> Value {
    recorded("006-validate-create-shoots")
}

/// The UPDATE of a Shoot that changes nothing.
pub(crate) fn update() -> Value {
    let mut review = recorded("004-validate-update-shoots");
    review["request"]["object"] = review["request"]["oldObject"].clone();
    review
}

/// The UPDATE of a Shoot that gets more machines.
pub(crate) fn update_of_maximum() -> Value {
    let mut review = update();
    review["request"]["object"]["spec"]["provider"]["workers"][0]["maximum"] = json!(99);
    review
}

/// The same for a Shoot that is being deleted.
pub(crate) fn update_in_deletion() -> Value {
    let mut review = update_of_maximum();
    set(
        &mut review,
        "/metadata/deletionTimestamp",
        &json!("2026-01-01T00:00:00Z"),
    );
    review
}

/// Where a Shoot holds what its provider alone reads.
pub(crate) const CONFIG: &str = "/spec/provider/infrastructureConfig";

/// Sets a member of the objects of a review, of both if there are two.
pub(crate) fn set(review: &mut Value, pointer: &str, value: &Value) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    for side in ["object", "oldObject"] {
        if let Some(parent) = review["request"][side].pointer_mut(parent) {
            parent[name] = value.clone();
        }
    }
}

/// The text of a review whose objects have this text in a place; it need not be what `serde_json::Value` can hold.
pub(crate) fn with_text(mut review: Value, pointer: &str, text: &str) -> String {
    const HERE: &str = "@here@";
    set(&mut review, pointer, &json!(HERE));
    review.to_string().replace(&format!("\"{HERE}\""), text)
}

/// `{"a":[{"":0},…]}` of so many bytes: what becomes largest when every value gets a node of a tree.
pub(crate) fn empty_fields(bytes: usize) -> String {
    let item = "{\"\":0},";
    let items = item.repeat(bytes / item.len());
    format!("{{\"a\":[{}]}}", items.trim_end_matches(','))
}

/// What JSON allows and few readers take: half a surrogate pair, a number beyond all floats, and nesting.
pub(crate) fn unreadable() -> Vec<(&'static str, String)> {
    let nested = |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
    vec![
        ("half a surrogate pair", r#"{"a":"\ud800"}"#.to_owned()),
        ("a key that is half a pair", r#"{"\udc00":1}"#.to_owned()),
        ("200 levels", nested(200)),
        ("a number beyond floats", r#"{"a":1e999}"#.to_owned()),
        ("5,000 levels", nested(5_000)),
    ]
}
