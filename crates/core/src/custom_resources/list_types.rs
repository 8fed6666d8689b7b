// SPDX-License-Identifier: Apache-2.0
//! Duplicates in lists of the types `set` and `map`. Mirrors `pkg/apiserver/schema/listtype/validation.go`.

use std::collections::BTreeMap;

use super::tree::Tree;
use super::violation::{Fault, Violations};
use crate::admission::{ErrorType, FieldPath};
use garden_gate_model::api::{ListType, Schema};

/// Reports duplicates in the lists of a new object, unless the stored one already has some.
pub(super) fn validate<'d>(
    (new, old): (&Tree, Option<&Tree>),
    schema: &'d Schema,
    violations: &mut Violations<'d>,
) {
    let mut before = Violations::default();
    if let Some(old) = old {
        value(old, schema, &FieldPath::root(), &mut before);
    }
    if before.is_empty() {
        value(new, schema, &FieldPath::root(), violations);
    }
}

fn value<'d>(at: &Tree, schema: &'d Schema, path: &FieldPath, violations: &mut Violations<'d>) {
    match at {
        Tree::Map(fields) => {
            for (name, inner) in fields {
                if let Some(schema) = schema.properties.get(name) {
                    value(inner, schema, &path.child_called(name), violations);
                } else if let Some(schema) = schema.values_of_map() {
                    value(inner, schema, &path.key(name), violations);
                }
            }
        }
        Tree::List(items) => {
            match schema.list_type {
                ListType::Atomic => {}
                ListType::Set => {
                    let keys = items.iter().map(key_of_item);
                    duplicates(keys, items, (&[], path), violations);
                }
                ListType::Map => map_items(items, schema, path, violations),
            }
            if let Some(schema) = schema.items.as_deref() {
                for (index, item) in items.iter().enumerate() {
                    value(item, schema, &path.index(index), violations);
                }
            }
        }
        _ => {}
    }
}

fn map_items<'d>(
    items: &[Tree],
    schema: &'d Schema,
    path: &FieldPath,
    violations: &mut Violations<'d>,
) {
    let is_object = |item: &Tree| matches!(item, Tree::Map(_) | Tree::Null);
    if let Some((index, item)) = items.iter().enumerate().find(|(_, item)| !is_object(item)) {
        violations.add(ErrorType::Invalid, &path.index(index), item, Fault::NotAnObject);
        return;
    }
    let names = &schema.list_map_keys;
    let keys = items.iter().map(|item| {
        let fields = item.as_map();
        let values = names.iter().map(|name| {
            let value = fields.and_then(|it| it.get(name));
            value.map(key_of_item).unwrap_or_default()
        });
        values.collect::<Vec<_>>().join("\0")
    });
    duplicates(keys, items, (names, path), violations);
}

/// Reports the first repetition of each key.
fn duplicates<'d>(
    keys: impl Iterator<Item = String>,
    items: &[Tree],
    (names, path): (&'d [String], &FieldPath),
    violations: &mut Violations<'d>,
) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (index, (key, item)) in keys.zip(items).enumerate() {
        let count = counts.entry(key).or_default();
        *count += 1;
        if *count == 2 {
            let fault = Fault::Duplicate(names);
            violations.add(ErrorType::Duplicate, &path.index(index), item, fault);
        }
    }
}

/// Returns a text that is the same for equal items only. `1` and `1.0` differ as items, but not inside of items.
fn key_of_item(item: &Tree) -> String {
    let mut text = String::new();
    let is_compound = matches!(item, Tree::List(_) | Tree::Map(_));
    item.write_canonical(!is_compound, &mut text);
    text
}
