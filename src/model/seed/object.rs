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
    /// What the operator configured.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: SeedSpec,
    /// What the gardenlet observed.
    #[serde(default, deserialize_with = "null_is_default")]
    pub status: SeedStatus,
}

/// The desired state of a [`Seed`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeedSpec {
    /// Where the seed runs.
    #[serde(default, deserialize_with = "null_is_default")]
    pub provider: SeedProvider,
    /// What a Shoot must tolerate to be placed here; a taint has the shape of a toleration.
    #[serde(default, deserialize_with = "bounded::list")]
    pub taints: Vec<Toleration>,
    /// Settings.
    pub settings: Option<SeedSettings>,
    /// Where backups of control planes go; a control plane cannot move without.
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
    /// How the zones of a Shoot's pools count.
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

/// How the zones of a Shoot's pools count for the scheduler.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SeedZoneSelection {
    /// `Enforce`, `Prefer`, or anything else for not at all.
    #[serde(default, deserialize_with = "null_is_default")]
    pub mode: String,
}

/// Where backups of control planes go.
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
    /// The namespace, which is that of the object with the reference if none is given.
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
    /// Below which Gardener makes names for its own use.
    pub internal: Option<SeedDomain>,
    /// Below which Shoots without a domain of their own get one; empty means the landscape's.
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
    /// Of the nodes.
    pub nodes: Option<String>,
    /// Of the pods.
    #[serde(default, deserialize_with = "null_is_default")]
    pub pods: String,
    /// Of the services.
    #[serde(default, deserialize_with = "null_is_default")]
    pub services: String,
    /// What Shoots on this seed get that say nothing.
    #[serde(default, deserialize_with = "null_is_default")]
    pub shoot_defaults: ShootNetworkDefaults,
}

/// Address ranges of Shoots that say nothing.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ShootNetworkDefaults {
    /// Of the pods.
    pub pods: Option<String>,
    /// Of the services.
    pub services: Option<String>,
}

/// The observed state of a [`Seed`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeedStatus {
    /// How much of each resource there is for Shoots, as written; numbers and texts.
    #[serde(default, deserialize_with = "null_is_default")]
    pub allocatable: BTreeMap<String, Box<RawValue>>,
    /// The gardenlet.
    #[serde(default, deserialize_with = "null_is_default")]
    pub gardener: SeedGardener,
    /// How the seed fares.
    #[serde(default, deserialize_with = "bounded::list")]
    pub conditions: Vec<Condition>,
    /// What was done last; absent until the seed was reconciled once.
    pub last_operation: Option<SeedLastOperation>,
}

/// The gardenlet of a [`Seed`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SeedGardener {
    /// Its version; empty if not reported.
    #[serde(default, deserialize_with = "null_is_default")]
    pub version: String,
}

/// That something was done with a [`Seed`].
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct SeedLastOperation {}

impl Seed {
    /// How many Shoots the seed takes; `None` if it does not say.
    ///
    /// A fraction counts as one more. What is no quantity counts as nothing said: the API server lets no such seed through.
    #[must_use]
    pub fn allocatable_shoots(&self) -> Option<i64> {
        let raw = self.status.allocatable.get("shoots")?.get();
        let text = raw.trim_matches('"');
        Some(crate::compat::Quantity::parse(text).ok()?.ceiling())
    }

    /// Whether a condition is reported and true.
    #[must_use]
    pub fn is_true(&self, condition: &str) -> bool {
        let first = self
            .status
            .conditions
            .iter()
            .find(|it| it.kind == condition);
        first.is_some_and(|it| it.status == "True")
    }

    /// Whether the scheduler considers the seed, once defaulted.
    #[must_use]
    pub fn is_visible(&self) -> bool {
        let settings = self.spec.settings.as_ref();
        let scheduling = settings.and_then(|settings| settings.scheduling.as_ref());
        scheduling.is_none_or(|scheduling| scheduling.visible)
    }

    /// Why the scheduler passes over the seed, whatever a Shoot asks for; `None` if it does not.
    ///
    /// What only a running gardenlet reports counts as soon as it is reported.
    #[must_use]
    pub fn why_unusable(&self) -> Option<&'static str> {
        if self.metadata.deletion_timestamp.is_some() {
            return Some("is being deleted");
        }
        if !self.is_visible() {
            return Some("is not visible to the scheduler");
        }
        let status = &self.status;
        // A manifest without a status says nothing about readiness.
        if status.last_operation.is_none() && status.conditions.is_empty() {
            return None;
        }
        let backup = self.spec.backup.is_none() || self.is_true("BackupBucketsReady");
        let ready = status.last_operation.is_some() && self.is_true("GardenletReady") && backup;
        (!ready).then_some("is not ready")
    }

    /// Whether the seed is told to reconcile no Shoots for the moment.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        let annotations = &self.metadata.annotations;
        let stop = annotations.get("shoot.gardener.cloud/emergency-stop-reconciliations");
        stop.is_some_and(|stop| stop == "true")
    }

    /// The mode of zone selection; empty if there is none.
    #[must_use]
    pub fn zone_selection(&self) -> &str {
        let settings = self.spec.settings.as_ref();
        settings.map_or("", |settings| &settings.zone_selection.mode)
    }

    /// Whether a Shoot with the access restrictions `wanted` may be here.
    ///
    /// Mirrors AccessRestrictionsAreSupported in `pkg/api/core/helper/seed.go`, which compares the numbers too.
    #[must_use]
    pub fn supports(&self, wanted: &[AccessRestriction]) -> bool {
        wanted.len() <= self.spec.access_restrictions.len() && self.unsupported(wanted).is_empty()
    }

    /// The names of the access restrictions of `wanted` that the seed lacks.
    #[must_use]
    pub fn unsupported<'a>(&self, wanted: &'a [AccessRestriction]) -> Vec<&'a str> {
        let supported = &self.spec.access_restrictions;
        let missing = wanted.iter().filter(|it| !supported.contains(it));
        missing.map(|it| it.name.as_str()).collect()
    }

    /// The default domain of the seed that `domain` lies below, if any; of several, the first.
    #[must_use]
    pub fn default_domain_of(&self, domain: &str) -> Option<&str> {
        let defaults = self.spec.dns.defaults.iter().map(|it| it.domain.as_str());
        defaults.into_iter().find(|it| is_below(domain, it))
    }
}

/// Whether `domain` ends with a dot and `parent`.
#[must_use]
pub fn is_below(domain: &str, parent: &str) -> bool {
    domain
        .strip_suffix(parent)
        .is_some_and(|rest| rest.ends_with('.'))
}
