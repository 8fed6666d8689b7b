// SPDX-License-Identifier: Apache-2.0
//! Policies of operators, as `garden-gate.dev/v1alpha1`.

use serde::Deserialize;

use crate::api::{AdmissionPolicySpec, ObjectMeta};

/// A policy of operators that garden-gate evaluates itself.
///
/// It is a ValidatingAdmissionPolicy without bindings and parameters, whose expressions can look up objects of the garden.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct GardenPolicy {
    /// Name.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// Requests, expressions and effect.
    #[serde(default)]
    pub spec: GardenPolicySpec,
}

/// Requests, expressions and effect of a [`GardenPolicy`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct GardenPolicySpec {
    /// The id of findings after `policy/`; empty means the name of the policy.
    #[serde(default)]
    pub id: String,
    /// `deny`, `warn` or `off`; absent means `deny`.
    pub level: Option<String>,
    /// The remedy; may be empty.
    #[serde(default)]
    pub help: String,
    /// The fields of a ValidatingAdmissionPolicy.
    #[serde(flatten)]
    pub policy: AdmissionPolicySpec,
}

impl GardenPolicy {
    /// The API version of manifests.
    pub const API_VERSION: &'static str = "garden-gate.dev/v1alpha1";
    /// The kind of manifests.
    pub const KIND: &'static str = "GardenPolicy";
}
