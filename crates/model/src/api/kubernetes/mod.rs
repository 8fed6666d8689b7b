// SPDX-License-Identifier: Apache-2.0
//! Kinds of Kubernetes, and what each of its versions offers.

pub(super) mod admission_policy;
pub(super) mod config_map;
mod features;
pub(super) mod mutating_policy;
pub(super) mod policy_fields;
pub(super) mod rbac;
pub(super) mod resource_quota;
mod supported;
pub(super) mod webhook_configuration;
pub(super) mod workload;

pub use features::{Offered, Table, Tables, autoscaler_gates, next_minor};
pub use supported::{KubernetesSupport, is_dropped, oldest_supported, supported_until};
