// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

pub(crate) use super::pruning::UnknownField;

use super::expressions::cel_value;
use super::pruning::{Pruning, fill_in, remove_nulls};
use super::tree::{ReadTree, Tree};
use crate::admission::{FieldPath, Operation, Request};
use garden_gate_cel::Value;
use garden_gate_model::api::{Definition, Schema};

/// The objects of a CREATE or UPDATE as an API server decodes them, and what a strict decoder refuses in the new one.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(super) new: Tree,
    pub(super) old: Option<Tree>,
    pub(super) is_status: bool,
    /// Fields without a schema, the first ones.
    pub(crate) unknown: Vec<UnknownField>,
    /// The number of fields without a schema.
    pub(crate) unknown_count: usize,
    /// Fields that are set more than once, the first ones: the field, its name and the number of times.
    pub(crate) repeated: Vec<(FieldPath, String, usize)>,
    /// The number of fields that are set more than once.
    pub(crate) repeated_count: usize,
    /// The reason why an object cannot be judged, with its field.
    pub(super) unreadable: Option<(FieldPath, &'static str)>,
}

impl Decoded {
    /// Decodes the objects of a request; `None` for other operations, or without a new object.
    pub(super) fn of(definition: &Definition, request: &Request<'_>) -> Option<Self> {
        if !matches!(request.operation, Operation::Create | Operation::Update) {
            return None;
        }
        let new = ReadTree::of(request.object?.get());
        let old = request.old_object.map(|it| ReadTree::of(it.get()));
        let old_unreadable = old.as_ref().and_then(|it| it.unreadable.clone());
        let mut pruning = Pruning::default();
        let schema = &definition.schema;
        let mut decoded = Self {
            new: decode(new.tree, schema, &mut pruning),
            old: old.map(|it| decode(it.tree, schema, &mut Pruning::default())),
            is_status: request.sub_resource == "status",
            unknown: pruning.unknown,
            unknown_count: pruning.count,
            repeated: new.repeated,
            repeated_count: new.repeated_count,
            unreadable: new.unreadable.or(old_unreadable),
        };
        if definition.has_status {
            decoded.prepare();
        }
        Some(decoded)
    }

    /// Decodes a part of an object, and the stored one if there is any. Defaults are not filled in.
    pub(crate) fn of_part(schema: &Schema, new: &str, old: Option<&str>) -> Self {
        let new = ReadTree::of(new);
        let mut pruning = Pruning::default();
        let decode = |mut part: Tree, pruning: &mut Pruning| {
            pruning.object(&mut part, schema);
            remove_nulls(&mut part, schema);
            part
        };
        Self {
            new: decode(new.tree, &mut pruning),
            old: old.map(|it| decode(ReadTree::of(it).tree, &mut Pruning::default())),
            is_status: false,
            unknown: pruning.unknown,
            unknown_count: pruning.count,
            repeated: new.repeated,
            repeated_count: new.repeated_count,
            unreadable: new.unreadable,
        }
    }

    /// Returns the new and the stored value for expressions; `null` if there is none.
    pub(crate) fn values(&self, schema: &Schema) -> [Value; 2] {
        let value = |it: Option<&Tree>| it.map_or(Value::Null, |it| cel_value(it, schema));
        [value(Some(&self.new)), value(self.old.as_ref())]
    }

    /// Keeps the status in a write of the object, and everything else in a write of the status.
    ///
    /// Mirrors `PrepareForCreate` and `PrepareForUpdate` in `pkg/registry/customresource`.
    fn prepare(&mut self) {
        let Tree::Map(new) = &mut self.new else { return };
        match &self.old {
            Some(old) if self.is_status => {
                let status = new.remove("status");
                self.new = old.clone();
                if let Tree::Map(new) = &mut self.new {
                    new.remove("status");
                    new.extend(status.map(|status| ("status".to_owned(), status)));
                }
            }
            Some(Tree::Map(old)) if old.contains_key("status") => {
                new.extend(
                    old.get_key_value("status").map(|(name, it)| (name.clone(), it.clone())),
                );
            }
            _ => _ = new.remove("status"),
        }
    }
}

/// Decodes an object: removes unknown fields and `null`, and fills in defaults.
fn decode(mut object: Tree, schema: &Schema, pruning: &mut Pruning) -> Tree {
    if let Tree::Map(fields) = &mut object {
        // An API server decodes the metadata separately, so that they are an object afterwards.
        for (_, metadata) in fields.iter_mut().filter(|(name, _)| *name == "metadata") {
            if !matches!(metadata, Tree::Map(_)) {
                *metadata = Tree::Map(BTreeMap::default());
            }
        }
    }
    pruning.object(&mut object, schema);
    remove_nulls(&mut object, schema);
    fill_in(&mut object, schema);
    object
}
