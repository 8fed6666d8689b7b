// SPDX-License-Identifier: Apache-2.0
//! Workload of a Shoot cluster, and how ready it is for a change of the cluster.
//!
//! - [`Workload`] is a snapshot of the objects in a cluster, or of their manifests.
//! - `PodSet` has the pods of one controller, and `BudgetMatches` the PodDisruptionBudgets that select them.
//! - [`ClusterChange`] is the change of the Shoot, as far as it concerns workload.
//! - [`Readiness`] has the results of the checks in `rules/workload/readiness`.

mod budget_matches;
mod cluster_change;
mod kinds;
mod metadata;
mod node_profile;
mod node_requirements;
mod pod;
mod pod_set;
mod readiness;
mod removed_apis;
mod requested_api;
mod snapshot;

pub(crate) use budget_matches::BudgetMatches;
pub use cluster_change::{ClusterChange, ClusterState};
pub(crate) use kinds::{Budget, BudgetStatus, Volume};
pub(crate) use metadata::Metadata;
pub use metadata::ObjectName;
pub use node_profile::{NodePool, NodeProfile};
pub(crate) use node_profile::{POOL, ZONE, is_zone_key};
pub(crate) use node_requirements::{LabelValue, Truth};
pub(crate) use pod::{PodTemplate, Spread};
pub(crate) use pod_set::PodSet;
pub use readiness::{CheckReport, Problem, Readiness, Severity, UncheckedObject};
pub(crate) use removed_apis::{Removal, removal};
pub(crate) use requested_api::RequestedApi;
pub(crate) use snapshot::ApiUse;
pub use snapshot::{UnreadObject, Workload};
