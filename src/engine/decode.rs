use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_path_to_error::Segment;
use thiserror::Error;

use super::{FieldPath, Request};

/// An object of a request that does not have the shape of its kind.
#[derive(Debug, Error)]
#[error("{field}: {message}")]
pub struct DecodeError {
    /// Where in the object.
    pub field: FieldPath,
    /// Whether it is the stored object rather than the new one.
    pub stored: bool,
    /// What was expected and what was found, without a position.
    pub message: String,
}

/// The objects of a request: `new` is absent on DELETE, `old` on CREATE.
#[derive(Debug)]
pub(super) struct Pair<T> {
    pub new: Option<Box<T>>,
    pub old: Option<Box<T>>,
}

/// Reads the objects of a request.
pub(super) fn pair<T: DeserializeOwned>(request: &Request<'_>) -> Result<Pair<T>, DecodeError> {
    let new = request.object.map(|raw| object(raw, false));
    let old = request.old_object.map(|raw| object(raw, true));
    Ok(Pair {
        new: new.transpose()?,
        old: old.transpose()?,
    })
}

fn object<T: DeserializeOwned>(raw: &RawValue, stored: bool) -> Result<Box<T>, DecodeError> {
    // A list is taken for a struct whose fields come in order, and `null` never gets here.
    if !raw.get().starts_with('{') {
        return Err(DecodeError {
            field: FieldPath::root(),
            stored,
            message: "invalid type, expected an object".to_owned(),
        });
    }
    match serde_json::from_str(raw.get()) {
        Ok(object) => Ok(Box::new(object)),
        Err(_) => explain(raw, stored),
    }
}

/// Reads once more, keeping track of the path; only worth its price when something is wrong.
fn explain<T: DeserializeOwned>(raw: &RawValue, stored: bool) -> Result<Box<T>, DecodeError> {
    let mut deserializer = serde_json::Deserializer::from_str(raw.get());
    serde_path_to_error::deserialize(&mut deserializer)
        .map(Box::new)
        .map_err(|error| {
            let field =
                error
                    .path()
                    .iter()
                    .fold(FieldPath::root(), |path, segment| match segment {
                        Segment::Seq { index } => path.index(*index),
                        Segment::Map { key } => path.child_called(key),
                        Segment::Enum { variant } => path.child_called(variant),
                        Segment::Unknown => path,
                    });
            DecodeError {
                field,
                stored,
                message: without_position(&error.inner().to_string()),
            }
        })
}

/// Cuts serde's ` at line 1 column 999`: it counts in a body that the user never sees.
fn without_position(message: &str) -> String {
    message
        .split(" at line ")
        .next()
        .unwrap_or(message)
        .to_owned()
}
