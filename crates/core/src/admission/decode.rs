// SPDX-License-Identifier: Apache-2.0
use thiserror::Error;

use super::check::Pair;
use super::object::AdmissionObject;
use super::{FieldPath, Request};
use garden_gate_text::json::{FieldTexts, JsonPath, JsonStep, decode_valid, without_position};

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

/// Decodes the objects of a request.
///
/// Fields that are the same in both are decoded once.
pub(super) fn pair<T: AdmissionObject>(request: &Request<'_>) -> Result<Pair<T>, DecodeError> {
    let [new_fields, old_fields] = request.fields.each_ref().map(Option::as_ref);
    let new =
        request.object.map(|raw| object::<T>((raw.get(), new_fields), false, &[])).transpose()?;
    let is_same = |field: &&str| match [new_fields, old_fields] {
        [Some(new), Some(old)] => new.get(field).is_some_and(|it| old.get(field) == Some(it)),
        _ => false,
    };
    let same: Vec<&str> = T::SHARED.iter().copied().filter(is_same).collect();
    let mut old = request
        .old_object
        .map(|raw| object::<T>((raw.get(), old_fields), true, &same))
        .transpose()?;
    if let (Some(new), Some(old)) = (&new, &mut old) {
        for field in same {
            old.share(new, field);
        }
    }
    Ok(Pair { new, old })
}

/// Decodes an object without some of its fields.
fn object<T: AdmissionObject>(
    (text, fields): (&str, Option<&FieldTexts<'_>>),
    stored: bool,
    but: &[&str],
) -> Result<Box<T>, DecodeError> {
    let error = |field, message| DecodeError { field, stored, message };
    // serde would accept a list as a struct with fields in order. `null` is excluded before.
    if !text.starts_with('{') {
        let message = "invalid type, expected an object".to_owned();
        return Err(error(FieldPath::root(), message));
    }
    let object: serde_json::Result<Box<T>> = decode_valid(text, fields, but);
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
    use garden_gate_model::api::Shoot;

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
