// SPDX-License-Identifier: Apache-2.0
//! Updates whose objects differ in spelling only, or nearly do.

use std::collections::BTreeMap;
use std::slice;

use serde_json::Value;
use serde_json::value::RawValue;

use super::Group;
use super::body::Body;

const REVIEWS: [&str; 3] = [
    "004-validate-update-shoots",
    "008-validate-update-cloudprofiles",
    "010-validate-update-projects",
];

/// Values in an object that are spelled differently.
const PATHS: [&str; 5] = ["", "/metadata", "/metadata/labels", "/spec", "/status"];

/// Values of which one is the start of another one, or looks like it.
const ALIKE: [&str; 9] =
    ["1", "12", "1.0", "\"a\"", r#""a\"""#, r#""\u0061""#, "[1]", "[1,2]", r#"{"":1}"#];

/// Returns updates in which one object, or both, have values with other spellings.
pub(super) fn groups() -> Vec<Group> {
    let groups = REVIEWS.into_iter().map(|name| {
        let review = Body::recorded(name);
        let mut cases = Vec::new();
        for path in PATHS.iter().filter(|path| review.has(&format!("request/object{path}"))) {
            spelled(&review, path, &mut cases);
        }
        for parent in ["", "/metadata", "/spec"] {
            alike(&review, parent, &mut cases);
        }
        Group::new(name, &review, cases)
    });
    groups.collect()
}

/// Adds bodies in which the new object, the stored one or both have an object with another spelling.
fn spelled(review: &Body, path: &str, cases: &mut Vec<(String, Vec<u8>)>) {
    let [new, old] = ["object", "oldObject"].map(|it| format!("request/{it}{path}"));
    for (name, value) in spellings(review.get(&new)) {
        let mut add = |which: &str, body: Vec<u8>| {
            cases.push((format!("{path}: {name} in {which}"), body));
        };
        add("the new object", review.with_value(&new, value.as_bytes()));
        if review.has(&old) {
            add("the stored object", review.with_value(&old, value.as_bytes()));
            let both = review.changed(&new, &value);
            add("both objects", both.with_value(&old, value.as_bytes()));
            // Without other changes.
            let same = review.changed(&old, review.get(&new));
            add("the stored object only", same.with_value(&old, value.as_bytes()));
        }
    }
}

/// Returns texts of an object with nearly the same meaning.
fn spellings(object: &str) -> Vec<(&'static str, String)> {
    let fields: BTreeMap<&str, &RawValue> = serde_json::from_str(object).unwrap();
    let fields: Vec<String> =
        fields.iter().map(|(name, value)| format!("\"{name}\":{}", value.get())).collect();
    let object = |fields: &[String]| format!("{{{}}}", fields.join(","));
    let with = |at: usize, field: &str| {
        let mut fields = fields.clone();
        fields.insert(at, field.to_owned());
        object(&fields)
    };
    // In an object of the API, this is `spec` or `status`, which two objects may share.
    let Some((last, others)) = fields.split_last() else { return Vec::new() };
    let (name, value) = last.split_once(':').unwrap();
    let null = format!("{name}:null");
    let escaped = format!("\"\\u{:04x}{}:{value}", name.as_bytes()[1], &name[2..]);
    let many: Vec<String> = (0..40).map(|it| format!("\"x{it}\":{it}")).collect();
    let tree: Value = serde_json::from_str(&object(&fields)).unwrap();
    let reversed: Vec<String> = fields.iter().rev().cloned().collect();
    vec![
        ("sorted fields", object(&fields)),
        ("reversed fields", object(&reversed)),
        ("lines", serde_json::to_string_pretty(&tree).unwrap()),
        ("space after it", object(&fields) + " "),
        ("an escaped name", object(&[others, slice::from_ref(&escaped)].concat())),
        ("a repeated field", with(0, last)),
        ("a repeated field with an escape", with(0, &escaped)),
        ("a repeated field that is null before", with(0, &null)),
        ("a repeated field that is null after", with(fields.len(), &null)),
        ("an unknown field that is null", with(0, "\"x\":null")),
        ("an empty name", with(0, "\"\":{}")),
        ("many fields", with(0, &many.join(","))),
    ]
}

/// Adds bodies with a further field in both objects, whose values look alike.
fn alike(review: &Body, parent: &str, cases: &mut Vec<(String, Vec<u8>)>) {
    let [new_parent, old_parent] =
        ["object", "oldObject"].map(|it| format!("request/{it}{parent}"));
    for (new, old) in ALIKE.iter().flat_map(|new| ALIKE.map(|old| (new, old))) {
        let body = review.with_last(&new_parent, format!(",\"x\":{new}").as_bytes());
        let body = Body::new(String::from_utf8(body).unwrap())
            .with_last(&old_parent, format!(",\"x\":{old}").as_bytes());
        cases.push((format!("{parent}/x: {old} becomes {new}"), body));
    }
}
