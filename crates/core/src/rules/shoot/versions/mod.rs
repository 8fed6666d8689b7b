// SPDX-License-Identifier: Apache-2.0
//! The Kubernetes versions of control planes and pools.

mod kubernetes_version_change;
pub(crate) mod kubernetes_version_default;
mod kubernetes_version_required;
mod kubernetes_version_unsupported;
pub(crate) mod offered_kubernetes;
mod worker_kubernetes_version_change;
mod worker_kubernetes_version_skew;
mod worker_kubernetes_version_unsupported;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[
    &kubernetes_version_default::RULE,
    &kubernetes_version_required::RULE,
    &kubernetes_version_change::RULE,
    &worker_kubernetes_version_change::RULE,
    &worker_kubernetes_version_skew::RULE,
    &kubernetes_version_unsupported::RULE,
    &worker_kubernetes_version_unsupported::RULE,
];
