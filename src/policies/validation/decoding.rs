//! Strict decoding: unknown fields and values of wrong types.

use super::Problem;
use crate::admission::FieldPath;
use crate::api::{GardenerVersion, Object, Shape, Step, StrictErrors};
use crate::config::did_you_mean;
use crate::yaml::Document;

/// Returns the errors that strict decoding reports. The parser of YAML reports duplicate fields.
pub(super) fn problems(document: &Document, object: &'static Object) -> Vec<Problem> {
    let Ok(text) = serde_json::to_string(document) else {
        let message = "cannot be converted to JSON";
        return vec![Problem::new(&FieldPath::root(), message, "")];
    };
    let errors = StrictErrors::of(&text, object, GardenerVersion::NEWEST);
    let unknown = errors
        .unknown
        .first
        .iter()
        .map(|(steps, object)| unknown(steps, object));
    let repeated = errors.repeated.first.iter().map(|(steps, count)| {
        let message = format!("is set {count} times");
        Problem::new(&path(steps), message, "keep one of them")
    });
    let wrong = errors.wrong.first.iter().map(|(steps, (shape, _))| {
        let message = format!("has the wrong type: {} is required", expected(*shape));
        Problem::new(&path(steps), message, "")
    });
    unknown.chain(repeated).chain(wrong).collect()
}

fn unknown(steps: &[Step<'_>], object: &Object) -> Problem {
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
    Problem {
        is_about_key: true,
        ..Problem::new(&path, "is an unknown field", help)
    }
}

fn path(steps: &[Step<'_>]) -> FieldPath {
    steps
        .iter()
        .fold(FieldPath::root(), |path, step| match step {
            Step::Field(name) => path.child(name),
            Step::Unknown(name) => path.child_called(name),
            Step::Key(key) => path.key(key),
            Step::Index(index) => path.index(*index),
        })
}

fn expected(shape: Shape) -> &'static str {
    match shape {
        Shape::Boolean => "a boolean",
        Shape::Integer32 | Shape::Integer64 | Shape::Number => "a number",
        Shape::Time => "a time such as `2026-01-31T12:00:00Z`",
        Shape::Object(_) | Shape::Map(_) => "a mapping",
        Shape::List(..) => "a list",
        _ => "a string",
    }
}
