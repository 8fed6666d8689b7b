use serde::de::DeserializeOwned;
use thiserror::Error;

use super::object::AdmissionObject;
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

/// Reads the objects of a request; what both have word for word is read once.
pub(super) fn pair<T: AdmissionObject>(request: &Request<'_>) -> Result<Pair<T>, DecodeError> {
    if let [Some(new), Some(old)] = [&request.object, &request.old_object]
        && T::HAS_HALVES
        && let Ok(pair) = alike(new, old)
    {
        return Ok(pair);
    }
    let new = request
        .object
        .as_ref()
        .map(|sent| match sent.take_decoded() {
            Some(decoded) => Ok(decoded),
            None => object(&sent.read(), false),
        });
    let old = request
        .old_object
        .as_ref()
        .map(|sent| object(&sent.read(), true));
    Ok(Pair {
        new: new.transpose()?,
        old: old.transpose()?,
    })
}

/// Reads the object that a text begins with, whatever follows: the object, and how many bytes it has. `None` for one that cannot be read.
pub(super) fn leading<T: AdmissionObject>(text: &str) -> Option<(Box<T>, usize)> {
    if !text.starts_with('{') {
        return None;
    }
    let mut objects = serde_json::Deserializer::from_str(text).into_iter();
    let object = objects.next()?.ok()?;
    Some((object, objects.byte_offset()))
}

fn alike<T: AdmissionObject>(new: &Sent<'_>, old: &Sent<'_>) -> Result<Pair<T>, DecodeError> {
    let common = new.common_with(old);
    let old: Box<T> = object(&old.read(), true)?;
    let mut new: Box<T> = object(&new.read_without(common), false)?;
    new.take_over(&old, common);
    Ok(Pair {
        new: Some(new),
        old: Some(old),
    })
}

fn object<T: DeserializeOwned>(text: &str, stored: bool) -> Result<Box<T>, DecodeError> {
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
    let object: serde_json::Result<Box<T>> = serde_json::from_str(text);
    object.map_err(|why| error(field(text, &why), without_position(&why)))
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::{Pair, pair};
    use crate::engine::Request;
    use crate::model::Shoot;

    fn review([new, old]: [&str; 2]) -> String {
        format!(
            r#"{{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {{"uid": "a", "operation": "UPDATE",
            "resource": {{"resource": "shoots"}}, "object": {new}, "oldObject": {old}}}}}"#
        )
    }

    #[test]
    fn what_both_objects_have_is_in_both() {
        let object = |name| {
            format!(
                r#"{{"metadata": {{"name": "{name}"}}, "spec": {{"region": "north"}}, "status": {{"uid": "1"}}}}"#
            )
        };
        let review = review([&object("new"), &object("old")]);
        let request = Request::from_review(review.as_bytes()).unwrap();
        let Pair { new, old } = pair::<Shoot>(&request).unwrap();
        for (shoot, name) in [(new, "new"), (old, "old")] {
            let shoot = shoot.unwrap();
            assert_eq!(shoot.metadata.name, name);
            assert_eq!(shoot.spec.region, "north");
            assert_eq!(shoot.status.uid, "1");
        }
    }

    #[test]
    fn what_both_specs_have_is_in_both() {
        let object = |region, version| {
            format!(
                r#"{{"spec": {{"region": "{region}", "kubernetes": {{"version": "{version}"}}, "provider": {{"type": "local"}}}}}}"#
            )
        };
        let review = review([&object("north", "1.35.2"), &object("south", "1.35.1")]);
        let request = Request::from_review(review.as_bytes()).unwrap();
        let Pair { new, old } = pair::<Shoot>(&request).unwrap();
        for (shoot, region, version) in [(new, "north", "1.35.2"), (old, "south", "1.35.1")] {
            let spec = shoot.unwrap().spec;
            assert_eq!(spec.region, region);
            assert_eq!(spec.kubernetes.version, version);
            assert_eq!(spec.provider.kind, "local");
        }
    }

    /// A review of a new Shoot; what it is for may stand in front of the object, so that it is known there, or behind it.
    fn creation(object: &str, is_known: bool) -> String {
        let known = r#""operation": "CREATE", "resource": {"group": "core.gardener.cloud", "version": "v1beta1", "resource": "shoots"}"#;
        let object = format!("\"object\": {object}, \"oldObject\": null");
        let [first, second] = match is_known {
            true => [known, &object],
            false => [&object, known],
        };
        format!(
            r#"{{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {{"uid": "a", {first}, {second}}}}}"#
        )
    }

    fn read(review: &str) -> Result<String, String> {
        let request = Request::from_review(review.as_bytes()).map_err(|_| String::new())?;
        let read = || pair::<Shoot>(&request).map(|pair| format!("{:?}", pair.new));
        let first = read().map_err(|error| error.to_string());
        let second = read().map_err(|error| error.to_string());
        assert_eq!(first, second);
        first
    }

    const CREATED: &str = r#"{"metadata": {"name": "a", "managedFields": [{"f:a": {"f:b": {}}}], "annotations": {"b": "c",
        "kubectl.kubernetes.io/last-applied-configuration": "{}"}}, "spec": {"region": "north", "kubernetes": {"version": "1.35.2"},
        "provider": {"type": "local", "workers": [{"name": "p", "maximum": 2, "zones": ["z"], "machine": {"type": "m"}}]}}, "status": {}}"#;

    #[test]
    fn a_new_object_is_decoded_at_once() {
        let review = creation(CREATED, true);
        let request = Request::from_review(review.as_bytes()).unwrap();
        let sent = request.object.as_ref().unwrap();
        assert_eq!(sent.text(), CREATED);
        let shoot: Box<Shoot> = sent.take_decoded().unwrap();
        assert_eq!(shoot.spec.provider.workers.len(), 1);
        let many = format!(
            r#"{{"spec": {{"tolerations": [{}{{}}]}}}}"#,
            "{},".repeat(300)
        );
        let review = creation(&many, true);
        let request = Request::from_review(review.as_bytes()).unwrap();
        let sent = request.object.as_ref().unwrap();
        assert!(sent.take_decoded::<Shoot>().is_none());
        assert_eq!(request.nested.elements, 301);
    }

    proptest! {
        #[test]
        fn at_once_or_later_the_same_is_read(
            place in any::<Index>(),
            piece in r#"[\[\]{}:,"\\ 0a]{0,2}|null|\{\}|"metadata":|"spec":"#,
            cut in 0..4_usize,
        ) {
            let start = place.index(CREATED.len());
            let mut spoilt = CREATED.to_owned();
            spoilt.replace_range(start..CREATED.len().min(start + cut), &piece);
            let [at_once, later] = [true, false].map(|is_known| read(&creation(&spoilt, is_known)));
            prop_assert_eq!(at_once, later);
        }
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
