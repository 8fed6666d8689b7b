use std::collections::BTreeMap;

use serde::Deserialize;

use super::null_is_default;
use super::{CORE_GROUP, CORE_VERSION, ObjectMeta, ObjectReference, group_and_version};
use crate::compat::Quantity;

/// A Quota: limits on resources and lifetime of the Shoots whose bindings name it.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Quota {
    /// Name and namespace.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// The limits.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: QuotaSpec,
}

/// The limits of a [`Quota`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QuotaSpec {
    /// The kind of object to which the limits apply, as a reference without a name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub scope: ObjectReference,
    /// The maximum number of days from now until a Shoot expires.
    pub cluster_lifetime_days: Option<i32>,
    /// The limits by metric, such as `cpu`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metrics: BTreeMap<String, Quantity>,
}

/// The Shoots that a [`Quota`] counts together.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum QuotaScope {
    /// The Shoots of one project.
    Project,
    /// All Shoots that use a binding with the Quota.
    Credentials,
}

impl QuotaSpec {
    /// Returns the Shoots that are counted together; `None` for a scope that Gardener does not know.
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
