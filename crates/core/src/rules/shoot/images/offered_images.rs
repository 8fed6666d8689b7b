// SPDX-License-Identifier: Apache-2.0
//! Availability of a machine image in a CloudProfile, shared by the rules about machine images.

use jiff::Timestamp;

use crate::admission::{Change, Context, Findings};
use crate::rules::shared::effective_profile::offer;
use crate::rules::shoot::workers::pool_pairs::{Pool, pairs};
use garden_gate_model::api::{CloudProfileSpec, MachineImageVersion, Shoot, ShootMachineImage};
use garden_gate_model::gardener::version::{
    architecture_of, is_active, is_expired, supports_architecture, supports_capabilities,
    supports_in_place_update,
};
use garden_gate_text::go::{Version, compare_versions};

/// The availability in a profile of the machine image that a pool names.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Offered {
    /// Image and architecture are unchanged, so the image is not checked.
    Kept,
    /// The image is available for the pool.
    Fine,
    /// The profile does not list it.
    Unknown,
    /// The profile lists it, but not for this pool.
    Unusable(Unusable),
}

/// The reasons why a pool cannot use a machine image that the profile lists.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Unusable {
    pub architecture: bool,
    pub inactive: bool,
    pub in_place: bool,
}

impl Offered {
    /// Reports whether Gardener continues with the checks of the image's properties.
    pub(crate) fn is_fine(self) -> bool {
        matches!(self, Offered::Kept | Offered::Fine)
    }
}

/// The machine image of a pool, with its profile.
pub(crate) struct PoolImage<'a> {
    pub spec: &'a CloudProfileSpec,
    pub pool: &'a Pool<'a>,
    pub now: Timestamp,
}

impl<'a> PoolImage<'a> {
    pub(crate) fn architecture(&self) -> &'a str {
        let architecture = self.pool.new.machine.architecture.as_deref();
        architecture.unwrap_or("amd64")
    }

    /// Mirrors validateMachineImage in `plugin/pkg/shoot/validator/admission.go`.
    pub(crate) fn offered(&self) -> Offered {
        if self.is_kept() {
            return Offered::Kept;
        }
        let Some(image) =
            self.pool.new.machine.image.as_ref().filter(|image| !image.version.is_empty())
        else {
            return Offered::Unknown;
        };
        let same = || self.versions(&image.name).filter(|it| it.version == image.version);
        if same().next().is_none() {
            return Offered::Unknown;
        }
        let unusable = Unusable {
            architecture: !same().any(|it| self.has_architecture(it)),
            inactive: !same().any(|it| self.is_active(it)),
            in_place: self.pool.new.is_in_place() && !same().any(|it| self.is_in_place(it)),
        };
        if unusable.architecture || unusable.inactive || unusable.in_place {
            Offered::Unusable(unusable)
        } else {
            Offered::Fine
        }
    }

    /// Returns the versions of the image that the pool can use instead.
    pub(crate) fn usable(&self, name: &str) -> Vec<String> {
        let fits = |version: &&MachineImageVersion| {
            self.has_architecture(version)
                && self.is_active(version)
                && (!self.pool.new.is_in_place() || self.is_in_place(version))
        };
        let mut versions: Vec<String> =
            self.versions(name).filter(fits).map(|it| format!("`{}`", it.version)).collect();
        versions.sort_unstable();
        versions.dedup();
        versions
    }

    pub(crate) fn versions(&self, name: &str) -> impl Iterator<Item = &'a MachineImageVersion> {
        let images = self.spec.machine_images.iter().filter(move |image| image.name == name);
        images.flat_map(|image| &image.versions)
    }

    /// Returns the version of the image, if the profile lists it.
    pub(crate) fn version(&self) -> Option<&'a MachineImageVersion> {
        let image = self.pool.new.machine.image.as_ref()?;
        self.versions(&image.name).find(|it| it.version == image.version)
    }

    /// Reports whether the image passes Gardener's first checks.
    ///
    /// The checks of container runtimes and kubelet version follow.
    pub(crate) fn passes(&self) -> bool {
        self.offered().is_fine() && self.is_capable()
    }

    /// Reports whether the image, if the profile still lists it, has the capabilities of the machine type.
    fn is_capable(&self) -> bool {
        let machine = &self.pool.new.machine;
        if self.spec.machine_capabilities.is_empty() {
            return true;
        }
        let mut types = self.spec.machine_types.iter();
        let machine_type = types.find(|it| it.name == machine.machine_type);
        self.version().is_none_or(|version| {
            machine_type.is_some_and(|it| supports_capabilities(version, self.spec, it))
        })
    }

    fn is_kept(&self) -> bool {
        let Some(old) = self.pool.old else {
            return false;
        };
        let (old, new) = (&old.machine, &self.pool.new.machine);
        // A stored pool has an architecture; for a pool from a manifest, the default is used.
        let default = || architecture_of(self.spec, &old.machine_type).unwrap_or("amd64");
        let before = old.architecture.as_deref().unwrap_or_else(default);
        old.image == new.image && before == self.architecture()
    }

    fn has_architecture(&self, version: &MachineImageVersion) -> bool {
        supports_architecture(version, self.spec, self.architecture())
    }

    /// Reports whether the pool may use the version.
    ///
    /// An existing pool may move to an expired version, but not to a lower expired one.
    fn is_active(&self, version: &MachineImageVersion) -> bool {
        let goes_on = || {
            self.pool.old.is_some_and(|old| {
                let back = compare_versions(&version.version, "<", old.image_version());
                !back.unwrap_or(false)
            })
        };
        is_active(version, self.now) || (is_expired(version, self.now) && goes_on())
    }

    fn is_in_place(&self, version: &MachineImageVersion) -> bool {
        let from = self.pool.old.map(|old| old.image_version());
        supports_in_place_update(version, from)
    }
}

/// Returns the pools whose machine images Gardener's admission plugin checks.
///
/// Returns `None` if it stops before.
pub(crate) fn judged(shoot: Change<'_, Shoot>) -> Option<(&Shoot, Vec<Pool<'_>>)> {
    let new = shoot.new?;
    new.profile_name()?;
    Version::parse(&new.spec.kubernetes.version).ok()?;
    let pools: Vec<Pool<'_>> = pairs(new, shoot.old).collect();
    (!pools.is_empty()).then_some((new, pools))
}

/// Runs a check for the image of each pool.
pub(crate) fn check_each(
    context: &Context<'_>,
    shoot: Change<'_, Shoot>,
    findings: &mut Findings,
    check: impl Fn(&Shoot, &PoolImage<'_>, &mut Findings),
) {
    let Some((new, pools)) = judged(shoot) else {
        return;
    };
    let Some(offer) = offer(context, new, findings) else {
        return;
    };
    let (spec, now) = (offer.spec(), context.now);
    for pool in &pools {
        check(new, &PoolImage { spec, pool, now }, findings);
    }
}

/// Returns the name of an image for messages.
pub(crate) fn name(image: &ShootMachineImage) -> String {
    format!("{}:{}", image.name, image.version)
}
