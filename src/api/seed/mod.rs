//! Seed: a cluster that hosts control planes.

pub(super) mod region_config;
pub(super) mod settings;

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::api::Constraint::{
    Distinct, DistinctBy, Enum, Filled, Format, Immutable, ImmutableOnceSet,
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
    /// A cluster that hosts control planes.
    Seed {
        /// API group and version.
        "apiVersion": String;
        /// The kind.
        "kind": String;
        /// Name, labels and the like.
        "metadata": ObjectMeta -> metadata: ObjectMeta;
        /// How the Seed should be.
        "spec": SeedSpec -> spec: SeedSpec;
        /// How the Seed is.
        "status": SeedStatus -> status: SeedStatus;
    }
}

object! {
    /// How a Seed should be.
    SeedSpec {
        /// Its infrastructure.
        "provider": SeedProvider required -> provider: SeedProvider;
        /// Its networks.
        "networks": SeedNetworks required -> networks: SeedNetworks;
        /// Domains, and who serves them.
        "dns": SeedDNS filled -> dns: SeedDNS;
        /// How ingresses are reached.
        "ingress": Ingress => [Filled];
        /// Where backups of the control planes go.
        "backup": Backup -> backup: Option<Backup>;
        /// Settings, most of which enable or disable a feature.
        "settings": SeedSettings -> settings: Option<SeedSettings>;
        /// What keeps Shoots off unless they tolerate it.
        "taints": [SeedTaint] -> taints: Vec<Toleration>;
        /// Volumes.
        "volume": SeedVolume;
        /// Restrictions of access that it keeps.
        "accessRestrictions": [AccessRestriction] -> access_restrictions: Vec<AccessRestriction>;
        /// Extensions that are switched on.
        "extensions": [Extension] => [DistinctBy("type")];
        /// Objects that extensions may use.
        "resources": [NamedResourceReference] => [DistinctBy("name")];
    }
}

object! {
    /// Domains of a Seed.
    SeedDNS {
        /// Who serves the Seed's own domain.
        "provider": SeedDNSProvider;
        /// The domain for internal addresses of Shoots.
        "internal": SeedDNSProviderConfig -> internal: Option<SeedDNSProviderConfig> => [Filled];
        /// Domains that Shoots get if they name none.
        "defaults": [SeedDNSProviderConfig] -> defaults: Vec<SeedDNSProviderConfig> => [DistinctBy("domain")];
    }
}

object! {
    /// Who serves the Seed's own domain.
    SeedDNSProvider {
        /// Which service it is.
        "type": String required => [Filled];
        /// Credentials for it.
        "credentialsRef": ObjectReference => [Filled];
    }
}

object! {
    /// A domain and who serves it.
    SeedDNSProviderConfig {
        /// The domain.
        "domain": String required -> domain: String => [Filled, Format(DnsSubdomain)];
        /// Which service it is.
        "type": String required => [Filled];
        /// The zone of the service.
        "zone": String;
        /// Credentials for it.
        "credentialsRef": ObjectReference required;
    }
}

object! {
    /// How ingresses of a Seed are reached.
    Ingress {
        /// Their domain; immutable.
        "domain": String required => [Filled, Format(DnsSubdomain), Immutable];
        /// What serves them.
        "controller": IngressController required;
    }
}

object! {
    /// What serves ingresses.
    IngressController {
        /// `nginx`.
        "kind": String required => [Enum(&["nginx"])];
        /// Its configuration.
        "providerConfig": Any;
    }
}

object! {
    /// Networks of a Seed.
    SeedNetworks {
        /// Network of the nodes, as a CIDR; immutable once it is set.
        "nodes": String -> nodes: Option<String> => [Format(Cidr), ImmutableOnceSet];
        /// Network of the pods, as a CIDR; immutable.
        "pods": String required -> pods: String => [Format(Cidr), Immutable];
        /// Network of the services, as a CIDR; immutable.
        "services": String required -> services: String => [Format(Cidr), Immutable];
        /// `IPv4`, `IPv6`, or both; immutable.
        "ipFamilies": [String] => [Enum(&["IPv4", "IPv6"]), Distinct];
        /// Networks that Shoots must not reach.
        "blockCIDRs": [String];
        /// Networks that Shoots get if they name none.
        "shootDefaults": ShootNetworks -> shoot_defaults: ShootNetworks;
    }
}

object! {
    /// Networks that Shoots get if they name none.
    ShootNetworks {
        /// Network of the pods, as a CIDR.
        "pods": String -> pods: Option<String> => [Format(Cidr)];
        /// Network of the services, as a CIDR.
        "services": String -> services: Option<String> => [Format(Cidr)];
    }
}

object! {
    /// Infrastructure of a Seed.
    SeedProvider {
        /// Which one it is.
        "type": String required -> kind: String => [Filled];
        /// Its region.
        "region": String required -> region: String => [Filled];
        /// Its zones.
        "zones": [String] -> zones: Vec<String> => [Distinct];
        /// What the provider extension reads.
        "providerConfig": Any;
    }
}

object! {
    /// What keeps Shoots off a Seed unless they tolerate it.
    SeedTaint {
        /// Its key.
        "key": String required;
        /// Its value.
        "value": String;
    }
}

object! {
    /// Volumes of a Seed.
    SeedVolume {
        /// The smallest size.
        "minimumSize": Quantity => [Format(Amount)];
        /// Who provides them.
        "providers": [SeedVolumeProvider; by name] => [DistinctBy("purpose")];
    }
}

object! {
    /// Who provides volumes.
    SeedVolumeProvider {
        /// Its name.
        "name": String required => [Filled];
        /// What for, `etcd-main` for one.
        "purpose": String required => [Filled];
    }
}

object! {
    /// How a Seed is; written by Gardener.
    SeedStatus {
        /// Resources available to Shoots, by name.
        "allocatable": {Quantity} -> allocatable: BTreeMap<String, Box<RawValue>>;
        /// Total resources, by name.
        "capacity": {Quantity};
        /// When the gardenlet's certificate expires.
        "clientCertificateExpirationTimestamp": Time;
        /// Identity of the cluster, unique in the world; immutable once it is set.
        "clusterIdentity": String => [ImmutableOnceSet];
        /// How parts of it are.
        "conditions": [Condition; by type] -> conditions: Vec<Condition>;
        /// The Gardener that reconciled it.
        "gardener": Gardener -> gardener: Gardener;
        /// Its version of Kubernetes.
        "kubernetesVersion": String;
        /// The last operation.
        "lastOperation": LastOperation -> last_operation: Option<LastOperation>;
        /// The specification that was reconciled.
        "observedGeneration": Integer64;
    }
}

impl ObjectReference {
    /// Returns the namespace; `own`, that of the object with the reference, if none is set.
    #[must_use]
    pub fn namespace_or<'a>(&'a self, own: &'a str) -> &'a str {
        if self.namespace.is_empty() {
            own
        } else {
            &self.namespace
        }
    }
}

impl Seed {
    /// Returns the maximum number of Shoots on the seed; `None` if it has no limit.
    ///
    /// A fraction is rounded up. An invalid quantity is ignored: the API server refuses such seeds.
    #[must_use]
    pub fn allocatable_shoots(&self) -> Option<i64> {
        let raw = self.status.allocatable.get("shoots")?.get();
        let text = raw.trim_matches('"');
        Some(crate::compat::Quantity::parse(text).ok()?.ceiling())
    }

    /// Reports whether a condition is reported and true.
    #[must_use]
    pub fn is_true(&self, condition: &str) -> bool {
        let first = self
            .status
            .conditions
            .iter()
            .find(|it| it.kind == condition);
        first.is_some_and(|it| it.status == "True")
    }

    /// Reports whether the scheduler considers the seed, after defaulting.
    #[must_use]
    pub fn is_visible(&self) -> bool {
        let settings = self.spec.settings.as_ref();
        let scheduling = settings.and_then(|settings| settings.scheduling.as_ref());
        scheduling.is_none_or(|scheduling| scheduling.visible)
    }

    /// Returns the reason why the scheduler skips the seed for all Shoots; `None` if it does not.
    ///
    /// Conditions that only a running gardenlet reports are used once they are reported.
    #[must_use]
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
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        let annotations = &self.metadata.annotations;
        let stop = annotations.get("shoot.gardener.cloud/emergency-stop-reconciliations");
        stop.is_some_and(|stop| stop == "true")
    }

    /// Returns the mode of zone selection; empty if it is not set.
    #[must_use]
    pub fn zone_selection(&self) -> &str {
        let settings = self.spec.settings.as_ref();
        settings.map_or("", |settings| &settings.zone_selection.mode)
    }

    /// Reports whether the seed supports the access restrictions `wanted` of a Shoot.
    ///
    /// Mirrors AccessRestrictionsAreSupported in `pkg/api/core/helper/seed.go`, which compares the numbers too.
    #[must_use]
    pub fn supports(&self, wanted: &[AccessRestriction]) -> bool {
        wanted.len() <= self.spec.access_restrictions.len() && self.unsupported(wanted).is_empty()
    }

    /// Returns the names of the access restrictions of `wanted` that the seed lacks.
    #[must_use]
    pub fn unsupported<'a>(&self, wanted: &'a [AccessRestriction]) -> Vec<&'a str> {
        let supported = &self.spec.access_restrictions;
        let missing = wanted.iter().filter(|it| !supported.contains(it));
        missing.map(|it| it.name.as_str()).collect()
    }

    /// Returns the first default domain of the seed that is a parent of `domain`, if any.
    #[must_use]
    pub fn default_domain_of(&self, domain: &str) -> Option<&str> {
        let defaults = self.spec.dns.defaults.iter().map(|it| it.domain.as_str());
        defaults.into_iter().find(|it| is_below(domain, it))
    }
}

/// Reports whether `domain` ends with a dot and `parent`.
#[must_use]
pub fn is_below(domain: &str, parent: &str) -> bool {
    domain
        .strip_suffix(parent)
        .is_some_and(|rest| rest.ends_with('.'))
}
