// SPDX-License-Identifier: Apache-2.0
//! Judges requests by the rules of an extension alone.

use garden_gate_core::admission::Rule;
use garden_gate_core::config::ExtensionSettings;
use garden_gate_core::garden::{Knowledge, Snapshot, read_with_configuration};
use garden_gate_core::rules;
use garden_gate_model::api::Kind;
use garden_gate_model::api::extensions::ExtensionVersion;
use serde_json::{Value, json};

use crate::judging::{Setup, request};

/// Returns the findings of an extension's rules as `type field`, sorted; `parent` is a CloudProfile.
pub(crate) fn judge(
    extension: (&'static str, Option<ExtensionVersion>),
    plural: &str,
    objects: (&Value, Option<&Value>),
    parent: Option<&Value>,
) -> Vec<String> {
    let parent = parent.map(|it| (Kind::CloudProfile, it));
    judge_beside(extension, plural, objects, parent.as_slice())
}

/// Like [`judge`], in a garden with these objects.
pub(crate) fn judge_beside(
    (extension, version): (&'static str, Option<ExtensionVersion>),
    plural: &str,
    (new, old): (&Value, Option<&Value>),
    others: &[(Kind, &Value)],
) -> Vec<String> {
    let mut setup = Setup::with_project(None);
    setup.garden = Snapshot::new(Knowledge::Everything);
    let project = json!({"metadata": {"name": "p"}, "spec": {"namespace": "garden-p"}});
    for (kind, object) in others.iter().copied().chain([(Kind::Project, &project)]) {
        let object = read_with_configuration(kind, object.to_string().as_str());
        setup.garden.apply(object.unwrap().unwrap());
    }
    let settings =
        ExtensionSettings { version, admission: Some(true), ..ExtensionSettings::default() };
    setup.config.extensions.insert(extension, settings);
    let all = rules::ALL.iter().copied();
    let is_own = |it: &&Rule| it.id.split_once('/').is_some_and(|(own, _)| own == extension);
    let own: Vec<&'static Rule> = all.filter(is_own).collect();
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    let review = setup.review_with(&own, &request(plural, operation, new, old));
    let found = review.findings.iter();
    let mut found: Vec<String> = found.map(|it| format!("{:?} {}", it.error, it.field)).collect();
    assert_eq!(review.undetermined.len(), 0);
    found.sort();
    found.dedup();
    found
}

/// Sets the value at a JSON pointer; `null` removes it. `-` appends to a list.
pub(crate) fn set(object: &mut Value, pointer: &str, value: Value) {
    let (above, name) = pointer.rsplit_once('/').unwrap();
    match object.pointer_mut(above).unwrap() {
        Value::Array(elements) if name == "-" => elements.push(value),
        Value::Array(elements) if value.is_null() => {
            elements.remove(name.parse().unwrap());
        }
        Value::Array(elements) => elements[name.parse::<usize>().unwrap()] = value,
        Value::Object(fields) if value.is_null() => {
            fields.remove(name);
        }
        Value::Object(fields) => {
            fields.insert(name.to_owned(), value);
        }
        other => panic!("{other} has no fields"),
    }
}

/// Returns an object with changes, which are a list of pairs of a JSON pointer and a value for [`set`].
pub(crate) fn with(object: &Value, changes: &Value) -> Value {
    let mut object = object.clone();
    for change in changes.as_array().unwrap() {
        let pointer = change[0].as_str().unwrap();
        set(&mut object, pointer, change[1].clone());
    }
    object
}
