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
    /// Which ConfigMaps of the garden namespace have the label [`RegionConfig::LABEL`](crate::model::RegionConfig::LABEL)?
    /// They are not watched.
    RegionConfigs,
    /// For which domains are there Secrets in the garden namespace with the label
    /// [`DomainSecret::LABEL`](crate::model::DomainSecret::LABEL)? They are not watched.
    DefaultDomains,
    /// Whose deletion is confirmed among all objects of a kind in a namespace? The watch may be late.
    Collection {
        /// The kind.
        kind: Kind,
        /// The namespace; empty for Projects.
        namespace: String,
    },
}
