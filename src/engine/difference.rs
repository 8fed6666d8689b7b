use std::cell::OnceCell;

use super::{Operation, Request};
use crate::compat::{FieldPair, Json};
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

#[derive(Debug)]
struct Parts<'a> {
    spec: Json<'a>,
    metadata: Json<'a>,
}

impl<'a> Difference<'a> {
    /// Compares the objects of an UPDATE; on other operations everything differs.
    pub(super) fn new(request: &'a Request<'a>) -> Self {
        let is_update = request.operation == Operation::Update;
        let parts = || [request.object, request.old_object].map(|raw| parts(Json::received(raw)));
        Self {
            objects: is_update.then(parts),
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
            objects.is_none_or(|[new, old]| specs_differ(&new.spec, &old.spec, self.namespace))
        })
    }

    /// Whether anything differs in `metadata`.
    #[must_use]
    pub fn metadata(&self) -> bool {
        *self.metadata.get_or_init(|| {
            let objects = self.objects.as_ref();
            objects.is_none_or(|[new, old]| metadata_differs(&new.metadata, &old.metadata))
        })
    }
}

fn parts(mut object: Json<'_>) -> Parts<'_> {
    Parts {
        spec: object.take(&["spec"]),
        metadata: object.take(&["metadata"]),
    }
}

fn specs_differ(new: &Json<'_>, old: &Json<'_>, namespace: &str) -> bool {
    if new.is_same_text(old) {
        return false;
    }
    let [new, old] = [new, old].map(|spec| {
        let mut spec = spec.clone();
        defaults::shoot_spec_json(&mut spec, namespace);
        spec
    });
    !new.same(&old)
}

/// Field by field, the longest last.
fn metadata_differs(new: &Json<'_>, old: &Json<'_>) -> bool {
    if new.is_same_text(old) {
        return false;
    }
    let (new, old) = (new.clone().into_fields(), old.clone().into_fields());
    let differs = |field: &FieldPair<'_, '_>| {
        let is_left_out = field.own.is_null() && SYSTEM.contains(&&*field.name);
        !is_left_out && !field.is_same()
    };
    let (long, short): (Vec<_>, Vec<_>) = new
        .pairs(&old)
        .partition(|field| field.name == MANAGED_FIELDS);
    short.iter().chain(&long).any(differs)
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
        assert_eq!(found(&request), expected);
    }

    #[rstest]
    #[case::half_of_a_pair(r#""\ud800""#)]
    #[case::number_beyond_any_type("1e999")]
    #[case::deep(&format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)))]
    fn what_no_tree_can_hold_hides_nothing(#[case] strange: &str) {
        let request = |maximum: u8| {
            let spec = |maximum: u8| format!(r#"{{"strange": {strange}, "maximum": {maximum}}}"#);
            format!(
                r#"{{"operation": "UPDATE", "object": {{"spec": {}}}, "oldObject": {{"spec": {}}}}}"#,
                spec(maximum),
                spec(3)
            )
        };
        assert_eq!(found(&request(99)), [true, false]);
        assert_eq!(found(&request(3)), [false, false]);
    }

    fn found(request: &str) -> [bool; 2] {
        let request: Request<'_> = serde_json::from_str(request).unwrap();
        let difference = Difference::new(&request);
        [difference.spec(), difference.metadata()]
    }
}
