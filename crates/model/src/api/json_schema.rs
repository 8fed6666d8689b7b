// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::api::extensions::{ConfigurationPlace, described_configurations};
use crate::api::{
    Constraint, Described, Field, GardenerVersion, ListKind, Object, Presence, Removed, Shape,
};

/// The syntax of durations in Go.
const DURATION: &str = r"^[-+]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$";
/// The syntax of quantities in Kubernetes.
const QUANTITY: &str =
    r"^\s*[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][-+]?[0-9]+)?\s*$";

/// Returns the JSON Schema (draft 2020-12) of a kind in a version of Gardener, for editors.
///
/// Fields and values that the version does not have are left out. The schema describes the purpose and the possible values of fields. As in the API, `null` means an omitted field. The schema allows any object
/// for fields that extensions read, and for `status`, which is not written manually.
pub fn json_schema(kind: &Described, version: GardenerVersion) -> Value {
    let mut definitions = Definitions { version, owner: "", written: BTreeMap::new() };
    let api_version = format!("{}/{}", kind.group, kind.version);
    let mut root = object(kind.object, &mut definitions);
    root.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    root.insert("title".to_owned(), json!(kind.kind));
    root.insert("type".to_owned(), json!("object"));
    let mut schema = Value::Object(root);
    schema["properties"]["apiVersion"]["const"] = json!(api_version);
    schema["properties"]["kind"]["const"] = json!(kind.kind);
    let always = ["apiVersion", "kind", "metadata"].map(Value::from);
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let others = required.into_iter().filter(|it| !always.contains(it));
    schema["required"] = always.iter().cloned().chain(others).collect();
    let configurations = configurations(kind, &mut definitions);
    if !configurations.is_empty() {
        schema["allOf"] = Value::Array(configurations);
    }
    schema["$defs"] = json!(definitions.written);
    schema
}

/// Returns a schema for each configuration of a known extension, which applies to objects that name the extension.
///
/// It describes the newest known version of the extension.
fn configurations(kind: &Described, definitions: &mut Definitions) -> Vec<Value> {
    let gardener = definitions.version;
    let mut schemas = Vec::new();
    for (extension, configuration) in described_configurations() {
        let Some((path, chooser)) = configuration_paths(kind.kind, configuration.place) else {
            continue;
        };
        definitions.version = extension.newest().as_declared();
        definitions.owner = extension.name;
        let schema = reference(configuration.object, definitions);
        schemas.push(chosen(path, chooser, configuration.class, &schema));
    }
    definitions.version = gardener;
    definitions.owner = "";
    schemas
}

/// Returns the paths of a configuration, and of the type that chooses it, in objects of a kind; `[]` is any item of a list.
pub fn configuration_paths(
    kind: &str,
    place: ConfigurationPlace,
) -> Option<(&'static str, &'static str)> {
    const POOL: &str = "spec.provider.workers.[].providerConfig";
    const PROVIDER: &str = "spec.provider.type";
    Some(match (kind, place) {
        ("Shoot", ConfigurationPlace::Infrastructure) => {
            ("spec.provider.infrastructureConfig", PROVIDER)
        }
        ("Shoot", ConfigurationPlace::ControlPlane) => {
            ("spec.provider.controlPlaneConfig", PROVIDER)
        }
        ("Shoot", ConfigurationPlace::Worker) => (POOL, PROVIDER),
        ("Shoot", ConfigurationPlace::MachineImage) => {
            const IMAGE: (&str, &str) = (
                "spec.provider.workers.[].machine.image.providerConfig",
                "spec.provider.workers.[].machine.image.name",
            );
            IMAGE
        }
        ("Shoot", ConfigurationPlace::ContainerRuntime) => {
            const RUNTIME: (&str, &str) = (
                "spec.provider.workers.[].cri.containerRuntimes.[].providerConfig",
                "spec.provider.workers.[].cri.containerRuntimes.[].type",
            );
            RUNTIME
        }
        ("Shoot", ConfigurationPlace::Network) => {
            ("spec.networking.providerConfig", "spec.networking.type")
        }
        ("Shoot" | "Seed", ConfigurationPlace::Extension) => {
            ("spec.extensions.[].providerConfig", "spec.extensions.[].type")
        }
        ("CloudProfile", ConfigurationPlace::CloudProfile) => ("spec.providerConfig", "spec.type"),
        ("Seed", ConfigurationPlace::SeedProvider) => ("spec.provider.providerConfig", PROVIDER),
        ("Seed", ConfigurationPlace::Backup) => {
            ("spec.backup.providerConfig", "spec.backup.provider")
        }
        _ => return None,
    })
}

/// Returns a schema that applies `schema` to the value at a path if the value at the path `chooser` is `class`.
///
/// If both are in the items of the same list, it applies to the items of that class.
fn chosen(path: &str, chooser: &str, class: &str, schema: &Value) -> Value {
    if let (Some((list, inner)), Some((other, own))) =
        (path.split_once(".[]."), chooser.split_once(".[]."))
        && list == other
    {
        let items = chosen(inner, own, class, schema);
        return at(list, json!({"type": ["array", "null"], "items": items}), false);
    }
    let condition = at(chooser, json!({"const": class}), true);
    json!({"if": condition, "then": at(path, schema.clone(), false)})
}

/// Returns a schema for the value at a path of field names, which must exist if it is `required`.
fn at(path: &str, schema: Value, required: bool) -> Value {
    path.rsplit('.').fold(schema, |schema, name| match name {
        "[]" => json!({"items": schema}),
        _ if required => json!({"properties": {name: schema}, "required": [name]}),
        _ => json!({"properties": {name: schema}}),
    })
}

/// The definitions of objects, in a version of Gardener or of an extension.
struct Definitions {
    version: GardenerVersion,
    /// The extension that declares the objects; empty for Gardener.
    owner: &'static str,
    written: BTreeMap<String, Value>,
}

fn object(object: &Object, definitions: &mut Definitions) -> Map<String, Value> {
    let version = definitions.version;
    let mut properties: Map<String, Value> =
        object.fields_in(version).map(|it| (it.name.to_owned(), field(it, definitions))).collect();
    let removed = Removed::fields_in(object, version)
        .map(|(it, shape)| (it.field.to_owned(), removed(it, shape, definitions)));
    properties.extend(removed);
    let required: Vec<&str> = object
        .fields_in(version)
        .filter(|field| field.presence == Presence::Required)
        .map(|field| field.name)
        .collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!(["object", "null"]));
    schema.insert("description".to_owned(), json!(object.about()));
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("additionalProperties".to_owned(), json!(false));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema
}

fn field(field: &Field, definitions: &mut Definitions) -> Value {
    let mut schema = match (field.name, field.shape) {
        ("status", Shape::Object(_)) => json!({"type": ["object", "null"]}),
        (_, shape) => self::shape(shape, definitions),
    };
    for constraint in field.constraints {
        restrict(&mut schema, *constraint);
    }
    if let Some(values) = field.values_in(definitions.version) {
        value(&mut schema)["enum"] = json!(values);
    }
    if field.presence != Presence::Required {
        allow_null(&mut schema);
    }
    schema["description"] = json!(described(field, definitions.owner));
    schema
}

/// Returns the schema of a field that later versions of Gardener do not have.
fn removed(field: &Removed, shape: Shape, definitions: &mut Definitions) -> Value {
    let mut schema = self::shape(shape, definitions);
    allow_null(&mut schema);
    let Removed { release, instead, .. } = field;
    schema["deprecated"] = json!(true);
    schema["description"] = json!(format!("Removed in Gardener {release}: {instead}."));
    schema
}

/// Returns the purpose of a field, and the versions of Gardener and Kubernetes that have it.
///
/// `owner` is the extension that declares it; empty for Gardener.
pub fn described(field: &Field, owner: &str) -> String {
    let owner = if owner.is_empty() { "Gardener" } else { owner };
    let major = if owner == "Gardener" { "1." } else { "minor version " };
    let limits = field.constraints.iter().filter_map(|it| match it {
        Constraint::RemovedFrom(minor, instead) => {
            Some(format!(" Forbidden from Kubernetes 1.{minor} on: {instead}."))
        }
        Constraint::AddedIn(minor) => Some(format!(" Only from Kubernetes 1.{minor} on.")),
        Constraint::Since(minor) => Some(format!(" Since {owner} {major}{minor}.")),
        Constraint::ValueSince(minor, value) => {
            Some(format!(" `{value}` since Gardener 1.{minor}."))
        }
        Constraint::WithWorkers => Some(" Only for Shoots with workers.".to_owned()),
        _ => None,
    });
    field.about() + &limits.collect::<String>()
}

fn shape(shape: Shape, definitions: &mut Definitions) -> Value {
    match shape {
        Shape::String => json!({"type": "string"}),
        Shape::Boolean => json!({"type": "boolean"}),
        Shape::Integer32 => {
            json!({"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX})
        }
        Shape::Integer64 => {
            json!({"type": "integer", "minimum": i64::MIN, "maximum": i64::MAX})
        }
        Shape::Number => json!({"type": "number"}),
        Shape::Time => json!({"type": "string", "format": "date-time"}),
        Shape::Duration => json!({"type": "string", "pattern": DURATION}),
        Shape::Quantity => json!({"type": ["string", "number"], "pattern": QUANTITY}),
        Shape::IntOrString => {
            json!({"type": ["integer", "string"], "minimum": i32::MIN, "maximum": i32::MAX})
        }
        Shape::Any => json!({"type": ["object", "null"]}),
        Shape::Object(object) => reference(object, definitions),
        Shape::List(item, kind) => list(*item, kind, definitions),
        Shape::Map(item) => {
            let mut values = self::shape(*item, definitions);
            allow_null(&mut values);
            json!({"type": "object", "additionalProperties": values})
        }
    }
}

fn list(item: Shape, kind: ListKind, definitions: &mut Definitions) -> Value {
    let mut schema = json!({"type": "array", "items": shape(item, definitions)});
    match kind {
        ListKind::Atomic => {}
        ListKind::Set => schema["uniqueItems"] = json!(true),
        ListKind::By(key) => {
            schema["x-kubernetes-list-type"] = json!("map");
            schema["x-kubernetes-list-map-keys"] = json!([key]);
        }
    }
    schema
}

/// Returns a reference to an object, whose definition is written once.
fn reference(object: &'static Object, definitions: &mut Definitions) -> Value {
    let name = match definitions.owner {
        "" => object.name.to_owned(),
        owner => format!("{owner}.{}", object.name),
    };
    if !definitions.written.contains_key(&name) {
        // A placeholder while its fields are described, as one of them may refer back to it.
        definitions.written.insert(name.clone(), Value::Null);
        let definition = self::object(object, definitions);
        definitions.written.insert(name.clone(), Value::Object(definition));
    }
    json!({"$ref": format!("#/$defs/{name}")})
}

/// Adds a constraint to a schema, if the schema can express it.
///
/// Constraints on other fields are skipped.
fn restrict(schema: &mut Value, constraint: Constraint) {
    match constraint {
        Constraint::NotEmpty if schema["type"] == "array" => schema["minItems"] = json!(1),
        Constraint::Distinct => schema["uniqueItems"] = json!(true),
        Constraint::RemovedFrom(..) => schema["deprecated"] = json!(true),
        Constraint::AnyType => *schema = json!({}),
        _ => restrict_value(value(schema), constraint),
    }
}

/// Returns the schema that constraints of values apply to: for lists and maps, that of their values.
fn value(schema: &mut Value) -> &mut Value {
    let inside = match schema["type"].as_str() {
        Some("array") => "items",
        Some("object") => "additionalProperties",
        _ => return schema,
    };
    value(&mut schema[inside])
}

fn restrict_value(schema: &mut Value, constraint: Constraint) {
    let is = |word: &str| schema["type"] == word;
    match constraint {
        Constraint::AtLeast(least) => schema["minimum"] = json!(least),
        Constraint::AtMost(most) => schema["maximum"] = json!(most),
        Constraint::Below(most) => schema["exclusiveMaximum"] = json!(most),
        Constraint::Positive if is("integer") || is("number") => {
            schema["exclusiveMinimum"] = json!(0);
        }
        Constraint::NotEmpty if is("string") => schema["minLength"] = json!(1),
        Constraint::MaxBytes(most) if is("string") => schema["maxLength"] = json!(most),
        _ => {}
    }
}

/// Allows `null` for an omitted value; objects allow it in their definitions.
fn allow_null(schema: &mut Value) {
    match schema.get_mut("type") {
        Some(Value::Array(types)) if !types.contains(&json!("null")) => types.push(json!("null")),
        Some(only @ Value::String(_)) => *only = json!([only.clone(), "null"]),
        _ => {}
    }
    if let Some(values) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        values.push(Value::Null);
    }
}
