// SPDX-License-Identifier: Apache-2.0
//! Strict decoding: unknown fields and values of wrong types.

use serde_json::Value;

use super::problem::Problem;
use crate::admission::FieldPath;
use garden_gate_model::api::{GardenerVersion, Listed, Object, Shape, Step, StrictErrors};
use garden_gate_text::nearest::did_you_mean;
use garden_gate_text::yaml::Document;

/// Returns the values that cannot be decoded: those of wrong types, and `null` in lists.
pub(super) fn undecodable(document: &Document, object: &'static Object) -> Vec<Problem> {
    let text = json(document);
    let errors = StrictErrors::of(&text, object, GardenerVersion::NEWEST);
    let wrong = errors.wrong.first.iter().map(|(steps, (shape, _))| {
        let message = format!("has the wrong type: {} is required", expected(*shape));
        Problem::new(&path(steps), message, "")
    });
    let mut problems: Vec<Problem> = wrong.collect();
    null_items(&document.to_value(), &FieldPath::root(), &mut problems);
    problems
}

/// Returns the fields that strict decoding refuses. The parser of YAML reports duplicate fields.
pub(super) fn unknown_fields(document: &Document, object: &'static Object) -> Vec<Problem> {
    let text = json(document);
    let errors = StrictErrors::of(&text, object, GardenerVersion::NEWEST);
    let Listed { first, count } = &errors.unknown;
    let unknown = first.iter();
    let mut problems: Vec<Problem> =
        unknown.map(|(steps, object)| unknown_field(steps, object)).collect();
    if let Some((steps, _)) = first.last().filter(|_| *count > first.len()) {
        let message = format!("and {} more are unknown fields", count - first.len());
        problems.push(Problem::new(&path(steps), message, "").about_key());
    }
    problems
}

/// Returns the document as JSON; empty if it cannot be represented, for which decoding fails.
fn json(document: &Document) -> String {
    serde_json::to_string(document).unwrap_or_default()
}

fn null_items(value: &Value, path: &FieldPath, problems: &mut Vec<Problem>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                null_items(value, &path.child_called(name), problems);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let path = path.index(index);
                if item.is_null() {
                    let help = "write a value, or remove it from the list";
                    problems.push(Problem::new(&path, "is `null`", help));
                }
                null_items(item, &path, problems);
            }
        }
        _ => {}
    }
}

fn unknown_field(steps: &[Step<'_>], object: &Object) -> Problem {
    let names: Vec<&str> = object.fields.iter().map(|it| it.name).collect();
    let path = path(steps);
    let help = match (path.to_string().as_str(), steps.last()) {
        ("spec.paramKind", _) => {
            "write the values into the policy, or look them up in the garden".to_owned()
        }
        (_, Some(Step::Unknown(name))) => did_you_mean(name, &names)
            .unwrap_or_else(|| format!("the fields here are {}", names.join(", "))),
        _ => String::new(),
    };
    Problem::new(&path, "is an unknown field", help).about_key()
}

/// Converts steps to a path.
pub(in crate::policies) fn path(steps: &[Step<'_>]) -> FieldPath {
    steps.iter().fold(FieldPath::root(), |path, step| match step {
        Step::Field(name) => path.child(name),
        Step::Unknown(name) => path.child_called(name),
        Step::Key(key) => path.key(key),
        Step::Index(index) => path.index(*index),
    })
}

/// Describes the values of a shape.
pub(in crate::policies) fn expected(shape: Shape) -> &'static str {
    match shape {
        Shape::Boolean => "a boolean",
        Shape::Integer32 | Shape::Integer64 | Shape::Number => "a number",
        Shape::Time => "a time such as `2026-01-31T12:00:00Z`",
        Shape::Object(_) | Shape::Map(_) => "a mapping",
        Shape::List(..) => "a list",
        _ => "a string",
    }
}
