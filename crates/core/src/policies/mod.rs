// SPDX-License-Identifier: Apache-2.0
//! Policies of a garden, evaluated as by a kube-apiserver.
//!
//! [`judge()`] adds the findings of the bound policies of a [`Snapshot`](crate::garden::Snapshot) to a verdict by rules. Their ids are
//! `policy/` and the name of the policy. Policies that are not evaluated are returned with the reason. The server does not evaluate them,
//! since the API server in front of it does.
//!
//! [`decide()`] applies MutatingAdmissionPolicies before, if the API server of the landscape does. Otherwise those that match are only named.
//!
//! [`OwnPolicy`] is a policy of operators, which is evaluated everywhere, also by the server. Its expressions can look up objects of the
//! garden. The cost of all own policies of a request is limited.

mod allowance;
mod cache;
mod check;
mod compiled;
mod converted;
mod documents;
mod evaluation;
mod extensions;
mod judge;
mod landscape;
mod lookups;
mod matching;
mod mutating;
mod names;
mod objects;
mod own;
mod params;
mod policy_document;
mod policy_kind;
mod position;
mod schema;
mod shoot_lists;
mod unjudged;
mod validation;

pub use allowance::Allowance;
pub use cache::PolicyCache;
pub use check::check;
pub use documents::{own_policies, policies_in};
pub use extensions::{JudgedConfiguration, defined_rules, shipped_definition};
pub use garden_gate_cel::Deadline;
pub use judge::{Policies, PolicyRemarks, PolicyResult, judge, judge_quickly, judge_within};
pub use landscape::{missing_policies, mutating_policies, unjudged_policies, why_unjudged};
pub use mutating::{
    Identity, MergeSchema, Merging, ScalarType, apply_configuration, decide, json_patch,
};
pub use own::OwnPolicy;
pub use policy_document::{PolicyDocument, PolicyError, PolicySource};
pub use schema::KnownShape;
pub use unjudged::UnjudgedPolicy;
