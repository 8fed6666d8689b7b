use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Operation, Request};
use crate::compat::semantically_equal;
use crate::defaults;

/// What differs between the stored and the new object, whatever rules read of it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Difference {
    /// Anything in `spec`.
    pub spec: bool,
    /// Anything in `metadata`.
    pub metadata: bool,
}

/// Everything differs from nothing.
const ALL: Difference = Difference {
    spec: true,
    metadata: true,
};
/// What the API server fills in and a manifest need not repeat.
const SYSTEM: [&str; 6] = [
    "creationTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "uid",
];

#[derive(Default, Deserialize)]
struct Parts<'a> {
    #[serde(default, borrow)]
    spec: Option<&'a RawValue>,
    #[serde(default, borrow)]
    metadata: Option<&'a RawValue>,
}

/// Compares the objects of an UPDATE of a Shoot; on other operations everything differs.
pub(super) fn difference(request: &Request<'_>) -> Difference {
    if request.operation != Operation::Update {
        return ALL;
    }
    let (new, old) = (parts(request.object), parts(request.old_object));
    Difference {
        spec: specs_differ(&new, &old, &request.namespace),
        metadata: metadata_differs(&new, &old),
    }
}

fn parts(object: Option<&RawValue>) -> Parts<'_> {
    let parts = object.and_then(|raw| serde_json::from_str(raw.get()).ok());
    parts.unwrap_or_default()
}

fn specs_differ(new: &Parts<'_>, old: &Parts<'_>, namespace: &str) -> bool {
    if text(new.spec) == text(old.spec) {
        return false;
    }
    let [new, old] = [new.spec, old.spec].map(|spec| {
        let mut spec = value(spec);
        defaults::shoot_spec_json(&mut spec, namespace);
        spec
    });
    !semantically_equal(&new, &old)
}

fn metadata_differs(new: &Parts<'_>, old: &Parts<'_>) -> bool {
    if text(new.metadata) == text(old.metadata) {
        return false;
    }
    let (new, mut old) = (value(new.metadata), value(old.metadata));
    if let Some(old) = old.as_object_mut() {
        old.retain(|field, _| !SYSTEM.contains(&field.as_str()) || new.get(field).is_some());
    }
    !semantically_equal(&new, &old)
}

fn text(raw: Option<&RawValue>) -> &str {
    raw.map_or("", RawValue::get)
}

fn value(raw: Option<&RawValue>) -> Value {
    serde_json::from_str(text(raw)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{Difference, Request, difference};

    #[rstest]
    #[case::nothing(json!({"spec": {"a": [], "seedName": "s"}}), json!({"spec": {"seedName": "s"}}), [false, false])]
    #[case::defaults(json!({"spec": {"purpose": "evaluation", "schedulerName": "default-scheduler"}}), json!({"spec": {}}), [false, false])]
    #[case::seed(json!({"spec": {"seedName": "t"}}), json!({"spec": {"seedName": "s"}}), [true, false])]
    #[case::uid(json!({"metadata": {"name": "s"}, "spec": {}}), json!({"metadata": {"name": "s", "uid": "u"}, "spec": {}}), [false, false])]
    #[case::label(json!({"metadata": {"labels": {"a": "b"}}}), json!({"metadata": {}}), [false, true])]
    fn differences(#[case] new: Value, #[case] old: Value, #[case] expected: [bool; 2]) {
        let request = json!({"operation": "UPDATE", "object": new, "oldObject": old}).to_string();
        let request: Request<'_> = serde_json::from_str(&request).unwrap();
        let Difference { spec, metadata } = difference(&request);
        assert_eq!([spec, metadata], expected);
    }
}
