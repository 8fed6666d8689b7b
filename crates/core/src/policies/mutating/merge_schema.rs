// SPDX-License-Identifier: Apache-2.0
use serde_json::Value;

use crate::policies::schema::KnownShape;
use garden_gate_cel::{Made, Schema};
use garden_gate_model::api::{ListKind, Presence, Shape};

/// The type of a value, so far as a merge depends on it.
///
/// Mirrors `schema.Atom` of `sigs.k8s.io/structured-merge-diff`, and `pkg/schemaconv` of `k8s.io/kube-openapi`.
pub trait MergeSchema: Copy {
    /// Returns how values are merged.
    fn merging(self) -> Merging<Self>;

    /// Returns the schema of a declared field; `None` if there is no such field.
    fn field(self, name: &str) -> Option<Self>;
}

/// How values of a type are merged.
#[derive(Clone, Debug)]
pub enum Merging<S> {
    /// A scalar is replaced.
    Scalar(ScalarType),
    /// The fields of an object are merged.
    Map {
        /// Whether the object is replaced as a whole.
        is_atomic: bool,
        /// The schema of values without a declared field; `None` if there are none.
        rest: Option<S>,
    },
    /// The elements of a list.
    List {
        /// The schema of the elements.
        item: S,
        /// The identity of the elements.
        identity: Identity,
    },
    /// A value of any type.
    Untyped {
        /// Whether maps are merged; lists are always replaced.
        is_deduced: bool,
    },
}

/// The type of a scalar.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ScalarType {
    /// A number.
    Number,
    /// A string.
    String,
    /// A boolean.
    Boolean,
    /// Any of them.
    Any,
}

/// The identity of the elements of a list.
#[derive(Clone, Debug)]
pub enum Identity {
    /// There is none: the list is replaced as a whole.
    Atomic,
    /// The elements themselves.
    Value,
    /// These fields of the elements, with their defaults.
    Keys(Vec<(String, Option<Value>)>),
}

/// Structs of Kubernetes with `x-kubernetes-map-type: atomic` that objects of Gardener contain.
const ATOMIC: [&str; 7] = [
    "ConfigMapKeySelector",
    "CrossVersionObjectReference",
    "LabelSelector",
    "LocalObjectReference",
    "ObjectReference",
    "OwnerReference",
    "SecretReference",
];

impl MergeSchema for KnownShape {
    fn merging(self) -> Merging<Self> {
        let is_object = |name: &str| ATOMIC.contains(&name);
        match (self.shape(), self.made()) {
            (Shape::Object(object), _) => {
                Merging::Map { is_atomic: is_object(object.name), rest: None }
            }
            (Shape::List(inner, kind), Made::List(item)) => {
                Merging::List { item, identity: identity(*inner, kind) }
            }
            (_, Made::Map(inner)) => Merging::Map { is_atomic: false, rest: Some(inner) },
            (Shape::Boolean, _) => Merging::Scalar(ScalarType::Boolean),
            (Shape::Integer32 | Shape::Integer64 | Shape::Number, _) => {
                Merging::Scalar(ScalarType::Number)
            }
            (Shape::Quantity | Shape::IntOrString, _) => Merging::Scalar(ScalarType::Any),
            (Shape::Any, _) => Merging::Untyped { is_deduced: false },
            _ => Merging::Scalar(ScalarType::String),
        }
    }

    fn field(self, name: &str) -> Option<Self> {
        Schema::field(self, name)
    }
}

fn identity(item: Shape, kind: ListKind) -> Identity {
    match kind {
        ListKind::Atomic => Identity::Atomic,
        ListKind::Set => Identity::Value,
        ListKind::By(key) => {
            let field = match item {
                Shape::Object(object) => object.field(key),
                _ => None,
            };
            // The schema of an API server has defaults of strings that are always stored.
            let is_stored = field.is_some_and(|it| it.presence != Presence::Optional);
            Identity::Keys(vec![(key.to_owned(), is_stored.then(|| "".into()))])
        }
    }
}
