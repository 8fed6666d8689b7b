// SPDX-License-Identifier: Apache-2.0
//! The AdmissionReviews that clients send.

use serde_json::{Value, json};

use super::world;
use garden_gate_core::admission::EntryPoint;
use garden_gate_model::api::Kind;

/// A review of a write of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Review {
    pub(super) entry_point: EntryPoint,
    pub(super) operation: Operation,
    /// The index of the object.
    pub(super) object: usize,
    pub(super) variant: usize,
    /// The variant of the stored object.
    pub(super) old: usize,
    pub(super) user: &'static str,
    /// The timeout of the client in milliseconds; `None` for the default.
    pub(super) timeout: Option<u64>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Operation {
    Create,
    Update,
    /// Only the label `touched` changes.
    Touch,
    Delete,
    DeleteCollection,
    /// The binding of a Shoot to a Seed.
    Bind,
}

pub(super) const OPERATIONS: [Operation; 7] = [
    Operation::Create,
    Operation::Create,
    Operation::Update,
    Operation::Touch,
    Operation::Delete,
    Operation::DeleteCollection,
    Operation::Bind,
];

impl Review {
    pub(super) fn path(&self) -> String {
        let path = match self.entry_point {
            EntryPoint::Mutate => "/mutate",
            _ => "/validate",
        };
        match self.timeout {
            Some(millis) => format!("{path}?timeout={millis}ms"),
            None => path.to_owned(),
        }
    }

    /// Returns the body of the request with this number.
    pub(super) fn body(&self, number: u64) -> String {
        let key = world::key(self.object);
        let new = world::object(&key, self.variant);
        let old = world::object(&key, self.old);
        let (operation, new, old) = match self.operation {
            Operation::Create => ("CREATE", Some(new), None),
            Operation::Update => ("UPDATE", Some(new), Some(old)),
            Operation::Touch => ("UPDATE", Some(touched(&old)), Some(old)),
            Operation::Delete => ("DELETE", None, Some(old)),
            Operation::DeleteCollection => ("DELETE", None, None),
            Operation::Bind => ("UPDATE", Some(bound(&old)), Some(old)),
        };
        let is_collection = self.operation == Operation::DeleteCollection;
        let name = if is_collection { "" } else { &key.name };
        let (group, version) = key.kind.api();
        let is_binding = self.operation == Operation::Bind && key.kind == Kind::Shoot;
        let request = json!({
            "uid": number.to_string(),
            "resource": {"group": group, "version": version, "resource": key.kind.resource()},
            "subResource": if is_binding { "binding" } else { "" },
            "operation": operation,
            "name": name,
            "namespace": key.namespace,
            "userInfo": {"username": self.user, "groups": ["system:authenticated"]},
            "object": new,
            "oldObject": old,
        });
        let review = json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
        review.to_string()
    }
}

fn touched(object: &Value) -> Value {
    let mut object = object.clone();
    object["metadata"]["labels"]["touched"] = json!("true");
    object
}

fn bound(object: &Value) -> Value {
    let mut object = object.clone();
    object["spec"]["seedName"] = json!("us");
    object
}
