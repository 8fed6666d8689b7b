// SPDX-License-Identifier: Apache-2.0
//! The field that an expression is about.

use super::compiled::CompiledPolicy;
use super::evaluation::Inputs;
use super::objects::AdmittedObjects;
use crate::admission::FieldPath;
use garden_gate_cel::{Expression, NamedPath, PathSegment, Value};

/// Maximum number of list elements that are evaluated alone.
const MOST_ELEMENTS: usize = 50;

/// Searches the field of an object that an expression refutes.
pub(super) struct Search<'a> {
    pub(super) policy: &'a CompiledPolicy,
    pub(super) expression: &'a Expression,
    pub(super) objects: &'a AdmittedObjects,
    pub(super) inputs: &'a Inputs<'a>,
}

/// A field of an object, with its value if it exists.
pub(super) type FoundField<'a> = (FieldPath, Option<&'a Value>);

impl<'a> Search<'a> {
    /// Returns the first existing field that the expression names, or else the first field, or else the whole object.
    pub(super) fn field(&self) -> FoundField<'a> {
        let Some(object) = self.objects.new_object() else {
            return (FieldPath::root(), None);
        };
        let variables = self
            .policy
            .variables_of([self.expression])
            .into_iter()
            .filter_map(|(_, compiled)| compiled.as_ref().ok());
        let paths = self.expression.paths().iter();
        let paths = paths.chain(variables.flat_map(Expression::paths));
        let mut first = None;
        for path in paths {
            match self.follow(path, object) {
                (path, Some(value)) => return (path, Some(value)),
                absent => {
                    first.get_or_insert(absent);
                }
            }
        }
        first.unwrap_or_else(|| (FieldPath::root(), None))
    }

    /// Follows a path as far as its elements are known.
    fn follow(&self, path: &NamedPath, object: &'a Value) -> FoundField<'a> {
        let (mut field, mut value) = (FieldPath::root(), Some(object));
        for segment in &path.segments {
            (field, value) = match segment {
                PathSegment::Field(name) => {
                    let inner = value.and_then(|it| it.field(name));
                    (named(&field, name), inner)
                }
                PathSegment::Index(index) => {
                    let inner = value.and_then(|it| it.elements().get(*index));
                    (field.index(*index), inner)
                }
                PathSegment::Any => match self.element(&field, value) {
                    Some((index, inner)) => (field.index(index), Some(inner)),
                    None => break,
                },
            };
        }
        (field, value)
    }

    /// Returns the first element of a list that alone refutes the expression; `None` if that is none or all of several.
    fn element(&self, field: &FieldPath, list: Option<&'a Value>) -> Option<(usize, &'a Value)> {
        let items = list?.elements();
        if let [item] = items {
            return Some((0, item));
        }
        if items.len() > MOST_ELEMENTS {
            return None;
        }
        let pointer = field.pointer();
        let is_refuted = |item: &Value| {
            if !self.inputs.account.search(self.objects.copying_cost()) {
                return false;
            }
            let object = self.objects.value_with(&pointer, vec![item.clone()]);
            let expression = (self.policy, self.expression);
            object.is_some_and(|object| self.inputs.refutes(expression, &object))
        };
        let refuted: Vec<bool> = items.iter().map(is_refuted).collect();
        let index = refuted.iter().position(|it| *it)?;
        let is_specific = refuted.contains(&false);
        Some((index, items.get(index)?)).filter(|_| is_specific)
    }
}

/// Returns a field, or an entry of a map whose key is no field name.
fn named(field: &FieldPath, name: &str) -> FieldPath {
    if name.contains(['.', '/']) { field.key(name) } else { field.child_called(name) }
}
