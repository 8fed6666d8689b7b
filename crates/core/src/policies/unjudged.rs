// SPDX-License-Identifier: Apache-2.0
//! Policies that are not evaluated.

use crate::garden::Snapshot;
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

/// Returns the policies and bindings of a garden that cannot be read or may be missing, of the given kinds.
pub(super) fn unreadable_policies(
    garden: &Snapshot,
    kinds: [Kind; 2],
) -> impl Iterator<Item = UnjudgedPolicy> {
    kinds.into_iter().flat_map(|kind| {
        let unreadable = garden.unreadable_policies(kind).map(move |(name, why)| {
            UnjudgedPolicy::of_kind(kind, name, format!("it cannot be read: {why}"))
        });
        // A directory without any may have been written without them.
        let gap = garden.gap(kind).filter(|_| garden.knows_of(kind));
        let missing = gap.map(|why| UnjudgedPolicy {
            title: kind.name_of_several(),
            why: format!("not all are known: {why}"),
        });
        unreadable.chain(missing)
    })
}
