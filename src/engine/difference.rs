use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Operation, Request};
use crate::compat::semantically_equal;
use crate::defaults;

/// What differs between the stored and the new object, whatever rules read of it; each part is compared once, when first asked for.
#[derive(Debug)]
pub struct Difference<'a> {
    /// The new object and the stored one; `None` where there is nothing to compare with, so that everything differs.
    objects: Option<[Parts<'a>; 2]>,
    namespace: &'a str,
    spec: OnceCell<bool>,
    metadata: OnceCell<bool>,
}

/// What the API server fills in and a manifest need not repeat.
const SYSTEM: [&str; 6] = [
    "creationTimestamp",
    "generation",
    MANAGED_FIELDS,
    "resourceVersion",
    "selfLink",
    "uid",
];

/// Long, and seldom what matters.
const MANAGED_FIELDS: &str = "managedFields";

#[derive(Debug, Default, Deserialize)]
struct Parts<'a> {
    #[serde(default, borrow)]
    spec: Option<&'a RawValue>,
    #[serde(default, borrow)]
    metadata: Option<&'a RawValue>,
}

impl<'a> Difference<'a> {
    /// Compares the objects of an UPDATE; on other operations everything differs.
    pub(super) fn new(request: &'a Request<'a>) -> Self {
        let is_update = request.operation == Operation::Update;
        Self {
            objects: is_update.then(|| [parts(request.object), parts(request.old_object)]),
            namespace: &request.namespace,
            spec: OnceCell::new(),
            metadata: OnceCell::new(),
        }
    }

    /// Whether anything differs in the `spec` of a Shoot, once defaults are filled in.
    #[must_use]
    pub fn spec(&self) -> bool {
        *self.spec.get_or_init(|| {
            let objects = self.objects.as_ref();
            objects.is_none_or(|[new, old]| specs_differ(new, old, self.namespace))
        })
    }

    /// Whether anything differs in `metadata`.
    #[must_use]
    pub fn metadata(&self) -> bool {
        *self.metadata.get_or_init(|| {
            let objects = self.objects.as_ref();
            objects.is_none_or(|[new, old]| metadata_differs(new, old))
        })
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

/// Field by field, so that of the long ones only those are read that are not alike to the letter.
fn metadata_differs(new: &Parts<'_>, old: &Parts<'_>) -> bool {
    if text(new.metadata) == text(old.metadata) {
        return false;
    }
    let (new, old) = (fields(new.metadata), fields(old.metadata));
    let differs = |field: &&String| {
        let (new, old) = (new.get(*field).copied(), old.get(*field).copied());
        if text(new) == text(old) || (new.is_none() && SYSTEM.contains(&field.as_str())) {
            return false;
        }
        let only = |raw| json!({ field.as_str(): value(raw) });
        !semantically_equal(&only(new), &only(old))
    };
    let all: BTreeSet<&String> = new.keys().chain(old.keys()).collect();
    let (long, short): (Vec<&String>, Vec<&String>) =
        all.into_iter().partition(|field| *field == MANAGED_FIELDS);
    short.iter().chain(&long).any(differs)
}

fn fields(object: Option<&RawValue>) -> BTreeMap<String, &RawValue> {
    serde_json::from_str(text(object)).unwrap_or_default()
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

    use super::{Difference, Request};

    #[rstest]
    #[case::nothing(json!({"spec": {"a": [], "seedName": "s"}}), json!({"spec": {"seedName": "s"}}), [false, false])]
    #[case::defaults(json!({"spec": {"purpose": "evaluation", "schedulerName": "default-scheduler"}}), json!({"spec": {}}), [false, false])]
    #[case::seed(json!({"spec": {"seedName": "t"}}), json!({"spec": {"seedName": "s"}}), [true, false])]
    #[case::uid(json!({"metadata": {"name": "s"}, "spec": {}}), json!({"metadata": {"name": "s", "uid": "u"}, "spec": {}}), [false, false])]
    #[case::order(json!({"metadata": {"labels": {"a": "b", "c": "d"}, "finalizers": []}}), json!({"metadata": {"labels": {"c": "d", "a": "b"}}}), [false, false])]
    #[case::managed(json!({"metadata": {"managedFields": [{"manager": "a"}]}}), json!({"metadata": {"managedFields": [{"manager": "b"}]}}), [false, true])]
    #[case::label(json!({"metadata": {"labels": {"a": "b"}}}), json!({"metadata": {}}), [false, true])]
    fn differences(#[case] new: Value, #[case] old: Value, #[case] expected: [bool; 2]) {
        let request = json!({"operation": "UPDATE", "object": new, "oldObject": old}).to_string();
        let request: Request<'_> = serde_json::from_str(&request).unwrap();
        let difference = Difference::new(&request);
        let found = [difference.spec(), difference.metadata()];
        assert_eq!(found, expected);
    }
}
