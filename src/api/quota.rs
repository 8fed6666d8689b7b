//! Quota: what the Shoots of a binding may use together.

use std::collections::BTreeMap;

use crate::api::Constraint::{AtLeast, Immutable};
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::references::ObjectReference;
use crate::api::{CORE_GROUP, CORE_VERSION, group_and_version, object};
use crate::compat::Quantity;

object! {
    /// Limits for the Shoots of a binding.
    Quota {
        /// API group and version.
        "apiVersion": String;
        /// The kind.
        "kind": String;
        /// Name, labels and the like.
        "metadata": ObjectMeta -> metadata: ObjectMeta;
        /// How much it is.
        "spec": QuotaSpec -> spec: QuotaSpec;
    }
}

object! {
    /// Limits for the Shoots of a binding.
    QuotaSpec {
        /// Whose Shoots count: of a Project, a Secret or a WorkloadIdentity; immutable.
        "scope": ObjectReference required -> scope: ObjectReference => [Immutable];
        /// How much, by name.
        "metrics": {Quantity} required -> metrics: BTreeMap<String, Quantity>;
        /// After how many days Shoots are deleted.
        "clusterLifetimeDays": Integer32 -> cluster_lifetime_days: Option<i32> => [AtLeast(1.0)];
    }
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
