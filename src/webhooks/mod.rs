//! Webhooks of a Shoot cluster that can keep it from working, or from waking up: which, why, and what would clear them.
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
