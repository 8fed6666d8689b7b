use serde::de::DeserializeOwned;
use thiserror::Error;

use super::{FieldPath, Request};
use crate::json::{JsonPath, JsonStep, without_position};

/// The error of an object in a request that does not match the schema of its kind.
#[derive(Debug, Error)]
#[error("{field}: {message}")]
pub struct DecodeError {
    /// The path of the field.
    pub field: FieldPath,
    /// Whether it is the stored object instead of the new one.
    pub stored: bool,
    /// The expected and the actual value, without a position.
    pub message: String,
}

/// The objects of a request: `new` is absent on DELETE, `old` on CREATE.
#[derive(Debug)]
pub(super) struct Pair<T> {
    pub new: Option<Box<T>>,
    pub old: Option<Box<T>>,
}

impl<T> Pair<T> {
    /// Changes both objects.
    pub(super) fn each(&mut self, mut change: impl FnMut(&mut T)) {
        for object in [&mut self.new, &mut self.old].into_iter().flatten() {
            change(object);
        }
    }
}

/// Decodes the objects of a request.
pub(super) fn pair<T: DeserializeOwned>(request: &Request<'_>) -> Result<Pair<T>, DecodeError> {
    let new = request.object.map(|raw| object(raw.get(), false));
    let old = request.old_object.map(|raw| object(raw.get(), true));
    Ok(Pair {
        new: new.transpose()?,
        old: old.transpose()?,
    })
}

fn object<T: DeserializeOwned>(text: &str, stored: bool) -> Result<Box<T>, DecodeError> {
    let error = |field, message| DecodeError {
        field,
        stored,
        message,
    };
    // serde would accept a list as a struct with fields in order. `null` is excluded before.
    if !text.starts_with('{') {
        let message = "invalid type, expected an object".to_owned();
        return Err(error(FieldPath::root(), message));
    }
    let object: serde_json::Result<Box<T>> = serde_json::from_str(text);
    object.map_err(|why| error(field(text, &why), without_position(&why)))
}

/// Returns the path of the field with the error.
fn field(text: &str, error: &serde_json::Error) -> FieldPath {
    let path = JsonPath::of_error(text, error);
    let steps = path.steps.iter();
    steps.fold(FieldPath::root(), |path, step| match step {
        JsonStep::Element(index) => path.index(*index),
        JsonStep::Field(name) => path.child_called(name),
    })
}

#[cfg(test)]
mod tests {
    use super::pair;
    use crate::admission::Request;
    use crate::api::Shoot;

    fn review([new, old]: [&str; 2]) -> String {
        format!(
            r#"{{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {{"uid": "a", "operation": "UPDATE",
            "resource": {{"resource": "shoots"}}, "object": {new}, "oldObject": {old}}}}}"#
        )
    }

    #[test]
    fn what_is_wrong_in_both_objects_is_said_of_the_new_one() {
        let object = r#"{"spec": {"region": 7}}"#;
        let review = review([object, object]);
        let request = Request::from_review(review.as_bytes()).unwrap();
        let error = pair::<Shoot>(&request).unwrap_err();
        assert!(!error.stored);
        assert_eq!(error.field.to_string(), "spec.region");
    }
}
