// SPDX-License-Identifier: Apache-2.0
use std::cell::OnceCell;

use super::{Operation, Request};
use garden_gate_model::api::Declared;
use garden_gate_model::gardener::defaults;
use garden_gate_text::json::{FieldPair, Json};

/// The difference between the stored and the new object.
///
/// Each part is compared once, on first use.
#[derive(Debug)]
pub struct Difference<'a> {
    /// Whether the operation is UPDATE; otherwise everything differs.
    is_update: bool,
    /// The new and the stored object.
    objects: [Parts<'a>; 2],
    namespace: &'a str,
    /// Whether RawExtensions are compared byte by byte.
    has_bytes: bool,
    /// The specs, defaulted; `None` if they are the same.
    specs: OnceCell<Option<[Json<'a>; 2]>>,
    metadata: OnceCell<bool>,
}

/// Fields that the API server sets and manifests may omit.
const SYSTEM: [&str; 6] =
    ["creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid"];

#[derive(Debug)]
struct Parts<'a> {
    spec: Json<'a>,
    metadata: Json<'a>,
}

impl<'a> Difference<'a> {
    /// Compares the objects of an UPDATE; for other operations everything differs.
    pub(super) fn new(request: &'a Request<'a>) -> Self {
        Self {
            is_update: request.operation == Operation::Update,
            objects: [0, 1].map(|side| Parts::of(request, side)),
            namespace: &request.namespace,
            has_bytes: !request.is_converted,
            specs: OnceCell::new(),
            metadata: OnceCell::new(),
        }
    }

    /// Returns the new and the stored `spec` of a Shoot, defaulted; `None` if they are equal.
    pub fn specs(&self) -> Option<&[Json<'a>; 2]> {
        let [new, old] = &self.objects;
        let typing = self.typing("spec");
        let differing = || differing_specs(&new.spec, &old.spec, self.namespace, typing);
        self.specs.get_or_init(differing).as_ref()
    }

    /// Returns the declared type of a part of a Shoot; `metadata` is the same for all kinds.
    pub(super) fn typing(&self, part: &str) -> Declared {
        Declared::at("Shoot", &[part]).with_bytes(self.has_bytes)
    }

    /// Reports whether `metadata` differs.
    pub fn metadata(&self) -> bool {
        let [new, old] = &self.objects;
        let typing = self.typing("metadata");
        let differs = || !self.is_update || metadata_differs(&new.metadata, &old.metadata, typing);
        *self.metadata.get_or_init(differs)
    }
}

impl<'a> Parts<'a> {
    /// Returns the parts of the new object, or of the stored one.
    fn of(request: &'a Request<'a>, side: usize) -> Self {
        if let Some(fields) = &request.fields[side] {
            let [spec, metadata] = ["spec", "metadata"].map(|name| fields.get(name));
            let value = |text: Option<&'a str>| text.map_or(Json::NULL, Json::text);
            return Self { spec: value(spec), metadata: value(metadata) };
        }
        let [new, old] = request.received();
        let mut object = if side == 0 { new } else { old };
        Self { spec: object.take(&["spec"]), metadata: object.take(&["metadata"]) }
    }
}

fn differing_specs<'a>(
    new: &Json<'a>,
    old: &Json<'a>,
    namespace: &str,
    typing: Declared,
) -> Option<[Json<'a>; 2]> {
    if new.is_same_text(old) {
        return None;
    }
    let specs = [new, old].map(|spec| {
        let mut spec = spec.clone();
        defaults::shoot_spec_json(&mut spec, namespace);
        spec
    });
    let [new, old] = &specs;
    (!new.same_as(old, typing)).then_some(specs)
}

fn metadata_differs(new: &Json<'_>, old: &Json<'_>, typing: Declared) -> bool {
    if new.is_same_text(old) {
        return false;
    }
    let (new, old) = (new.clone().into_fields(), old.clone().into_fields());
    let differs = |field: &FieldPair<'_, '_>| {
        let is_left_out = field.own.is_null() && SYSTEM.contains(&&*field.name);
        !is_left_out && !field.is_same_as(typing)
    };
    new.pairs(&old).any(|field| differs(&field))
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
        [difference.specs().is_some(), difference.metadata()]
    }
}
