// SPDX-License-Identifier: Apache-2.0
use rstest::rstest;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use super::*;
use crate::audit::audited_kinds;
use garden_gate_core::garden::{GardenObject, Knowledge};

fn as_new(kind: Kind, object: &Value) -> AsNew {
    let garden = Snapshot::new(Knowledge::Everything);
    AsNew::of(kind, &to_raw_value(object).unwrap(), &garden)
}

fn value(text: &RawValue) -> Value {
    serde_json::from_str(text.get()).unwrap()
}

/// Returns an object that its owner has written.
fn written() -> Value {
    json!({
        "metadata": {
            "name": "a", "namespace": "b", "annotations": {"example.com/a": "b"},
            "labels": {"gardener.cloud/role": "x"}, "finalizers": ["example.com/own"],
        },
        "spec": {"cloudProfile": {"name": "p"}, "list": [1.0, {"b": 1, "a": 2}]},
    })
}

/// Adds a part to an object.
fn add(object: &mut Value, part: Part<'_>) {
    let metadata = &mut object["metadata"];
    match part {
        Part::Field(name) => object[name] = json!({"a": 1}),
        Part::Metadata(name) => metadata[name] = json!("a"),
        Part::Annotation(key) => metadata["annotations"][key] = json!("a"),
        Part::Label(key) => metadata["labels"][key] = json!("a"),
        Part::LabelPrefix(prefix) => metadata["labels"][format!("{prefix}a")] = json!("true"),
        Part::ReplacedLabels(_) => {
            metadata["labels"]["provider.extensions.gardener.cloud/a"] = json!("true");
        }
        Part::Finalizer(name) => {
            let finalizers = metadata["finalizers"].as_array_mut().unwrap();
            finalizers.insert(0, json!(name));
        }
        Part::SpecBeside { copy, .. } => object["spec"][copy] = json!("p"),
    }
}

#[test]
fn each_part_that_only_the_system_writes_is_removed_from_each_kind() {
    for kind in audited_kinds() {
        let rows = SYSTEM_WRITTEN.iter().filter(|row| row.is_of(kind));
        let mut all = written();
        for row in rows {
            let mut object = written();
            add(&mut object, row.part);
            add(&mut all, row.part);
            let removed = value(&as_new(kind, &object).object);
            assert_eq!(removed, written(), "{kind}: {:?}", row.part);
        }
        assert_eq!(value(&as_new(kind, &all).object), written(), "{kind}");
    }
}

#[test]
fn parts_of_other_kinds_stay() {
    for kind in audited_kinds() {
        for row in SYSTEM_WRITTEN.iter().filter(|row| !row.is_of(kind)) {
            let mut object = written();
            add(&mut object, row.part);
            let others = SYSTEM_WRITTEN.iter().filter(|row| row.is_of(kind));
            let mut replaced = others.filter(|it| matches!(it.part, Part::ReplacedLabels(_)));
            if matches!(row.part, Part::ReplacedLabels(_)) && replaced.next().is_some() {
                continue;
            }
            assert_eq!(value(&as_new(kind, &object).object), object, "{kind}: {:?}", row.part);
        }
    }
}

#[rstest]
#[case::no_profile(json!({"cloudProfileName": "p"}))]
#[case::null_profile(json!({"cloudProfileName": "p", "cloudProfile": null}))]
fn a_profile_name_without_a_reference_stays(#[case] spec: Value) {
    let object = json!({"spec": spec});
    assert_eq!(value(&as_new(Kind::Shoot, &object).object), object);
}

#[rstest]
#[case::list("[1]")]
#[case::text("\"a\"")]
#[case::odd_parts(r#"{"metadata": 1, "spec": [], "a": {"b": 1, "b": 2}}"#)]
#[case::odd_metadata(r#"{"metadata": {"finalizers": {}, "labels": [], "annotations": "a"}}"#)]
fn other_shapes_and_duplicates_stay(#[case] text: &str) {
    let stored = RawValue::from_string(text.to_owned()).unwrap();
    let garden = Snapshot::new(Knowledge::Everything);
    let new = AsNew::of(Kind::Shoot, &stored, &garden);
    let without_blanks = |text: &str| text.replace(' ', "");
    assert_eq!(without_blanks(new.object.get()), without_blanks(text));
}

#[test]
fn tolerations_of_the_exposure_class_are_removed() {
    let class = r#"{"metadata": {"name": "c"}, "handler": "h", "scheduling": {"tolerations": [{"key": "k"}, {"key": "l", "value": "v"}]}}"#;
    let mut garden = Snapshot::new(Knowledge::Everything);
    garden.apply(GardenObject::read(Kind::ExposureClass, class).unwrap().unwrap());
    let own = json!({"key": "own"});
    let shoot = json!({"spec": {"exposureClassName": "c", "tolerations": [
        {"key": "k"}, own, {"key": "l", "value": "v"}, {"key": "l", "value": "w"},
    ]}});
    let new = AsNew::of(Kind::Shoot, &to_raw_value(&shoot).unwrap(), &garden);
    let left = json!([own, {"key": "l", "value": "w"}]);
    assert_eq!(value(&new.object)["spec"]["tolerations"], left);
    assert_eq!(new.shortened, [("/spec/tolerations", "spec.tolerations", vec![1, 3])]);
}

#[test]
fn only_a_scheduled_object_has_a_state_without_seed() {
    let with = |seed: Value| as_new(Kind::Shoot, &json!({"spec": {"seedName": seed, "a": 1}}));
    let unscheduled = with(json!("s")).unscheduled().unwrap();
    assert_eq!(value(&unscheduled), json!({"spec": {"a": 1}}));
    assert!(with(Value::Null).unscheduled().is_none());
    assert!(as_new(Kind::Shoot, &json!({"spec": {}})).unscheduled().is_none());
}
