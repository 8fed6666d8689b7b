// SPDX-License-Identifier: Apache-2.0
//! The versions of a machine image that a pool can use.

use super::super::machine_image::{
    supports_architecture, supports_capabilities, supports_in_place_update,
};
use super::Incompatibility;
use crate::api::{
    CloudProfileSpec, MachineImage, MachineImageVersion, MachineType, ShootMachineImage, Worker,
};
use garden_gate_text::go::{Constraint, Version};

const AMD64: &str = "amd64";
const CONTAINERD: &str = "containerd";

/// A pool with its machine type and image in the profile; absent if the profile lacks either of them.
pub(super) struct ResolvedPool<'a> {
    spec: &'a CloudProfileSpec,
    pool: &'a Worker,
    pub(super) used: &'a ShootMachineImage,
    pub(super) image: &'a MachineImage,
    machine_type: &'a MachineType,
    kubelet: Version,
}

impl<'a> ResolvedPool<'a> {
    /// Looks up a pool in the profile; `kubelet` is the version that the pool's nodes run.
    pub(super) fn of(
        spec: &'a CloudProfileSpec,
        pool: &'a Worker,
        kubelet: &'a str,
    ) -> Option<Self> {
        let used = pool.machine.image.as_ref()?;
        let mut types = spec.machine_types.iter();
        let mut images = spec.machine_images.iter();
        Some(Self {
            spec,
            pool,
            used,
            machine_type: types.find(|it| it.name == pool.machine.machine_type)?,
            image: images.find(|it| equal_fold(&it.name, &used.name))?,
            kubelet: Version::parse(kubelet).ok()?,
        })
    }

    /// Returns the versions of the image that the pool can use.
    pub(super) fn fitting(&self) -> impl Iterator<Item = &'a MachineImageVersion> {
        let versions = self.image.versions.iter();
        versions.filter(|version| self.misfit(version).is_none())
    }

    /// Returns the reason why a version does not fit the pool.
    ///
    /// Mirrors FilterMachineImageVersions in `pkg/controllermanager/controller/shoot/maintenance/helper/helper.go`.
    pub(super) fn misfit(&self, version: &MachineImageVersion) -> Option<Incompatibility> {
        let architecture = self.pool.machine.architecture.as_deref().unwrap_or(AMD64);
        let has_capabilities = !self.spec.machine_capabilities.is_empty();
        if !supports_architecture(version, self.spec, architecture) {
            Some(Incompatibility::Architecture)
        } else if has_capabilities && !supports_capabilities(version, self.spec, self.machine_type)
        {
            Some(Incompatibility::Capabilities)
        } else if !self.has_runtimes(version) {
            Some(Incompatibility::ContainerRuntime)
        } else if !admits(version, &self.kubelet) {
            Some(Incompatibility::KubeletConstraint)
        } else if self.pool.is_in_place() && !self.is_reachable_in_place(version) {
            Some(Incompatibility::InPlace)
        } else {
            None
        }
    }

    fn has_runtimes(&self, version: &MachineImageVersion) -> bool {
        let wanted = self.pool.cri.as_ref();
        let name = wanted.map_or(CONTAINERD, |wanted| &wanted.name);
        let runtimes = wanted.map_or(&[][..], |wanted| &wanted.container_runtimes);
        version.cri.iter().any(|cri| {
            let has = |kind: &str| cri.container_runtimes.iter().any(|it| it.kind == kind);
            cri.name == name && runtimes.iter().all(|runtime| has(&runtime.kind))
        })
    }

    /// Reports whether the version can be installed in place.
    ///
    /// The pool's own version needs no update to itself.
    fn is_reachable_in_place(&self, version: &MachineImageVersion) -> bool {
        let from = &self.used.version;
        supports_in_place_update(version, None)
            && (version.version == *from || supports_in_place_update(version, Some(from)))
    }
}

/// Reports whether a version of a machine image works with a kubelet.
///
/// An invalid constraint admits none.
pub(super) fn admits(version: &MachineImageVersion, kubelet: &Version) -> bool {
    let constraint = version.kubelet_version_constraint.as_deref();
    constraint.is_none_or(|it| Constraint::parse(it).is_ok_and(|it| it.matches(kubelet)))
}

/// Compares like Go's `strings.EqualFold`, for the characters of names.
fn equal_fold(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}
