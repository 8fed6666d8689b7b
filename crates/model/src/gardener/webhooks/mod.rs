// SPDX-License-Identifier: Apache-2.0
//! Webhooks of a Shoot cluster that can prevent it from working or waking up, with reasons and remedies.
//!
//! Mirrors `pkg/gardenlet/operation/botanist/matchers`, `constraints.go` and `webhook_remediation.go` of gardenlet.

mod constraint;
mod critical;
mod hibernation;
mod problem;
mod remedy;
mod rules;

pub use constraint::{ConfigurationKind, Obstacle, is_considered, obstacle, warning};
pub use critical::Critical;
pub use hibernation::{Needed, stopped_by};
pub use problem::{Problem, Reason, defaulted, problem, problems};
pub use remedy::{
    Modification, Reading, Remediated, is_remediated, modifications, remediate, remediate_wholly,
};
