use std::collections::BTreeMap;

use serde::Deserialize;

use super::null_is_default;
use super::{CORE_GROUP, CORE_VERSION, ObjectMeta, ObjectReference, group_and_version};
use crate::compat::Quantity;

/// A Quota: what the Shoots of the bindings that name it may use together, and how long they may live.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Quota {
    /// Name and namespace.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// What is limited.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: QuotaSpec,
}

/// What a [`Quota`] limits.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QuotaSpec {
    /// The kind of object that the limits are per, as a reference without a name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub scope: ObjectReference,
    /// For how many days at most, from now on, the life of a Shoot can be prolonged.
    pub cluster_lifetime_days: Option<i32>,
    /// The limits, by what is counted, such as `cpu`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metrics: BTreeMap<String, Quantity>,
}

/// Whose Shoots a [`Quota`] counts together.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum QuotaScope {
    /// Those of one project.
    Project,
    /// All that use a binding with the Quota.
    Credentials,
}

impl QuotaSpec {
    /// Whose Shoots count together; `None` if Gardener does not know such a scope.
    ///
    /// Mirrors QuotaScope in `pkg/api/core/helper/quota.go`.
    #[must_use]
    pub fn scope(&self) -> Option<QuotaScope> {
        let ObjectReference {
            api_version, kind, ..
        } = &self.scope;
        match (group_and_version(api_version), kind.as_str()) {
            ((CORE_GROUP, CORE_VERSION), "Project") => Some(QuotaScope::Project),
            (("", "v1"), "Secret") => Some(QuotaScope::Credentials),
            (("security.gardener.cloud", "v1alpha1"), "WorkloadIdentity") => {
                Some(QuotaScope::Credentials)
            }
            _ => None,
        }
    }
}
