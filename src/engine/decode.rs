use serde::de::DeserializeOwned;
use thiserror::Error;

use super::{FieldPath, Request, Sent};
use crate::compat::{JsonPath, JsonStep, without_position};

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
    let new = request.object.as_ref().map(|sent| object(sent, false));
    let old = request.old_object.as_ref().map(|sent| object(sent, true));
    Ok(Pair {
        new: new.transpose()?,
        old: old.transpose()?,
    })
}

fn object<T: DeserializeOwned>(sent: &Sent<'_>, stored: bool) -> Result<Box<T>, DecodeError> {
    let text = sent.read();
    let error = |field, message| DecodeError {
        field,
        stored,
        message,
    };
    // A list is taken for a struct whose fields come in order, and `null` never gets here.
    if !text.starts_with('{') {
        let message = "invalid type, expected an object".to_owned();
        return Err(error(FieldPath::root(), message));
    }
    let object = serde_json::from_str(&text).map(Box::new);
    object.map_err(|why| error(field(&text, &why), without_position(&why)))
}

/// Where in the object.
fn field(text: &str, error: &serde_json::Error) -> FieldPath {
    let path = JsonPath::of_error(text, error);
    let steps = path.steps.iter();
    steps.fold(FieldPath::root(), |path, step| match step {
        JsonStep::Element(index) => path.index(*index),
        JsonStep::Field(name) => path.child_called(name),
    })
}
