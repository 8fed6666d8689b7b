//! What decides on which seed a Shoot may be.

use std::borrow::Cow;

use crate::model::{LastOperation, Networking, Shoot};

/// The scheduler that chooses seeds unless a Shoot names another one.
pub const DEFAULT_SCHEDULER: &str = "default-scheduler";

impl LastOperation {
    /// Whether the control plane is between two seeds.
    ///
    /// Mirrors isShootInMigrationOrRestorePhase in `plugin/pkg/shoot/validator/admission.go`.
    #[must_use]
    pub fn is_migration(&self) -> bool {
        self.kind == "Migrate" || self.kind == "Restore" && self.state != "Succeeded"
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

    /// Whether the control plane survives the failure of a zone.
    #[must_use]
    pub fn survives_zones(&self) -> bool {
        let control_plane = self.spec.control_plane.as_ref();
        let tolerance = control_plane.and_then(|it| it.high_availability.as_ref());
        tolerance.is_some_and(|it| it.failure_tolerance.kind == "zone")
    }

    /// Whether the control plane survives any failure.
    #[must_use]
    pub fn is_highly_available(&self) -> bool {
        let control_plane = self.spec.control_plane.as_ref();
        control_plane.is_some_and(|it| it.high_availability.is_some())
    }

    /// The zones of the seed that the control plane is pinned to.
    #[must_use]
    pub fn control_plane_zones(&self) -> &[String] {
        let control_plane = self.spec.control_plane.as_ref();
        control_plane.map_or(&[], |it| &it.zones)
    }

    /// The domain, if it was given or made.
    #[must_use]
    pub fn domain(&self) -> Option<&str> {
        self.spec.dns.as_ref()?.domain.as_deref()
    }

    /// The address ranges; all absent if there is no network.
    #[must_use]
    pub fn networking(&self) -> Cow<'_, Networking> {
        self.spec
            .networking
            .as_ref()
            .map_or_else(Cow::default, Cow::Borrowed)
    }
}
