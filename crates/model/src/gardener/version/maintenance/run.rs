// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;

use super::image::image;
use super::kubernetes::kubernetes;
use super::outcome::Outcome;
use crate::api::{CloudProfileSpec, Shoot};

/// The effects of one maintenance run on the versions of a Shoot.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Run {
    /// The control plane.
    pub kubernetes: Outcome,
    /// The worker pools, in the order of the Shoot.
    pub pools: Vec<PoolRun>,
    /// The first pool whose machine type, image or Kubernetes version is missing in the profile.
    ///
    /// From this pool on the run changes no image, and it reports no image that could not be updated.
    pub images_stop_at: Option<usize>,
}

/// The effects of one maintenance run on a worker pool.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PoolRun {
    /// The name of the pool.
    pub name: String,
    /// Its own Kubernetes version; `None` if it follows the control plane.
    pub kubernetes: Option<Outcome>,
    /// The version of its machine image; `None` if it names no image.
    pub image: Option<Outcome>,
}

/// Returns the effects of a maintenance run at `now` on a defaulted Shoot with the profile `spec`.
///
/// [`super::Window`] determines whether a run takes place at `now`. The result is not checked by admission.
/// Mirrors reconcile in `pkg/controllermanager/controller/shoot/maintenance/reconciler.go`: images first, chosen for the
/// Kubernetes versions before the run; then the control plane; then the pools with their own versions.
pub fn run(shoot: &Shoot, spec: &CloudProfileSpec, now: Timestamp) -> Run {
    let auto_update = shoot.spec.maintenance.auto_update.unwrap_or_default();
    let pools = &shoot.spec.provider.workers;
    let (mut images, images_stop_at) = images(shoot, spec, now);
    let versions = &spec.kubernetes.versions;
    let is_auto = auto_update.kubernetes_version;
    let control_plane = kubernetes(&shoot.spec.kubernetes.version, versions, is_auto, None, now);
    let limit = control_plane.after().to_owned();
    let runs = pools.iter().zip(&mut images).map(|(pool, image)| {
        let own =
            pool.own_version().map(|own| kubernetes(own, versions, is_auto, Some(&limit), now));
        if let Some(image) = image {
            let kubelet = own.as_ref().map_or(limit.as_str(), Outcome::after);
            super::image::flag_old_kubernetes(image, pool, spec, kubelet);
        }
        PoolRun { name: pool.name.clone(), kubernetes: own, image: image.take() }
    });
    Run { pools: runs.collect(), kubernetes: control_plane, images_stop_at }
}

/// Returns the outcome for each pool's image, and the pool at which the run stops to update images.
fn images(
    shoot: &Shoot,
    spec: &CloudProfileSpec,
    now: Timestamp,
) -> (Vec<Option<Outcome>>, Option<usize>) {
    let auto_update = shoot.spec.maintenance.auto_update.unwrap_or_default();
    let is_auto = auto_update.machine_image_version.unwrap_or(false);
    let pools = &shoot.spec.provider.workers;
    let mut outcomes: Vec<Option<Outcome>> = Vec::with_capacity(pools.len());
    let mut stop = None;
    for (index, pool) in pools.iter().enumerate() {
        let known = || image(pool, shoot.version_of(pool), spec, is_auto, now);
        let outcome = if stop.is_none() { known() } else { None };
        stop = stop.or(outcome.is_none().then_some(index));
        let unchanged = || Outcome::unchanged(pool.image_version());
        outcomes.push(outcome.or_else(|| pool.machine.image.as_ref().map(|_| unchanged())));
    }
    if stop.is_some() {
        let failed = outcomes.iter_mut().flatten().filter(|it| it.has_failed());
        failed.for_each(|it| *it = Outcome::unchanged(&it.from));
    }
    (outcomes, stop)
}

impl Run {
    /// Reports whether any version changes.
    pub fn changes(&self) -> bool {
        self.outcomes().any(Outcome::is_updated)
    }

    /// Reports whether any version had to change and could not.
    ///
    /// The rest of the run is applied, and the run is reported as failed.
    pub fn has_failures(&self) -> bool {
        self.outcomes().any(Outcome::has_failed)
    }

    /// Returns every outcome: the control plane's, then those of the pools.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        let pools = self.pools.iter().flat_map(|pool| pool.kubernetes.iter().chain(&pool.image));
        std::iter::once(&self.kubernetes).chain(pools)
    }

    /// Returns the Shoot with its versions after the run.
    pub fn apply(&self, shoot: &Shoot) -> Shoot {
        let mut after = shoot.clone();
        after.spec.kubernetes.version = self.kubernetes.after().to_owned();
        for (pool, run) in after.spec.provider.workers.iter_mut().zip(&self.pools) {
            if let (Some(own), Some(outcome)) = (&mut pool.kubernetes, &run.kubernetes) {
                own.version = Some(outcome.after().to_owned());
            }
            if let (Some(image), Some(outcome)) = (&mut pool.machine.image, &run.image) {
                image.version = outcome.after().to_owned();
            }
        }
        after
    }
}
