// SPDX-License-Identifier: Apache-2.0
//! The versions that a Shoot uses, with their classifications in its profile.

use jiff::Timestamp;

use crate::admission::{Change, Context, FieldPath, FindingKind, Findings, Reported};
use crate::rules::shared::effective_profile::{EffectiveProfile, find};
use garden_gate_model::api::{CloudProfileSpec, ExpirableVersion, MachineImageVersion, Shoot};
use garden_gate_model::gardener::version::current_classification;
use garden_gate_model::gardener::version::maintenance::{
    Forced, Outcome, Targets, Window, when_forced,
};

/// A Shoot that is not being deleted, with its profile.
pub(super) struct AdvisedShoot<'a> {
    pub new: &'a Shoot,
    pub old: Option<&'a Shoot>,
    offer: EffectiveProfile,
}

impl<'a> AdvisedShoot<'a> {
    /// Returns the Shoot with its profile.
    ///
    /// Returns `None` if no advice is needed, or the profile is unknown: advice is not worth an undetermined verdict.
    pub(super) fn of(context: &Context<'_>, shoot: Change<'a, Shoot>) -> Option<Self> {
        let new = shoot.new?;
        if new.metadata.deletion_timestamp.is_some() {
            return None;
        }
        let offer = find(context, new).ok()?;
        let old = shoot.old;
        Some(Self { new, old, offer })
    }

    pub(super) fn spec(&self) -> &CloudProfileSpec {
        self.offer.spec()
    }

    /// Returns the versions in use: the control plane's, then each pool's own and that of its image.
    pub(super) fn uses<'s>(&'s self, spec: &'s CloudProfileSpec) -> Vec<Use<'s>> {
        let version = self.new.spec.kubernetes.version.as_str();
        let pools = &self.new.spec.provider.workers;
        let mut uses = Vec::with_capacity(1 + 2 * pools.len());
        uses.push(Use {
            component: VersionedComponent::ControlPlane,
            version,
            listed: kubernetes(spec, version),
            changed: self.old.is_none_or(|old| old.spec.kubernetes.version != version),
        });
        let old_pools = self.old.map(Shoot::pools);
        for (index, pool) in pools.iter().enumerate() {
            let old = old_pools.as_ref().and_then(|old| old.get(&pool.name));
            let name = pool.name.as_str();
            if let Some(version) = pool.own_version() {
                uses.push(Use {
                    component: VersionedComponent::Pool { index, name },
                    version,
                    listed: kubernetes(spec, version),
                    changed: old.is_none_or(|old| old.own_version() != Some(version)),
                });
            }
            if let Some(image) = &pool.machine.image {
                let same = |it: &&MachineImageVersion| it.version == image.version;
                let images = spec.machine_images.iter().filter(|it| it.name == image.name);
                let listed = images.flat_map(|it| &it.versions).find(same);
                uses.push(Use {
                    component: VersionedComponent::Image { index, name, image: &image.name },
                    version: &image.version,
                    listed: listed.map(Listed::Image),
                    changed: old.is_none_or(|old| old.machine.image.as_ref() != Some(image)),
                });
            }
        }
        uses
    }
}

fn kubernetes<'a>(spec: &'a CloudProfileSpec, version: &str) -> Option<Listed<'a>> {
    let mut versions = spec.kubernetes.versions.iter();
    versions.find(|it| it.version == version).map(Listed::Kubernetes)
}

/// A version in use.
pub(super) struct Use<'a> {
    component: VersionedComponent<'a>,
    version: &'a str,
    listed: Option<Listed<'a>>,
    /// Whether this write sets the version.
    pub changed: bool,
}

enum VersionedComponent<'a> {
    ControlPlane,
    Pool { index: usize, name: &'a str },
    Image { index: usize, name: &'a str, image: &'a str },
}

#[derive(Clone, Copy)]
enum Listed<'a> {
    Kubernetes(&'a ExpirableVersion),
    Image(&'a MachineImageVersion),
}

impl Use<'_> {
    /// Returns the current classification; `None` if the profile does not list the version.
    pub(super) fn classification(&self, now: Timestamp) -> Option<&str> {
        self.listed.map(|listed| match listed {
            Listed::Kubernetes(version) => current_classification(version, now),
            Listed::Image(version) => current_classification(version, now),
        })
    }

    /// Returns the time of the forced update; the next run if the profile does not list the version.
    pub(super) fn forced(&self, window: Window, now: Timestamp) -> Forced {
        match self.listed {
            None => Forced::NextRun,
            Some(Listed::Kubernetes(version)) => when_forced(version, window, now),
            Some(Listed::Image(version)) => when_forced(version, window, now),
        }
    }

    /// Returns the version that a maintenance run updates it to, if any.
    pub(super) fn target(&self, targets: &Targets<'_>, at: Timestamp) -> Option<String> {
        let outcome = match self.component {
            VersionedComponent::ControlPlane => Some(targets.control_plane(at)),
            VersionedComponent::Pool { index, .. } => targets.pool(index, at),
            VersionedComponent::Image { index, .. } => targets.image(index, at),
        };
        outcome.filter(Outcome::is_updated).map(|outcome| outcome.after().to_owned())
    }

    /// Reports advice about the version; `says` is the text after its name.
    pub(super) fn advice<'f>(
        &self,
        kind: &'static FindingKind,
        says: &str,
        findings: &'f mut Findings,
    ) -> Reported<'f> {
        findings.invalid(kind, self.path(), self.named(says)).value(self.version)
    }

    fn path(&self) -> FieldPath {
        let pool = |index| FieldPath::new("spec.provider.workers").index(index);
        match self.component {
            VersionedComponent::ControlPlane => FieldPath::new("spec.kubernetes.version"),
            VersionedComponent::Pool { index, .. } => pool(index).descendant("kubernetes.version"),
            VersionedComponent::Image { index, .. } => {
                pool(index).descendant("machine.image.version")
            }
        }
    }

    fn named(&self, says: &str) -> String {
        let version = self.version;
        match self.component {
            VersionedComponent::ControlPlane => ["Kubernetes `", version, "` ", says].concat(),
            VersionedComponent::Pool { name, .. } => {
                let parts = ["Kubernetes `", version, "` of pool `", name, "` ", says];
                parts.concat()
            }
            VersionedComponent::Image { name, image, .. } => {
                let parts = ["`", image, ":", version, "` of pool `", name, "` ", says];
                parts.concat()
            }
        }
    }
}
