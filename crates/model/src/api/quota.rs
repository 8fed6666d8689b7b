// SPDX-License-Identifier: Apache-2.0
//! Quota: resource limits for the Shoots of a binding.

use std::collections::BTreeMap;

use crate::api::Constraint::{AtLeast, Immutable};
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::references::ObjectReference;
use crate::api::{CORE_GROUP, CORE_VERSION, group_and_version, object};
use garden_gate_text::go::Quantity;

object! {
    /// Resource limits for the Shoots of a binding.
    Quota {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta -> metadata: ObjectMeta;
        /// Limits of the Quota.
        "spec": QuotaSpec -> spec: QuotaSpec;
    }
}

object! {
    /// Resource limits for the Shoots of a binding.
    QuotaSpec {
        /// Scope of the Quota: the Shoots of a Project, a Secret or a WorkloadIdentity; immutable.
        "scope": ObjectReference required -> scope: ObjectReference => [Immutable];
        /// Limits by resource name.
        "metrics": {Quantity} required -> metrics: BTreeMap<String, Quantity>;
        /// Lifetime of Shoots in days, after which they are deleted.
        "clusterLifetimeDays": Integer32 -> cluster_lifetime_days: Option<i32> => [AtLeast(1.0)];
    }
}

/// The Shoots that a `Quota` counts together.
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
    pub fn scope(&self) -> Option<QuotaScope> {
        let ObjectReference { api_version, kind, .. } = &self.scope;
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
