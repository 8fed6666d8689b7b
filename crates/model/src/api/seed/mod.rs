// SPDX-License-Identifier: Apache-2.0
//! Seed: a cluster that hosts control planes.

pub(super) mod region_config;
pub(super) mod settings;

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::api::Constraint::{
    Distinct, DistinctBy, Enum, Filled, Format, Immutable, ImmutableOnceSet, Since,
};
use crate::api::Format::{Amount, Cidr, DnsSubdomain};
use crate::api::cloud_profile::machines::AccessRestriction;
use crate::api::object;
use crate::api::seed::settings::SeedSettings;
use crate::api::shared::extensions::{Backup, Extension};
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::references::{NamedResourceReference, ObjectReference};
use crate::api::shared::status::{Condition, Gardener, LastOperation};
use crate::api::shared::toleration::Toleration;

object! {
    /// Cluster that hosts control planes of Shoots.
    Seed {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta -> metadata: ObjectMeta;
        /// Desired state of the Seed.
        "spec": SeedSpec -> spec: SeedSpec;
        /// Observed state of the Seed.
        "status": SeedStatus -> status: SeedStatus;
    }
}

object! {
    /// Desired state of a Seed.
    SeedSpec {
        /// Infrastructure provider of the Seed.
        "provider": SeedProvider required -> provider: SeedProvider;
        /// Networks of the Seed.
        "networks": SeedNetworks required -> networks: SeedNetworks;
        /// Domains and DNS providers.
        "dns": SeedDNS filled -> dns: SeedDNS;
        /// Ingress domain and controller.
        "ingress": Ingress => [Filled];
        /// Backup of the control planes' etcd.
        "backup": Backup -> backup: Option<Backup>;
        /// Settings, most of which enable or disable a feature.
        "settings": SeedSettings -> settings: Option<SeedSettings>;
        /// Taints of the Seed; Shoots without a matching toleration are not scheduled on it.
        "taints": [SeedTaint] -> taints: Vec<Toleration>;
        /// Settings of persistent volumes.
        "volume": SeedVolume;
        /// Access restrictions that the Seed supports.
        "accessRestrictions": [AccessRestriction] -> access_restrictions: Vec<AccessRestriction>;
        /// Enabled extensions.
        "extensions": [Extension] => [DistinctBy("type")];
        /// Objects that extensions can reference.
        "resources": [NamedResourceReference] => [DistinctBy("name")];
    }
}

object! {
    /// Domains and DNS providers of a Seed.
    SeedDNS {
        /// DNS provider of the Seed's own domain.
        "provider": SeedDNSProvider;
        /// Internal domain, for internal addresses of Shoots.
        "internal": SeedDNSProviderConfig -> internal: Option<SeedDNSProviderConfig> => [Filled];
        /// Default domains, for Shoots that do not specify a domain.
        "defaults": [SeedDNSProviderConfig] -> defaults: Vec<SeedDNSProviderConfig> => [DistinctBy("domain")];
    }
}

object! {
    /// DNS provider of the Seed's own domain.
    SeedDNSProvider {
        /// Type of the DNS provider.
        "type": String required => [Filled];
        /// Credentials of the DNS provider.
        "credentialsRef": ObjectReference => [Filled];
    }
}

object! {
    /// Domain and its DNS provider.
    SeedDNSProviderConfig {
        /// Domain name.
        "domain": String required -> domain: String => [Filled, Format(DnsSubdomain)];
        /// Type of the DNS provider.
        "type": String required => [Filled];
        /// Zone of the DNS provider.
        "zone": String;
        /// Credentials of the DNS provider.
        "credentialsRef": ObjectReference required;
    }
}

object! {
    /// Ingress domain and controller of a Seed.
    Ingress {
        /// Domain of the Ingresses; immutable.
        "domain": String required => [Filled, Format(DnsSubdomain), Immutable];
        /// Ingress controller of the Seed.
        "controller": IngressController required;
    }
}

object! {
    /// Ingress controller of a Seed.
    IngressController {
        /// Kind of the ingress controller: `nginx`.
        "kind": String required => [Enum(&["nginx"])];
        /// Configuration of the ingress controller.
        "providerConfig": Any;
    }
}

object! {
    /// Networks of a Seed.
    SeedNetworks {
        /// Node network, as a CIDR; immutable once it is set.
        "nodes": String -> nodes: Option<String> => [Format(Cidr), ImmutableOnceSet];
        /// Pod network, as a CIDR; immutable.
        "pods": String required -> pods: String => [Format(Cidr), Immutable];
        /// Service network, as a CIDR; immutable.
        "services": String required -> services: String => [Format(Cidr), Immutable];
        /// IP families: `IPv4`, `IPv6`, or both; immutable.
        "ipFamilies": [String] => [Enum(&["IPv4", "IPv6"]), Distinct];
        /// Networks that are blocked for Shoots.
        "blockCIDRs": [String];
        /// Default networks for Shoots that do not specify them.
        "shootDefaults": ShootNetworks -> shoot_defaults: ShootNetworks;
    }
}

object! {
    /// Default networks for Shoots that do not specify them.
    ShootNetworks {
        /// Pod network, as a CIDR.
        "pods": String -> pods: Option<String> => [Format(Cidr)];
        /// Service network, as a CIDR.
        "services": String -> services: Option<String> => [Format(Cidr)];
    }
}

object! {
    /// Infrastructure provider of a Seed.
    SeedProvider {
        /// Type of the infrastructure provider.
        "type": String required -> kind: String => [Filled];
        /// Region of the infrastructure.
        "region": String required -> region: String => [Filled];
        /// Availability zones of the Seed.
        "zones": [String] -> zones: Vec<String> => [Distinct];
        /// Provider-specific configuration, read by the provider extension.
        "providerConfig": Any;
    }
}

object! {
    /// Taint of a Seed; Shoots without a matching toleration are not scheduled on it.
    SeedTaint {
        /// Key of the taint.
        "key": String required;
        /// Value of the taint.
        "value": String;
    }
}

object! {
    /// Settings of persistent volumes of a Seed.
    SeedVolume {
        /// Minimum size of a volume.
        "minimumSize": Quantity => [Format(Amount)];
        /// Volume providers.
        "providers": [SeedVolumeProvider; by name] => [DistinctBy("purpose")];
    }
}

object! {
    /// Volume provider of a Seed.
    SeedVolumeProvider {
        /// Name of the volume provider.
        "name": String required => [Filled];
        /// Purpose of the volume provider, for example `etcd-main`.
        "purpose": String required => [Filled];
    }
}

object! {
    /// Observed state of a Seed; written by Gardener.
    SeedStatus {
        /// Resources available to Shoots, by resource name.
        "allocatable": {Quantity} -> allocatable: BTreeMap<String, Box<RawValue>>;
        /// Total resources, by resource name.
        "capacity": {Quantity};
        /// Expiration time of the gardenlet's client certificate.
        "clientCertificateExpirationTimestamp": Time;
        /// Globally unique identity of the cluster; immutable once it is set.
        "clusterIdentity": String => [ImmutableOnceSet];
        /// Conditions of the Seed.
        "conditions": [Condition; by type] -> conditions: Vec<Condition>;
        /// Conditions that prevent operations on the Seed.
        "constraints": [Condition; by type] => [Since(150)];
        /// Gardener instance that last reconciled the Seed.
        "gardener": Gardener -> gardener: Gardener;
        /// Kubernetes version of the Seed.
        "kubernetesVersion": String -> kubernetes_version: String;
        /// Last operation on the Seed.
        "lastOperation": LastOperation -> last_operation: Option<LastOperation>;
        /// Most recent generation that was reconciled.
        "observedGeneration": Integer64;
    }
}

impl ObjectReference {
    /// Returns the namespace; `own`, that of the object with the reference, if none is set.
    pub fn namespace_or<'a>(&'a self, own: &'a str) -> &'a str {
        if self.namespace.is_empty() { own } else { &self.namespace }
    }
}

impl Seed {
    /// Returns the maximum number of Shoots on the seed; `None` if it has no limit.
    ///
    /// A fraction is rounded up, and a number beyond 64 bits wraps around. An invalid quantity is ignored: the API server
    /// refuses such seeds.
    pub fn allocatable_shoots(&self) -> Option<i64> {
        let raw = self.status.allocatable.get("shoots")?.get();
        let text = raw.trim_matches('"');
        Some(garden_gate_text::go::Quantity::parse(text).ok()?.value())
    }

    /// Reports whether a condition is reported and true.
    pub fn is_true(&self, condition: &str) -> bool {
        let first = self.status.conditions.iter().find(|it| it.kind == condition);
        first.is_some_and(|it| it.status == "True")
    }

    /// Reports whether the scheduler considers the seed, after defaulting.
    pub fn is_visible(&self) -> bool {
        let settings = self.spec.settings.as_ref();
        let scheduling = settings.and_then(|settings| settings.scheduling.as_ref());
        scheduling.is_none_or(|scheduling| scheduling.visible)
    }

    /// Returns the reason why the scheduler skips the seed for all Shoots; `None` if it does not.
    ///
    /// Conditions that only a running gardenlet reports are used once they are reported.
    pub fn why_unusable(&self) -> Option<&'static str> {
        if self.metadata.deletion_timestamp.is_some() {
            return Some("is being deleted");
        }
        if !self.is_visible() {
            return Some("is not visible to the scheduler");
        }
        let status = &self.status;
        // A manifest without a status has no information about readiness.
        if status.last_operation.is_none() && status.conditions.is_empty() {
            return None;
        }
        let backup = self.spec.backup.is_none() || self.is_true("BackupBucketsReady");
        let ready = status.last_operation.is_some() && self.is_true("GardenletReady") && backup;
        (!ready).then_some("is not ready")
    }

    /// Reports whether reconciliation of Shoots is stopped on the seed.
    pub fn is_stopped(&self) -> bool {
        let annotations = &self.metadata.annotations;
        let stop = annotations.get("shoot.gardener.cloud/emergency-stop-reconciliations");
        stop.is_some_and(|stop| stop == "true")
    }

    /// Returns the mode of zone selection; empty if it is not set.
    pub fn zone_selection(&self) -> &str {
        let settings = self.spec.settings.as_ref();
        settings.map_or("", |settings| &settings.zone_selection.mode)
    }

    /// Reports whether the seed supports the access restrictions `wanted` of a Shoot.
    ///
    /// Mirrors AccessRestrictionsAreSupported in `pkg/api/core/helper/seed.go`, which compares the numbers too.
    pub fn supports(&self, wanted: &[AccessRestriction]) -> bool {
        wanted.len() <= self.spec.access_restrictions.len() && self.unsupported(wanted).is_empty()
    }

    /// Returns the names of the access restrictions of `wanted` that the seed lacks.
    pub fn unsupported<'a>(&self, wanted: &'a [AccessRestriction]) -> Vec<&'a str> {
        let supported = &self.spec.access_restrictions;
        let missing = wanted.iter().filter(|it| !supported.contains(it));
        missing.map(|it| it.name.as_str()).collect()
    }

    /// Returns the first default domain of the seed that is a parent of `domain`, if any.
    pub fn default_domain_of(&self, domain: &str) -> Option<&str> {
        let defaults = self.spec.dns.defaults.iter().map(|it| it.domain.as_str());
        defaults.into_iter().find(|it| is_below(domain, it))
    }
}

/// Reports whether `domain` ends with a dot and `parent`.
pub fn is_below(domain: &str, parent: &str) -> bool {
    domain.strip_suffix(parent).is_some_and(|rest| rest.ends_with('.'))
}
