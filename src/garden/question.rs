use super::{AccessQuestion, ObjectKey};
use crate::model::Kind;

/// Something that only the API server can tell. What it says is told to a [`Snapshot`](super::Snapshot) for one request.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Question {
    /// May the requester do this?
    Access(AccessQuestion),
    /// Is there this object? Either the watch has not shown it yet, or its kind is not watched.
    Object(ObjectKey),
    /// Is there a Project for this namespace that the watch has not shown yet?
    ProjectOfNamespace(String),
    /// Which objects of a kind with [`Known::Labelled`](crate::model::Known::Labelled) are there? They are not watched.
    Labelled(Kind),
    /// Whose deletion is confirmed among all objects of a kind in a namespace? The watch may be late.
    Collection {
        /// The kind.
        kind: Kind,
        /// The namespace; empty for Projects.
        namespace: String,
    },
}
