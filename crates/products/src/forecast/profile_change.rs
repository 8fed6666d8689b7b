// SPDX-License-Identifier: Apache-2.0
//! The effect of profile changes on the maintenance of Shoots: the same simulation as a forecast, before and after.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use rayon::prelude::*;
use serde_json::value::RawValue;

use super::difference::{Change, changes_of};
use super::run::read;
use super::version_updates::VersionUpdates;
use super::{Class, Profiles, ShootForecast, StoredShoot};
use garden_gate_core::admission::{Kind, Operation, Request, World};
use garden_gate_core::garden::{Children, GardenObject, Snapshot, read_with_configuration};
use garden_gate_model::api::{
    CloudProfile, NamespacedCloudProfile, NamespacedCloudProfileSpec, NamespacedCloudProfileStatus,
    ProfileKey, ProfileKind,
};

/// Maximum number of Shoots whose updates are judged by rules if a change concerns more of them.
const JUDGED: usize = 200;

/// The length of a forecast, unless another one is requested.
pub const PERIOD: SignedDuration = SignedDuration::from_hours(90 * 24);

/// A CloudProfile or NamespacedCloudProfile before and after an update of its spec.
#[derive(Clone, Debug)]
pub struct ChangedProfile {
    /// The profile.
    pub key: ProfileKey,
    old: GardenObject,
    new: GardenObject,
}

/// The effect of a profile change on the maintenance of Shoots.
///
/// A Shoot with several changes is in the worst list only. If the profiles have more than 200 Shoots, rules judge the
/// updates of the first 200 affected ones, and the others are compared by versions: if a rule denies their update, they
/// count as forced earlier, not as stranded.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ProfileEffect {
    /// The Shoots whose update was possible and no longer is, each as `namespace/name`, in order.
    pub stranded: Vec<String>,
    /// The Shoots with a forced update that is added or is earlier, in the same form.
    pub forced_earlier: Vec<String>,
    /// Whether there may be further Shoots, since something is unknown.
    pub is_partial: bool,
    /// Whether there may be further stranded Shoots, since rules judged only some updates.
    pub is_sampled: bool,
}

impl ChangedProfile {
    /// Returns the changed profile of a request; `None` if it changes no spec, or a state cannot be parsed.
    pub fn of_request(request: &Request<'_>) -> Option<Self> {
        let kind = request.kind().filter(|kind| is_profile(*kind))?;
        if request.operation != Operation::Update || !request.sub_resource.is_empty() {
            return None;
        }
        let read = |state: Option<&RawValue>| read_with_configuration(kind, state?.get()).ok()?;
        let (old, new) = (read(request.old_object)?, read(request.object)?);
        let name = &request.name;
        let (is_same, key) = match (&old, &new) {
            (GardenObject::CloudProfile(old), GardenObject::CloudProfile(new)) => {
                (old.spec == new.spec, ProfileKey::cluster(name))
            }
            (
                GardenObject::NamespacedCloudProfile(old),
                GardenObject::NamespacedCloudProfile(new),
            ) => (is_equal(&old.spec, &new.spec), ProfileKey::namespaced(&request.namespace, name)),
            _ => return None,
        };
        (!is_same).then_some(Self { key, old, new })
    }

    /// Reports whether the garden contains the new state.
    pub fn is_in(&self, garden: &Snapshot) -> bool {
        match &self.new {
            GardenObject::CloudProfile(new) => {
                let stored = garden.find(&self.new.key()).ok().flatten();
                stored.is_some_and(|it: Arc<CloudProfile>| it.spec == new.spec)
            }
            GardenObject::NamespacedCloudProfile(new) => {
                let stored = garden.find(&self.new.key()).ok().flatten();
                stored.is_some_and(|it: Arc<NamespacedCloudProfile>| is_equal(&it.spec, &new.spec))
            }
            _ => false,
        }
    }
}

/// Reports whether two NamespacedCloudProfiles make the same changes to their parents.
fn is_equal(a: &NamespacedCloudProfileSpec, b: &NamespacedCloudProfileSpec) -> bool {
    let configurations =
        [a, b].map(|it| it.provider_config.as_deref().map(RawValue::get).unwrap_or_default());
    (&a.parent, &a.kubernetes, &a.machine_images) == (&b.parent, &b.kubernetes, &b.machine_images)
        && (&a.machine_types, &a.volume_types) == (&b.machine_types, &b.volume_types)
        && a.limits == b.limits
        && configurations[0] == configurations[1]
}

/// Reports whether objects of a kind are profiles.
pub fn is_profile(kind: Kind) -> bool {
    matches!(kind, Kind::CloudProfile | Kind::NamespacedCloudProfile)
}

/// Returns the garden with these profiles in place of those with the same names.
///
/// They and the NamespacedCloudProfiles of changed CloudProfiles are merged again with their parents.
#[must_use]
pub fn with_profiles(garden: &Snapshot, profiles: Vec<GardenObject>) -> Snapshot {
    let parents: Vec<String> = profiles
        .iter()
        .map(GardenObject::key)
        .filter(|key| key.kind == Kind::CloudProfile)
        .map(|key| key.name)
        .collect();
    let own: Vec<Arc<NamespacedCloudProfile>> = profiles
        .iter()
        .filter_map(|it| match it {
            GardenObject::NamespacedCloudProfile(profile) => Some(Arc::clone(profile)),
            _ => None,
        })
        .collect();
    let changed = garden.with(profiles);
    let children = parents.iter().flat_map(|parent| {
        changed.namespaced_cloud_profiles_of(parent).into_iter().flat_map(Children::iter)
    });
    // Without its parent, the merged status is all that is known of a profile.
    let has_parent = |it: &Arc<NamespacedCloudProfile>| {
        matches!(changed.get::<CloudProfile>(&it.spec.parent.name), Ok(Some(_)))
    };
    let unmerged: Vec<GardenObject> =
        own.into_iter().chain(children).filter(has_parent).map(|it| unmerged(&it)).collect();
    changed.with(unmerged)
}

/// Returns the profile without its status, so that it is merged with its current parent.
fn unmerged(profile: &NamespacedCloudProfile) -> GardenObject {
    let mut profile = profile.clone();
    profile.status = NamespacedCloudProfileStatus::default();
    GardenObject::from(profile)
}

/// Returns the effect of each changed profile on the maintenance of its Shoots, from the time of `world` to `until`.
///
/// All profiles change together. `shoots` are the known ones in order; those of other profiles are skipped. A Shoot
/// counts for its own profile if that changes, and otherwise for the parent of its profile.
pub fn profile_effects(
    shoots: &[StoredShoot],
    changed: &[ChangedProfile],
    world: &World<'_>,
    until: Timestamp,
) -> Vec<ProfileEffect> {
    let states = |of: fn(&ChangedProfile) -> &GardenObject| {
        with_profiles(world.garden, changed.iter().map(|it| of(it).clone()).collect())
    };
    let gardens = [states(|it| &it.old), states(|it| &it.new)];
    let simulation = Simulation {
        worlds: gardens.each_ref().map(|garden| World { garden, ..*world }),
        profiles: [Profiles::default(), Profiles::default()],
        until,
    };
    let mut is_partial = world.garden.gap(Kind::Shoot).is_some()
        || world.garden.unreadable().any(|(key, _)| key.kind == Kind::Shoot);
    let mut concerned: Vec<(usize, &StoredShoot)> = Vec::new();
    for shoot in shoots {
        match simulation.causing(shoot, changed) {
            Ok(index) => concerned.extend(index.map(|index| (index, shoot))),
            // Any of the profiles may be its parent.
            Err(UnknownProfile) => is_partial = true,
        }
    }
    let is_sampled = concerned.len() > JUDGED;
    let effect = ProfileEffect { is_partial, is_sampled, ..ProfileEffect::default() };
    let mut effects = vec![effect; changed.len()];
    for (index, shoot, change) in simulation.changes(concerned) {
        if let Some(effect) = effects.get_mut(index) {
            effect.add(shoot, change);
        }
    }
    effects
}

/// The profile of a Shoot is unknown, and with it the parent.
struct UnknownProfile;

/// The change of the forecast for a Shoot.
#[derive(Clone, Copy, Default)]
struct ShootChange {
    /// The worst change; `None` without one that matters.
    worst: Option<Change>,
    is_unknown: bool,
}

impl ShootChange {
    const UNKNOWN: Self = Self { worst: None, is_unknown: true };
}

impl ProfileEffect {
    /// Reports whether there may be further stranded Shoots.
    pub fn may_strand_more(&self) -> bool {
        self.is_partial || self.is_sampled
    }

    fn add(&mut self, shoot: &StoredShoot, change: ShootChange) {
        let name = || format!("{}/{}", shoot.namespace, shoot.name);
        match change.worst {
            Some(Change::Stranded) => self.stranded.push(name()),
            Some(Change::ForcedEarlier) => self.forced_earlier.push(name()),
            _ => {}
        }
        self.is_partial |= change.is_unknown;
    }
}

/// The simulations before and after a change.
struct Simulation<'a> {
    worlds: [World<'a>; 2],
    profiles: [Profiles; 2],
    until: Timestamp,
}

impl Simulation<'_> {
    /// Returns the index of the changed profile that affects a Shoot, if any.
    fn causing(
        &self,
        shoot: &StoredShoot,
        changed: &[ChangedProfile],
    ) -> Result<Option<usize>, UnknownProfile> {
        let Some(key) = &shoot.profile else {
            // An unknown Shoot may have any profile.
            return if shoot.stored.is_err() { Err(UnknownProfile) } else { Ok(None) };
        };
        let position = |key: &ProfileKey| changed.iter().position(|it| it.key == *key);
        if let Some(index) = position(key) {
            return Ok(Some(index));
        }
        let has_parents = changed.iter().any(|it| it.key.kind == ProfileKind::Cluster);
        if key.kind == ProfileKind::Cluster || !has_parents {
            return Ok(None);
        }
        let [_, after] = &self.worlds;
        let name = (&*key.namespace, &*key.name);
        match after.garden.get::<NamespacedCloudProfile>(name) {
            Ok(Some(profile)) => Ok(position(&ProfileKey::cluster(&profile.spec.parent.name))),
            Ok(None) => Ok(None),
            Err(_) => Err(UnknownProfile),
        }
    }

    /// Returns the changes of the forecasts for Shoots, with the indexes of the causing profiles.
    fn changes<'s>(
        &self,
        shoots: Vec<(usize, &'s StoredShoot)>,
    ) -> Vec<(usize, &'s StoredShoot, ShootChange)> {
        let all = |change: &(dyn Fn(&StoredShoot) -> ShootChange + Sync)| {
            let seen = shoots.par_iter().map(|(index, shoot)| (*index, *shoot, change(shoot)));
            seen.collect::<Vec<_>>()
        };
        if shoots.len() <= JUDGED {
            return all(&|shoot| self.change(shoot));
        }
        let mut seen = all(&|shoot| self.change_of_versions(shoot));
        let affected = seen.iter_mut().filter(|(.., change)| change.worst.is_some());
        let judged: Vec<_> = affected.take(JUDGED).collect();
        judged.into_par_iter().for_each(|(_, shoot, change)| *change = self.change(shoot));
        seen
    }

    /// Compares the version updates of a Shoot, as if no rule denied them.
    fn change_of_versions(&self, shoot: &StoredShoot) -> ShootChange {
        self.known_change_of_versions(shoot).unwrap_or(ShootChange::UNKNOWN)
    }

    fn known_change_of_versions(&self, shoot: &StoredShoot) -> Option<ShootChange> {
        let (key, stored) = (shoot.profile.as_ref()?, shoot.stored.as_ref().ok()?);
        let parsed = read(stored).ok()?;
        let updates = |side: usize| {
            let profile = self.profiles[side].get(key, self.worlds[side].garden);
            let profile = Result::as_ref(&profile).ok()?;
            Some(VersionUpdates::of(&parsed, profile, self.worlds[side].now, self.until))
        };
        let worst = updates(1)?.worst_change(&updates(0)?);
        Some(ShootChange { worst: worst.filter(|it| is_bad(*it)), is_unknown: false })
    }

    /// Compares the forecasts for a Shoot.
    ///
    /// Most changes affect few Shoots, so the first forecast is only made if the second one has a relevant event.
    fn change(&self, shoot: &StoredShoot) -> ShootChange {
        let forecast = |side: usize| {
            shoot.clone().forecast(&self.profiles[side], &self.worlds[side], self.until)
        };
        let Ok(after) = forecast(1) else {
            return ShootChange::UNKNOWN;
        };
        if !may_be_worse(&after) {
            return ShootChange::default();
        }
        let Ok(before) = forecast(0) else {
            return ShootChange::UNKNOWN;
        };
        let changes = changes_of(&before, &after);
        let worst = changes.iter().map(|it| it.change).min().filter(|it| is_bad(*it));
        let mut forced = changes.iter().filter(|it| it.change == Change::ForcedEarlier);
        let is_undetermined =
            forced.any(|it| it.after.is_some_and(|it| !it.window.unknown.is_empty()));
        ShootChange { is_unknown: worst == Some(Change::ForcedEarlier) && is_undetermined, worst }
    }
}

fn is_bad(change: Change) -> bool {
    matches!(change, Change::Stranded | Change::ForcedEarlier)
}

/// Reports whether a forecast has a forced update, or one that fails.
fn may_be_worse(shoot: &ShootForecast) -> bool {
    shoot
        .forecast
        .windows
        .iter()
        .any(|it| it.is_blocked() || it.events.iter().any(|event| event.class != Class::Regular))
}
