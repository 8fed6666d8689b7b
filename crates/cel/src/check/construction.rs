// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use cel::common::ast::{EntryExpr, IdedExpr, StructExpr};

use super::{Checker, Compiled, Typed};
use crate::error::CompileError;
use crate::node::{Construction, Initializer, Node};
use crate::types::{JSON_PATCH, OBJECT, Type};

/// Names of types that are variables of expressions, and whose literals API servers refuse.
const SCALARS: [&str; 9] =
    ["bool", "bytes", "double", "int", "list", "map", "string", "type", "uint"];

impl Checker<'_> {
    /// Checks an `Object{…}`, a nested one such as `Object.spec{…}`, or a `JSONPatch{…}`.
    ///
    /// Objects have all fields, of any type. Their names are compared with the paths of fields after the evaluation.
    pub(super) fn construction(&mut self, at: &IdedExpr, it: &StructExpr) -> Compiled {
        let name = it.type_name.strip_prefix('.').unwrap_or(&it.type_name);
        let is_local = self.local(name).is_some() && !it.type_name.starts_with('.');
        if !self.environment.has_patch_types() || is_local || !is_constructible(name) {
            return Err(self.no_construction(at, &it.type_name));
        }
        let mut fields = Vec::with_capacity(it.entries.len());
        for entry in &it.entries {
            let EntryExpr::StructField(field) = &entry.expr else {
                return Err(CompileError::TooComplex);
            };
            let value = self.expression(&field.value)?;
            let given = self.element_type(&field.value, &value.is, field.optional)?;
            let wanted = field_type(name, &field.field);
            let is_valid = match &wanted {
                Some(wanted) => self.inference.assign(wanted, &given),
                // It fails when it is evaluated.
                None => matches!(given, Type::Dyn | Type::Error),
            };
            if !is_valid {
                let wanted = wanted.map_or_else(String::new, |it| it.to_string());
                let given = self.inference.final_type(&given);
                let message = format!(
                    "expected type of field '{}' is '{wanted}' but provided type is '{given}'",
                    field.field
                );
                return Err(self.error_at(entry.id, message));
            }
            fields.push(Initializer {
                name: field.field.as_str().into(),
                value: value.node,
                is_optional: field.optional,
            });
        }
        let type_name: Arc<str> = name.into();
        let is = Type::Constructed(Arc::clone(&type_name));
        let node = Node::Construction(Box::new(Construction { type_name, fields }));
        Ok(Typed { node, is })
    }

    /// Returns the error of a literal that is neither an object nor a patch.
    fn no_construction(&self, at: &IdedExpr, name: &str) -> CompileError {
        match name {
            _ if name.contains('.') => CompileError::Unsupported { name: format!("{name}{{…}}") },
            _ if SCALARS.contains(&name) => {
                self.error(at, format!("'{name}' is not a message type"))
            }
            _ => self.undeclared(at, name),
        }
    }
}

fn is_constructible(name: &str) -> bool {
    let is_nested = |rest: &str| rest.starts_with('.');
    name == JSON_PATCH || name.strip_prefix(OBJECT).is_some_and(|it| it.is_empty() || is_nested(it))
}

/// Returns the type of a field; `None` if there is no such field.
fn field_type(type_name: &str, field: &str) -> Option<Type> {
    match (type_name, field) {
        (JSON_PATCH, "op" | "path" | "from") => Some(Type::String),
        (JSON_PATCH, "value") => Some(Type::Dyn),
        (JSON_PATCH, _) => None,
        _ => Some(Type::Dyn),
    }
}
