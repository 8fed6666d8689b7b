// SPDX-License-Identifier: Apache-2.0
//! The fields that determine the possible seeds of a Shoot.

use std::borrow::Cow;

use crate::api::{LastOperation, Networking, Shoot};

/// The default scheduler of Shoots.
pub const DEFAULT_SCHEDULER: &str = "default-scheduler";

impl LastOperation {
    /// Reports whether the control plane is being migrated between two seeds.
    ///
    /// Mirrors isShootInMigrationOrRestorePhase in `plugin/pkg/shoot/validator/admission.go`.
    pub fn is_migration(&self) -> bool {
        self.kind == "Migrate" || self.kind == "Restore" && self.state != "Succeeded"
    }
}

impl Shoot {
    /// Returns the current or future seed of the control plane.
    pub fn seed_name(&self) -> Option<&str> {
        self.spec.seed_name.as_deref()
    }

    /// Reports whether the Shoot has no worker pools.
    pub fn is_workerless(&self) -> bool {
        self.spec.provider.workers.is_empty()
    }

    /// Reports whether the control plane survives the failure of a zone.
    pub fn survives_zones(&self) -> bool {
        let control_plane = self.spec.control_plane.as_ref();
        let tolerance = control_plane.and_then(|it| it.high_availability.as_ref());
        tolerance.is_some_and(|it| it.failure_tolerance.kind == "zone")
    }

    /// Reports whether the control plane survives any failure.
    pub fn is_highly_available(&self) -> bool {
        let control_plane = self.spec.control_plane.as_ref();
        control_plane.is_some_and(|it| it.high_availability.is_some())
    }

    /// Returns the zones of the seed that the control plane is pinned to.
    pub fn control_plane_zones(&self) -> &[String] {
        let control_plane = self.spec.control_plane.as_ref();
        control_plane.map_or(&[], |it| &it.zones)
    }

    /// Returns the domain, whether it was set or generated.
    pub fn domain(&self) -> Option<&str> {
        self.spec.dns.as_ref()?.domain.as_deref()
    }

    /// Returns the address ranges; all are absent without a network.
    pub fn networking(&self) -> Cow<'_, Networking> {
        self.spec.networking.as_ref().map_or_else(Cow::default, Cow::Borrowed)
    }
}
