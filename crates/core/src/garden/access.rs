// SPDX-License-Identifier: Apache-2.0
/// The resource attributes of a SubjectAccessReview; the subject is the requester.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct AccessQuestion {
    /// The verb, often a custom verb of Gardener.
    pub verb: &'static str,
    /// The API group.
    pub group: &'static str,
    /// The plural resource.
    pub resource: &'static str,
    /// The subresource; empty for the object itself.
    pub subresource: &'static str,
    /// The namespace; empty for cluster-scoped resources.
    pub namespace: String,
    /// The name of the object.
    pub name: String,
}
