// SPDX-License-Identifier: Apache-2.0
//! The field table, compared with the schema of a running API server.

use std::collections::BTreeSet;
use std::fs::File;

use flate2::read::GzDecoder;
use garden_gate_model::api::{
    Constraint, Definition, Described, Field, KINDS, Kind, ListKind, Object, Presence, Shape,
};
use serde_json::{Map, Value};

/// Returns the types of an API group and version, and the types of its kinds.
fn schema(group: &str, version: &str) -> Value {
    let file = File::open(format!("tests/schema/{group}_{version}.json.gz")).unwrap();
    serde_json::from_reader(GzDecoder::new(file)).unwrap()
}

/// Fields of the released v1.150.0 that the recorded v1.150.0-dev lacks.
const LATER: [(&str, &str); 1] = [("SeedStatus", "constraints")];

/// Formats a shape in the notation of the schema, with objects by `type_name`.
fn written(shape: Shape, type_name: &str) -> String {
    let word = match shape {
        Shape::String => "string",
        Shape::Boolean => "boolean",
        Shape::Integer32 => "integer/int32",
        Shape::Integer64 => "integer/int64",
        Shape::Number => "number/double",
        Shape::Time => "time",
        Shape::Duration => "duration",
        Shape::Quantity => "quantity",
        Shape::IntOrString => "int-or-string",
        Shape::Any => "any",
        Shape::Object(_) => type_name,
        Shape::List(inner, _) => return format!("[]{}", written(*inner, type_name)),
        Shape::Map(inner) => return format!("{{}}{}", written(*inner, type_name)),
    };
    word.to_owned()
}

fn list_kind(shape: Shape) -> String {
    match shape {
        Shape::List(_, ListKind::Set) => "set".to_owned(),
        Shape::List(_, ListKind::By(key)) => format!("map:{key}"),
        _ => "atomic".to_owned(),
    }
}

fn enumerated(field: &Field) -> Option<Value> {
    let values = field.constraints.iter().find_map(|it| match it {
        Constraint::Enum(values) => Some(*values),
        _ => None,
    });
    values.map(Value::from)
}

/// Compares a field with its entry in the schema, and returns the type of its content.
fn compare(place: &str, field: &Field, recorded: &Value) -> String {
    let recorded_type = recorded["type"].as_str().unwrap();
    let inner = recorded_type.trim_start_matches(['[', ']', '{', '}']);
    assert_eq!(written(field.shape, inner), recorded_type, "{place}");
    let kind = recorded["list"].as_str().unwrap_or("atomic");
    assert_eq!(list_kind(field.shape), kind, "{place}");
    let is_stored = field.presence != Presence::Optional;
    assert_eq!(is_stored, recorded["required"] == true, "{place}");
    if let Some(values) = recorded.get("enum") {
        assert_eq!(enumerated(field).as_ref(), Some(values), "{place}");
    }
    inner.to_owned()
}

fn walk(object: &Object, name: &str, types: &Map<String, Value>, seen: &mut BTreeSet<String>) {
    if !seen.insert(name.to_owned()) {
        return;
    }
    let recorded = types[name].as_object().unwrap();
    let is_later = |field: &Field| LATER.contains(&(object.name, field.name));
    let fields = object.fields.iter().filter(|field| !is_later(field));
    let ours: BTreeSet<&str> = fields.clone().map(|field| field.name).collect();
    let theirs: BTreeSet<&str> = recorded.keys().map(String::as_str).collect();
    assert_eq!(ours, theirs, "{name}");
    assert_eq!(ours.len(), fields.clone().count(), "{name} has a field twice");
    for field in fields {
        let place = format!("{name}.{}", field.name);
        let inner = compare(&place, field, &recorded[field.name]);
        if let Some(object) = field.shape.object() {
            walk(object, &inner, types, seen);
        }
    }
}

/// API groups and versions without a recorded schema.
const UNRECORDED: [(&str, &str); 3] = [
    ("core.gardener.cloud", "v1"),
    ("operations.gardener.cloud", "v1alpha1"),
    ("seedmanagement.gardener.cloud", "v1alpha1"),
];

#[test]
fn the_table_has_the_fields_that_the_api_server_has_and_no_others() {
    let mut seen = BTreeSet::new();
    let is_recorded = |kind: &&Described| {
        let custom = Kind::of_manifest(kind.group, kind.kind).and_then(Definition::of);
        custom.is_none() && !UNRECORDED.contains(&(kind.group, kind.version))
    };
    for kind in KINDS.iter().filter(is_recorded) {
        let schema = schema(kind.group, kind.version);
        let types = schema["types"].as_object().unwrap();
        let root = schema["kinds"][kind.kind].as_str().unwrap();
        walk(kind.object, root, types, &mut seen);
    }
    assert!(seen.len() > 180, "{} types", seen.len());
}

/// Collects the objects below an object; the same name always refers to the same object.
fn objects(object: &'static Object, found: &mut Vec<&'static Object>) {
    if found.iter().any(|known| std::ptr::eq(*known, object)) {
        return;
    }
    found.push(object);
    for field in object.fields {
        if let Some(inner) = field.shape.object() {
            objects(inner, found);
        }
    }
}

#[test]
fn names_of_objects_are_unique() {
    let mut found = Vec::new();
    for kind in KINDS.iter() {
        objects(kind.object, &mut found);
    }
    let names: BTreeSet<&str> = found.iter().map(|object| object.name).collect();
    assert_eq!(names.len(), found.len());
}
