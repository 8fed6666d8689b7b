//! Policies that are not evaluated.

use garden_gate_model::api::Kind;

/// A policy that is not evaluated.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnjudgedPolicy {
    /// The title, such as ValidatingAdmissionPolicy `labels`.
    pub title: String,
    /// The reason.
    pub why: String,
}

impl UnjudgedPolicy {
    /// Returns a ValidatingAdmissionPolicy that is not evaluated.
    pub fn new(policy: &str, why: impl Into<String>) -> Self {
        Self::of_kind(Kind::ValidatingAdmissionPolicy, policy, why)
    }

    /// Returns a MutatingAdmissionPolicy that is not evaluated.
    pub(super) fn mutating(policy: &str, why: impl Into<String>) -> Self {
        Self::of_kind(Kind::MutatingAdmissionPolicy, policy, why)
    }

    fn of_kind(kind: Kind, policy: &str, why: impl Into<String>) -> Self {
        Self { title: format!("{kind} `{policy}`"), why: why.into() }
    }
}
