// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use serde::Deserialize;

use crate::api::ObjectMeta;
use garden_gate_text::go::atoi;

/// A ConfigMap of the garden namespace with the distances of regions for the scheduler.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct RegionConfig {
    /// Name, labels and annotations.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// By region: a YAML map from the names of other regions to distances.
    #[serde(default)]
    pub data: BTreeMap<String, String>,
}

impl RegionConfig {
    /// The label of such ConfigMaps.
    pub const LABEL: (&'static str, &'static str) =
        ("scheduling.gardener.cloud/purpose", "region-config");

    /// Reports whether a ConfigMap has that label.
    pub fn is_one(&self) -> bool {
        let (label, value) = Self::LABEL;
        self.metadata.labels.get(label).is_some_and(|it| it == value)
    }

    /// Reports whether the distances apply to a CloudProfile.
    pub fn is_for(&self, cloud_profile: &str) -> bool {
        let annotations = &self.metadata.annotations;
        let names = annotations.get("scheduling.gardener.cloud/cloudprofiles");
        names.is_some_and(|names| names.split(',').any(|name| name.trim() == cloud_profile))
    }
}

/// A Secret of the garden namespace, of which only the metadata is read.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct DomainSecret {
    /// Labels and annotations.
    #[serde(default)]
    pub metadata: ObjectMeta,
}

impl DomainSecret {
    /// The label of Secrets of default domains.
    pub const LABEL: (&'static str, &'static str) = ("gardener.cloud/role", "default-domain");
    /// The annotation with the type of the DNS provider.
    pub const PROVIDER: &'static str = "dns.gardener.cloud/provider";
    /// The annotation with the domain.
    pub const DOMAIN: &'static str = "dns.gardener.cloud/domain";
    /// The annotation with the priority.
    pub const PRIORITY: &'static str = "dns.gardener.cloud/domain-default-priority";

    /// Returns the default domain of the Secret; `None` if the Secret is not for a default domain.
    ///
    /// Mirrors GetDomainInfoFromAnnotations in `pkg/utils/gardener/dns.go`.
    ///
    /// # Errors
    /// Returns the missing annotation if the Secret has the label of a default domain, but does not name the domain and its provider.
    pub fn domain(&self) -> Result<Option<DefaultDomain>, String> {
        let (label, value) = Self::LABEL;
        if self.metadata.labels.get(label).is_none_or(|it| it != value) {
            return Ok(None);
        }
        let annotation = |key: &str| {
            let value = self.metadata.annotations.get(key);
            value.filter(|value| !value.is_empty()).ok_or_else(|| {
                format!(
                    "Secret `{}` has the label of a default domain, but not the annotation `{key}`",
                    self.metadata.name
                )
            })
        };
        annotation(Self::PROVIDER)?;
        let name = annotation(Self::DOMAIN)?.clone();
        let annotations = &self.metadata.annotations;
        let priority = annotations.get(Self::PRIORITY).and_then(|it| atoi(it)).unwrap_or_default();
        Ok(Some(DefaultDomain { name, priority }))
    }
}

/// A parent domain for the domains of Shoots.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DefaultDomain {
    /// The domain.
    pub name: String,
    /// The priority; Shoots without a domain get one below the default domain with the highest.
    pub priority: i64,
}
