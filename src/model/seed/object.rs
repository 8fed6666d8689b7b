use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::model::{
    AccessRestriction, Condition, ObjectMeta, Toleration, bounded, null_is_default,
};

/// A Seed: the cluster that hosts control planes.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Seed {
    /// Name, labels, annotations and deletion timestamp.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// The operator's configuration.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: SeedSpec,
    /// The gardenlet's observations.
    #[serde(default, deserialize_with = "null_is_default")]
    pub status: SeedStatus,
}

/// The desired state of a [`Seed`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeedSpec {
    /// The infrastructure of the seed.
    #[serde(default, deserialize_with = "null_is_default")]
    pub provider: SeedProvider,
    /// The taints that a Shoot must tolerate to use the seed; a taint has the fields of a toleration.
    #[serde(default, deserialize_with = "bounded::list")]
    pub taints: Vec<Toleration>,
    /// Settings.
    pub settings: Option<SeedSettings>,
    /// The storage for backups of control planes; a control plane cannot be migrated without it.
    pub backup: Option<SeedBackup>,
    /// Domains.
    #[serde(default, deserialize_with = "null_is_default")]
    pub dns: SeedDns,
    /// Address ranges.
    #[serde(default, deserialize_with = "null_is_default")]
    pub networks: SeedNetworks,
    /// The access restrictions that the seed supports.
    #[serde(default, deserialize_with = "bounded::list")]
    pub access_restrictions: Vec<AccessRestriction>,
}

/// The provider of a [`Seed`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SeedProvider {
    /// The provider type, for example `aws`.
    #[serde(default, rename = "type", deserialize_with = "null_is_default")]
    pub kind: String,
    /// The region.
    #[serde(default, deserialize_with = "null_is_default")]
    pub region: String,
    /// The zones.
    #[serde(default, deserialize_with = "null_is_default")]
    pub zones: Vec<String>,
}

/// Settings of a [`Seed`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeedSettings {
    /// Scheduling settings.
    pub scheduling: Option<SeedScheduling>,
    /// The use of the zones of a Shoot's pools.
    #[serde(default, deserialize_with = "null_is_default")]
    pub zone_selection: SeedZoneSelection,
}

/// Scheduling settings of a [`Seed`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SeedScheduling {
    /// Whether the scheduler considers the seed; an empty `scheduling: {}` means it does not.
    #[serde(default, deserialize_with = "null_is_default")]
    pub visible: bool,
}

/// The use of the zones of a Shoot's pools by the scheduler.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SeedZoneSelection {
    /// `Enforce` or `Prefer`; other values disable it.
    #[serde(default, deserialize_with = "null_is_default")]
    pub mode: String,
}

/// The storage for backups of control planes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeedBackup {
    /// The provider type of the store.
    #[serde(default, deserialize_with = "null_is_default")]
    pub provider: String,
    /// The credentials of the store.
    #[serde(default, deserialize_with = "null_is_default")]
    pub credentials_ref: ObjectReference,
}

/// A reference to an object of some kind.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectReference {
    /// Group and version.
    #[serde(default, deserialize_with = "null_is_default")]
    pub api_version: String,
    /// The kind.
    #[serde(default, deserialize_with = "null_is_default")]
    pub kind: String,
    /// The namespace.
    #[serde(default, deserialize_with = "null_is_default")]
    pub namespace: String,
    /// The name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
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

/// Domains of a [`Seed`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SeedDns {
    /// The parent domain of the names that Gardener uses internally.
    pub internal: Option<SeedDomain>,
    /// The parent domains for Shoots without their own domain; empty means the landscape's.
    #[serde(default, deserialize_with = "bounded::list")]
    pub defaults: Vec<SeedDomain>,
}

/// A domain of a [`Seed`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SeedDomain {
    /// The domain.
    #[serde(default, deserialize_with = "null_is_default")]
    pub domain: String,
}

/// Address ranges of a [`Seed`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeedNetworks {
    /// The range of the nodes.
    pub nodes: Option<String>,
    /// The range of the pods.
    #[serde(default, deserialize_with = "null_is_default")]
    pub pods: String,
    /// The range of the services.
    #[serde(default, deserialize_with = "null_is_default")]
    pub services: String,
    /// The default ranges of Shoots on this seed.
    #[serde(default, deserialize_with = "null_is_default")]
    pub shoot_defaults: ShootNetworkDefaults,
}

/// Default address ranges of Shoots.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ShootNetworkDefaults {
    /// The range of the pods.
    pub pods: Option<String>,
    /// The range of the services.
    pub services: Option<String>,
}

/// The observed state of a [`Seed`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeedStatus {
    /// The amount of each resource for Shoots, as written; numbers and strings.
    #[serde(default, deserialize_with = "null_is_default")]
    pub allocatable: BTreeMap<String, Box<RawValue>>,
    /// The gardenlet.
    #[serde(default, deserialize_with = "null_is_default")]
    pub gardener: SeedGardener,
    /// The conditions of the seed.
    #[serde(default, deserialize_with = "bounded::list")]
    pub conditions: Vec<Condition>,
    /// The last operation; absent until the seed was reconciled once.
    pub last_operation: Option<SeedLastOperation>,
}

/// The gardenlet of a [`Seed`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SeedGardener {
    /// Its version; empty if not reported.
    #[serde(default, deserialize_with = "null_is_default")]
    pub version: String,
}

/// The presence of a last operation of a [`Seed`].
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct SeedLastOperation {}

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
