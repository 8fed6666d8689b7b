// SPDX-License-Identifier: Apache-2.0
use super::tree::Tree;
use crate::admission::FieldPath;
use garden_gate_model::api::{Schema, SchemaOrBool};

/// A field without a schema.
#[derive(Clone, Debug)]
pub(crate) struct UnknownField {
    /// The field.
    pub(crate) path: FieldPath,
    /// The names of the fields on the way to the object that lacks it.
    pub(crate) names: Vec<String>,
    /// The name of the field.
    pub(crate) name: String,
}

/// Removes fields without a schema, and lists the first ones.
///
/// Mirrors `pkg/apiserver/schema/pruning/algorithm.go`.
#[derive(Debug, Default)]
pub(super) struct Pruning {
    pub(super) unknown: Vec<UnknownField>,
    pub(super) count: usize,
    names: Vec<String>,
}

/// Maximum number of listed fields.
const MOST: usize = 20;
/// Fields of every object, which have no schema.
const OF_EVERY_OBJECT: [&str; 3] = ["apiVersion", "kind", "metadata"];

impl Pruning {
    /// Removes the unknown fields of an object.
    pub(super) fn object(&mut self, object: &mut Tree, schema: &Schema) {
        let Tree::Map(fields) = object else { return };
        let of_every_object: Vec<_> =
            OF_EVERY_OBJECT.iter().filter_map(|name| fields.remove_entry(*name)).collect();
        self.value(object, (Some(schema), schema.keeps_unknown_fields), &FieldPath::root());
        if let Tree::Map(fields) = object {
            fields.extend(of_every_object);
        }
    }

    /// Prunes a value with its schema, if it has one, and whether unknown fields of the value itself are kept.
    fn value(
        &mut self,
        value: &mut Tree,
        (schema, keeps): (Option<&Schema>, bool),
        path: &FieldPath,
    ) {
        match value {
            Tree::Map(fields) => fields.retain(|name, value| {
                let place = path.child_called(name);
                match schema.and_then(|schema| of_field(schema, name)) {
                    Some(schema) => self.inside(name, value, schema, &place),
                    None if keeps => {}
                    None => {
                        self.record(place, name);
                        return false;
                    }
                }
                true
            }),
            Tree::List(items) => {
                let of_items = schema.and_then(|it| it.items.as_deref());
                if keeps && of_items.is_none() {
                    return;
                }
                let keeps = keeps || of_items.is_some_and(|it| it.keeps_unknown_fields);
                for (index, item) in items.iter_mut().enumerate() {
                    self.value(item, (of_items, keeps), &path.index(index));
                }
            }
            _ => {}
        }
    }

    fn inside(&mut self, name: &str, value: &mut Tree, schema: Option<&Schema>, path: &FieldPath) {
        if matches!(value, Tree::Map(_) | Tree::List(_)) {
            self.names.push(name.to_owned());
            let keeps = schema.is_some_and(|it| it.keeps_unknown_fields);
            self.value(value, (schema, keeps), path);
            self.names.pop();
        }
    }

    fn record(&mut self, path: FieldPath, name: &str) {
        self.count += 1;
        if self.unknown.len() < MOST {
            let (names, name) = (self.names.clone(), name.to_owned());
            self.unknown.push(UnknownField { path, names, name });
        }
    }
}

/// Returns the schema of a field, if it is known, and whether it is.
fn of_field<'s>(schema: &'s Schema, name: &str) -> Option<Option<&'s Schema>> {
    if let Some(schema) = schema.properties.get(name) {
        return Some(Some(schema));
    }
    match schema.additional_properties.as_deref()? {
        SchemaOrBool::Schema(schema) => Some(Some(schema)),
        SchemaOrBool::Bool(_) => Some(None),
    }
}

/// Removes fields with `null` that neither may be `null` nor have a default.
///
/// Mirrors `PruneNonNullableNullsWithoutDefaults` in `pkg/apiserver/schema/defaulting`.
pub(super) fn remove_nulls(value: &mut Tree, schema: &Schema) {
    match value {
        Tree::Map(fields) => fields.retain(|name, value| {
            let Some(schema) = schema.field(name) else {
                return true;
            };
            if value.is_null() && !schema.nullable && !schema.has_default() {
                return false;
            }
            remove_nulls(value, schema);
            true
        }),
        Tree::List(items) => {
            if let Some(schema) = schema.items.as_deref() {
                for item in items {
                    remove_nulls(item, schema);
                }
            }
        }
        _ => {}
    }
}

/// Fills in defaults. Mirrors `Default` in `pkg/apiserver/schema/defaulting/algorithm.go`.
pub(super) fn fill_in(value: &mut Tree, schema: &Schema) {
    let is_unset = |value: &Tree, schema: &Schema| value.is_null() && !schema.nullable;
    match value {
        Tree::Map(fields) => {
            for (name, schema) in schema.properties.iter().filter(|(_, it)| it.has_default()) {
                if fields.get(name).is_none_or(|value| is_unset(value, schema)) {
                    fields.insert(name.clone(), Tree::of_json(&schema.default));
                }
            }
            for (name, value) in fields {
                let Some(inner) = schema.field(name) else { continue };
                if is_unset(value, inner) && !schema.properties.contains_key(name) {
                    *value = Tree::of_json(&inner.default);
                }
                fill_in(value, inner);
            }
        }
        Tree::List(items) => {
            let Some(schema) = schema.items.as_deref() else { return };
            for item in items {
                if is_unset(item, schema) {
                    *item = Tree::of_json(&schema.default);
                }
                fill_in(item, schema);
            }
        }
        _ => {}
    }
}
