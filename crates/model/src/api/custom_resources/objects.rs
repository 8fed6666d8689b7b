// SPDX-License-Identifier: Apache-2.0
//! The fields of a custom resource, for editors, suggestions and JSON Schemas.

use super::schema::{JsonType, ListType, Schema, ValidationRule};
use crate::api::shared::metadata::ObjectMeta;
use crate::api::{Constraint, Field, ListKind, Object, Presence, Shape};

/// The begin of the pattern that Kubernetes' generator writes for quantities.
const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|";

/// Returns the fields that a schema declares. They are kept until the end of the process.
pub(in crate::api) fn object_of(name: &str, schema: &Schema) -> &'static Object {
    let fields: Vec<Field> = schema
        .properties
        .iter()
        .map(|(field, inner)| {
            let is_required = schema.required.contains(field);
            if is_root(schema) && field == "metadata" {
                let about = "Name, labels, annotations, and data maintained by the API server.";
                let shape = Shape::Object(&ObjectMeta);
                return Field::new("metadata", about, shape, Presence::Optional, &[]);
            }
            self::field(name, field, inner, is_required)
        })
        .collect();
    let object =
        Object::new(kept(name.to_owned()), kept(schema.description.clone()), fields.leak());
    Box::leak(Box::new(object))
}

/// Reports whether a schema is that of an object with metadata.
fn is_root(schema: &Schema) -> bool {
    ["apiVersion", "kind", "metadata"].iter().all(|it| schema.properties.contains_key(*it))
}

fn field(owner: &str, name: &str, schema: &Schema, is_required: bool) -> Field {
    let presence = match (schema.has_default(), is_required) {
        (true, _) => Presence::Filled,
        (false, true) => Presence::Required,
        (false, false) => Presence::Optional,
    };
    let mut characters = name.chars();
    let first = characters.next().map(|it| it.to_ascii_uppercase());
    let inner: String = owner.chars().chain(first).chain(characters).collect();
    let constraints: &'static [Constraint] = constraints(schema).leak();
    Field::new(
        kept(name.to_owned()),
        kept(schema.description.clone()),
        shape(&inner, schema),
        presence,
        constraints,
    )
}

fn shape(name: &str, schema: &Schema) -> Shape {
    if schema.is_int_or_string {
        let is_quantity = schema.pattern.starts_with(QUANTITY);
        return if is_quantity { Shape::Quantity } else { Shape::IntOrString };
    }
    match schema.kind {
        Some(JsonType::String) if schema.format == "date-time" => Shape::Time,
        Some(JsonType::String) => Shape::String,
        Some(JsonType::Boolean) => Shape::Boolean,
        Some(JsonType::Integer) if schema.format == "int32" => Shape::Integer32,
        Some(JsonType::Integer) => Shape::Integer64,
        Some(JsonType::Number) => Shape::Number,
        Some(JsonType::Array) => match &schema.items {
            Some(items) => Shape::List(kept_shape(shape(name, items)), list_kind(schema)),
            None => Shape::Any,
        },
        Some(JsonType::Object) => match schema.values_of_map() {
            Some(values) => Shape::Map(kept_shape(shape(name, values))),
            None if schema.keeps_unknown_fields && schema.properties.is_empty() => Shape::Any,
            None => Shape::Object(object_of(name, schema)),
        },
        None => Shape::Any,
    }
}

fn list_kind(schema: &Schema) -> ListKind {
    match (schema.list_type, schema.list_map_keys.as_slice()) {
        (ListType::Set, _) => ListKind::Set,
        (ListType::Map, [key]) => ListKind::By(kept(key.clone())),
        _ => ListKind::Atomic,
    }
}

fn constraints(schema: &Schema) -> Vec<Constraint> {
    let mut constraints = Vec::new();
    let values: Vec<&'static str> =
        schema.values.iter().filter_map(|it| Some(kept(it.as_str()?.to_owned()))).collect();
    if !values.is_empty() && values.len() == schema.values.len() {
        constraints.push(Constraint::Enum(values.leak()));
    }
    if schema.min_length.or(schema.min_items).is_some_and(|it| it > 0) {
        constraints.push(Constraint::NotEmpty);
    }
    constraints.extend(schema.minimum.map(Constraint::AtLeast));
    constraints.extend(schema.maximum.map(Constraint::AtMost));
    if schema.kind.is_none() && !schema.is_int_or_string {
        constraints.push(Constraint::AnyType);
    }
    if schema.rules.iter().any(|it| it.rule == ValidationRule::IMMUTABLE) {
        constraints.push(Constraint::Immutable);
    }
    constraints
}

fn kept(text: String) -> &'static str {
    text.leak()
}

fn kept_shape(shape: Shape) -> &'static Shape {
    Box::leak(Box::new(shape))
}
