// SPDX-License-Identifier: Apache-2.0
use std::cell::OnceCell;

use jiff::Timestamp;

use super::image::image;
use super::images::ResolvedPool;
use super::kubernetes::kubernetes;
use super::outcome::Outcome;
use crate::api::{CloudProfileSpec, Shoot};

/// The effects of maintenance runs on single versions of a Shoot, computed on demand.
///
/// [`super::run()`] returns the same for all versions at once.
#[derive(Debug)]
pub struct Targets<'a> {
    shoot: &'a Shoot,
    spec: &'a CloudProfileSpec,
    images_stop_at: OnceCell<usize>,
}

impl<'a> Targets<'a> {
    /// Creates the targets for a defaulted Shoot that references the profile `spec`.
    pub fn of(shoot: &'a Shoot, spec: &'a CloudProfileSpec) -> Self {
        Self { shoot, spec, images_stop_at: OnceCell::new() }
    }

    /// Returns the effect of a run at `at` on the control plane.
    pub fn control_plane(&self, at: Timestamp) -> Outcome {
        self.kubernetes(&self.shoot.spec.kubernetes.version, None, at)
    }

    /// Returns the effect of a run at `at` on the own Kubernetes version of a pool.
    pub fn pool(&self, index: usize, at: Timestamp) -> Option<Outcome> {
        let own = self.shoot.spec.provider.workers.get(index)?.own_version()?;
        let control_plane = self.control_plane(at);
        Some(self.kubernetes(own, Some(control_plane.after()), at))
    }

    /// Returns the effect of a run at `at` on the machine image of a pool.
    ///
    /// Returns `None` if the run stops to update images before.
    pub fn image(&self, index: usize, at: Timestamp) -> Option<Outcome> {
        let pool = self.shoot.spec.provider.workers.get(index)?;
        let stop = *self.images_stop_at.get_or_init(|| self.stop());
        if index >= stop {
            return None;
        }
        let auto_update = self.shoot.spec.maintenance.auto_update.unwrap_or_default();
        let is_auto = auto_update.machine_image_version.unwrap_or(false);
        image(pool, self.shoot.version_of(pool), self.spec, is_auto, at)
    }

    fn kubernetes(&self, version: &str, limit: Option<&str>, at: Timestamp) -> Outcome {
        let auto_update = self.shoot.spec.maintenance.auto_update.unwrap_or_default();
        let versions = &self.spec.kubernetes.versions;
        kubernetes(version, versions, auto_update.kubernetes_version, limit, at)
    }

    fn stop(&self) -> usize {
        let pools = &self.shoot.spec.provider.workers;
        let mut known = pools.iter();
        let unknown = known.position(|pool| {
            ResolvedPool::of(self.spec, pool, self.shoot.version_of(pool)).is_none()
        });
        unknown.unwrap_or(pools.len())
    }
}
