// SPDX-License-Identifier: Apache-2.0
use super::{AccessQuestion, ObjectKey};
use garden_gate_model::api::Kind;

/// A lookup that only the API server can answer.
///
/// The answer is added to the request's [`Snapshot`](super::Snapshot).
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Question {
    /// Whether the requesting user has a permission.
    Access(AccessQuestion),
    /// An object that the watch does not show yet, or whose kind is not watched.
    Object(ObjectKey),
    /// The Project of a namespace, if the watch does not show it yet.
    ProjectOfNamespace(String),
    /// All objects of a kind with [`Retrieval::Labelled`](garden_gate_model::api::Retrieval::Labelled), which are not watched.
    Labelled(Kind),
    /// The confirmed deletions among all objects of a kind in a namespace, as the watch may lag behind.
    Collection {
        /// The kind.
        kind: Kind,
        /// The namespace; empty for Projects.
        namespace: String,
    },
}
