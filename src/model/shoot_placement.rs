//! What decides on which seed a Shoot may be.

use serde::Deserialize;

use super::{Shoot, null_is_default};

/// The scheduler that chooses seeds unless a Shoot names another one.
pub const DEFAULT_SCHEDULER: &str = "default-scheduler";

/// How the control plane of a Shoot runs.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootControlPlane {
    /// What the control plane survives; absent means nothing.
    pub high_availability: Option<HighAvailability>,
    /// The zones of the seed that the control plane is pinned to.
    #[serde(default, deserialize_with = "null_is_default")]
    pub zones: Vec<String>,
}

/// What a control plane survives.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HighAvailability {
    /// What may fail.
    #[serde(default, deserialize_with = "null_is_default")]
    pub failure_tolerance: FailureTolerance,
}

/// What may fail.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct FailureTolerance {
    /// `node` or `zone`.
    #[serde(default, rename = "type", deserialize_with = "null_is_default")]
    pub kind: String,
}

/// The domain of a Shoot.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ShootDns {
    /// The domain; absent means that Gardener makes one.
    pub domain: Option<String>,
}

/// Address ranges of a Shoot.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootNetworking {
    /// Of the nodes.
    pub nodes: Option<String>,
    /// Of the pods.
    pub pods: Option<String>,
    /// Of the services.
    pub services: Option<String>,
    /// `IPv4`, `IPv6` or both.
    #[serde(default, deserialize_with = "null_is_default")]
    pub ip_families: Vec<String>,
}

/// Address ranges of a Shoot as observed.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ShootNetworkingStatus {
    /// Of the nodes.
    #[serde(default, deserialize_with = "null_is_default")]
    pub nodes: Vec<String>,
    /// Of the pods.
    #[serde(default, deserialize_with = "null_is_default")]
    pub pods: Vec<String>,
    /// Of the services.
    #[serde(default, deserialize_with = "null_is_default")]
    pub services: Vec<String>,
}

/// What was done last with a Shoot.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct LastOperation {
    /// `Create`, `Reconcile`, `Migrate`, `Restore`, `Delete`.
    #[serde(default, rename = "type", deserialize_with = "null_is_default")]
    pub kind: String,
    /// `Processing`, `Succeeded`, `Failed`, …
    #[serde(default, deserialize_with = "null_is_default")]
    pub state: String,
}

impl LastOperation {
    /// Whether the control plane is between two seeds.
    ///
    /// Mirrors isShootInMigrationOrRestorePhase in `plugin/pkg/shoot/validator/admission.go`.
    #[must_use]
    pub fn is_migration(&self) -> bool {
        self.kind == "Migrate" || self.kind == "Restore" && self.state != "Succeeded"
    }
}

impl ShootNetworking {
    /// Whether the Shoot has addresses of this family.
    #[must_use]
    pub fn has(&self, family: &str) -> bool {
        self.ip_families.iter().any(|it| it == family)
    }
}

impl Shoot {
    /// The seed that hosts the control plane, or will.
    #[must_use]
    pub fn seed_name(&self) -> Option<&str> {
        self.spec.seed_name.as_deref()
    }

    /// Whether there are no worker pools.
    #[must_use]
    pub fn is_workerless(&self) -> bool {
        self.spec.provider.workers.is_empty()
    }

    /// Whether a worker pool hosts the control plane.
    #[must_use]
    pub fn is_self_hosted(&self) -> bool {
        let workers = &self.spec.provider.workers;
        workers.iter().any(|worker| worker.control_plane.is_some())
    }

    /// Whether the control plane survives the failure of a zone.
    #[must_use]
    pub fn survives_zones(&self) -> bool {
        let high_availability = self.spec.control_plane.high_availability.as_ref();
        high_availability.is_some_and(|it| it.failure_tolerance.kind == "zone")
    }
}
