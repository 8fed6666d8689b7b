// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::api::{Kind, ObjectMeta};
use garden_gate_text::go::Quantity;

/// A ResourceQuota of Kubernetes: limits on the objects of a namespace.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ResourceQuota {
    /// Name and namespace.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// The limits.
    #[serde(default)]
    pub spec: ResourceQuotaSpec,
    /// The limits and the number of objects that a controller counted.
    #[serde(default)]
    pub status: ResourceQuotaStatus,
}

/// The limits of a [`ResourceQuota`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceQuotaSpec {
    /// The limits by resource.
    #[serde(default)]
    pub hard: BTreeMap<String, Quantity>,
    /// The objects that are counted, if not all.
    #[serde(default)]
    pub scopes: Vec<String>,
    /// The same, as a selector.
    pub scope_selector: Option<IgnoredAny>,
}

/// The status of a [`ResourceQuota`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ResourceQuotaStatus {
    /// The limits that the controller observed.
    #[serde(default)]
    pub hard: BTreeMap<String, Quantity>,
    /// The number of objects.
    #[serde(default)]
    pub used: BTreeMap<String, Quantity>,
}

impl ResourceQuota {
    /// Returns the name under which objects of a kind are counted, such as `count/shoots.core.gardener.cloud`.
    pub fn counted_as(kind: Kind) -> String {
        format!("count/{}", kind.full_resource())
    }

    /// Reports whether objects of all kinds are counted.
    ///
    /// Scopes select Pods and PersistentVolumeClaims only.
    pub fn has_no_scope(&self) -> bool {
        self.spec.scopes.is_empty() && self.spec.scope_selector.is_none()
    }

    /// Returns the limit on a resource: that of the status, or that of the spec while the status lacks it.
    pub fn limit(&self, resource: &str) -> Option<&Quantity> {
        let hard = [&self.status.hard, &self.spec.hard];
        hard.into_iter().find_map(|hard| hard.get(resource))
    }
}
