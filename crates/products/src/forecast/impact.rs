// SPDX-License-Identifier: Apache-2.0
//! The impact of a CloudProfile update.
//! It consists of added, removed and changed versions and types, and the Shoots that use them.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use garden_gate_core::admission::{Kind, Operation, Request};
use garden_gate_core::garden::{ProfileUsers, Shoots, Snapshot};
use garden_gate_model::api::{
    CloudProfile, CloudProfileSpec, MachineType, NamespacedCloudProfileSpec, ProfileKey, ShootName,
    VolumeType,
};
use garden_gate_model::gardener::defaults;
use garden_gate_model::gardener::version::{Classified, current_classification, expiry};

/// The impact of a CloudProfile update on Shoots.
#[derive(Clone, Debug, Default, Eq, JsonSchema, PartialEq, Serialize)]
pub struct Impact {
    /// The first changes.
    pub changes: Vec<ChangedOffer>,
    /// The number of further changes.
    #[serde(skip_serializing_if = "is_none")]
    pub more: usize,
    /// Entries of the changed profile that no Shoot uses; empty if not all Shoots are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unused: Vec<Unused>,
}

/// A changed entry of the profile.
#[derive(Clone, Debug, Eq, JsonSchema, PartialEq, Serialize)]
pub struct ChangedOffer {
    /// The entry, such as `Kubernetes 1.34.1`.
    pub what: String,
    /// The change.
    pub change: String,
    /// The number of Shoots that use it; `null` if not all Shoots are known.
    pub shoots: Option<usize>,
    /// The first of these Shoots, each as `namespace/name`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub first: Vec<String>,
    /// The Shoots with forced updates, and their start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forced: Option<ForcedUpdates>,
}

/// Forced updates because a version expires that did not, or expires earlier.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, PartialEq, Serialize)]
pub struct ForcedUpdates {
    /// The start of the updates.
    pub from: Timestamp,
    /// The number of Shoots, except those of a NamespacedCloudProfile with a separate expiration date.
    pub shoots: usize,
}

/// Profile entries that no Shoot uses.
#[derive(Clone, Debug, Eq, JsonSchema, PartialEq, Serialize)]
pub struct Unused {
    /// The type of entry, such as `machine types`.
    pub what: &'static str,
    /// The first names.
    pub names: Vec<String>,
    /// The number of further names.
    #[serde(skip_serializing_if = "is_none")]
    pub more: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_none(count: &usize) -> bool {
    *count == 0
}

/// Maximum number of listed entries; the others are counted.
const LISTED: usize = 200;
const FIRST: usize = 3;

/// Returns the impact of a CloudProfile UPDATE; `None` for other requests, and without relevant changes.
pub fn impact(request: &Request<'_>, garden: &Snapshot, now: Timestamp) -> Option<Impact> {
    let is_update = request.operation == Operation::Update && request.sub_resource.is_empty();
    if !is_update || request.kind() != Some(Kind::CloudProfile) {
        return None;
    }
    let [new, old] = request.received();
    let (mut new, mut old): (CloudProfile, CloudProfile) = (new.read().ok()?, old.read().ok()?);
    for profile in [&mut new, &mut old] {
        defaults::cloud_profile(profile);
    }
    if new.spec == old.spec {
        return None;
    }
    let used = Used::of(&old.metadata.name, garden);
    let mut changes = Changes { now, used: used.as_ref(), touched: Vec::new() };
    changes.compare(&new.spec, &old.spec);
    let mut impact = Impact::default();
    (impact.changes, impact.more) = first(changes.touched);
    impact.unused = used.map_or_else(Vec::new, |used| used.unused(&new.spec));
    (!impact.changes.is_empty()).then_some(impact)
}

fn first<T>(mut all: Vec<T>) -> (Vec<T>, usize) {
    let more = all.len().saturating_sub(LISTED);
    all.truncate(LISTED);
    (all, more)
}

/// The entries of a CloudProfile and its NamespacedCloudProfiles that Shoots use, with the Shoots.
#[derive(Default)]
struct Used {
    by_name: BTreeMap<String, BTreeSet<ShootName>>,
    /// The number of Shoots to which the CloudProfile's expiration date applies.
    dated: BTreeMap<String, usize>,
}

fn kubernetes(version: &str) -> String {
    format!("Kubernetes {version}")
}

fn image(name: &str, version: &str) -> String {
    format!("image {name} {version}")
}

fn machine(name: &str) -> String {
    format!("machine type {name}")
}

fn volume(name: &str) -> String {
    format!("volume type {name}")
}

impl Used {
    /// Returns the used entries; `None` if not all Shoots are known.
    fn of(profile: &str, garden: &Snapshot) -> Option<Self> {
        let shoots = garden.shoots().ok()?;
        let children = garden.namespaced_cloud_profiles_of(profile).ok()?;
        let own = NamespacedCloudProfileSpec::default();
        let mut used = Self::default();
        if let Some(users) = shoots.of_profile(&ProfileKey::cluster(profile)) {
            used.count(users, shoots, &overridden(&own));
        }
        for child in children.iter() {
            let metadata = &child.metadata;
            let key = ProfileKey::namespaced(&metadata.namespace, &metadata.name);
            if let Some(users) = shoots.of_profile(&key) {
                used.count(users, shoots, &overridden(&child.spec));
            }
        }
        Some(used)
    }

    fn count(&mut self, users: &ProfileUsers, shoots: &Shoots, overridden: &BTreeSet<String>) {
        let versions = users
            .by_kubernetes()
            .chain(users.by_pool_kubernetes())
            .map(|(version, names)| (kubernetes(version), names));
        let images = users.by_image().map(|(name, version, names)| (image(name, version), names));
        let mut own = BTreeMap::<String, BTreeSet<&ShootName>>::new();
        for (what, names) in versions.chain(images) {
            own.entry(what).or_default().extend(names);
        }
        for (what, names) in own {
            if !overridden.contains(&what) {
                *self.dated.entry(what.clone()).or_default() += names.len();
            }
            self.add(what, names);
        }
        let followers = users.by_kubernetes().flat_map(|(_, names)| names);
        for shoot in followers.filter_map(|name| shoots.get(name)) {
            for pool in &*shoot.pools.list() {
                let size = &pool.size;
                self.add(machine(&size.machine_type), [&shoot.name]);
                if let Some((Some(kind), _)) = &size.volume {
                    self.add(volume(kind), [&shoot.name]);
                }
            }
        }
    }

    fn add<'a>(&mut self, what: String, shoots: impl IntoIterator<Item = &'a ShootName>) {
        let known = self.by_name.entry(what).or_default();
        known.extend(shoots.into_iter().cloned());
    }

    fn unused(&self, spec: &CloudProfileSpec) -> Vec<Unused> {
        let versions = spec.machine_images.iter().flat_map(|it| {
            let versions = it.versions.iter();
            versions.map(|version| (image(&it.name, &version.version), &it.name, &version.version))
        });
        let types = spec.machine_types.iter().map(|it| (machine(&it.name), it.name.clone()));
        let images = versions.map(|(what, name, version)| (what, format!("{name} {version}")));
        let all: [(_, Vec<_>); 2] =
            [("machine types", types.collect()), ("images", images.collect())];
        let unused = all.into_iter().map(|(what, all)| {
            let names = all.into_iter().filter(|(what, _)| !self.by_name.contains_key(what));
            let (names, more) = first(names.map(|(_, name)| name).collect());
            Unused { what, names, more }
        });
        unused.filter(|it| !it.names.is_empty()).collect()
    }
}

/// Returns the versions for which a NamespacedCloudProfile sets a separate expiration date.
fn overridden(overlay: &NamespacedCloudProfileSpec) -> BTreeSet<String> {
    let versions =
        overlay.kubernetes.iter().flat_map(|it| &it.versions).map(|it| kubernetes(&it.version));
    let images = overlay.machine_images.iter().flat_map(|it| {
        let versions = it.versions.iter();
        versions.map(|version| image(&it.name, &version.version))
    });
    versions.chain(images).collect()
}

struct Changes<'a> {
    now: Timestamp,
    used: Option<&'a Used>,
    touched: Vec<ChangedOffer>,
}

impl Changes<'_> {
    fn compare(&mut self, new: &CloudProfileSpec, old: &CloudProfileSpec) {
        let versions = |spec: &CloudProfileSpec| {
            let all = spec.kubernetes.versions.iter();
            all.map(|it| (kubernetes(&it.version), it.clone())).collect()
        };
        self.versions(versions(new), &versions(old));
        let images = |spec: &CloudProfileSpec| {
            let all = spec
                .machine_images
                .iter()
                .flat_map(|it| it.versions.iter().map(move |version| (it, version)));
            all.map(|(it, version)| (image(&it.name, &version.version), version.clone())).collect()
        };
        self.versions(images(new), &images(old));
        let types = |spec: &CloudProfileSpec| {
            let machines =
                spec.machine_types.iter().map(|it: &MachineType| (machine(&it.name), it.usable));
            let volumes =
                spec.volume_types.iter().map(|it: &VolumeType| (volume(&it.name), it.usable));
            machines.chain(volumes).collect()
        };
        self.types(types(new), &types(old));
    }

    fn versions<V: Classified>(&mut self, new: Vec<(String, V)>, old: &[(String, V)]) {
        let before: BTreeMap<&str, &V> = old.iter().map(|(what, it)| (&**what, it)).collect();
        let after: BTreeSet<&str> = new.iter().map(|(what, _)| &**what).collect();
        let now = self.now;
        for (what, version) in old.iter().filter(|(what, _)| !after.contains(&**what)) {
            let class = current_classification(version, now);
            self.touch(what, format!("removed, was {class}"), None);
        }
        for (what, version) in &new {
            let Some(old) = before.get(&**what) else {
                let class = current_classification(version, now);
                let end =
                    expiry(version).map_or_else(String::new, |end| format!(", expires at {end}"));
                self.touch(what, format!("added as {class}{end}"), None);
                continue;
            };
            let (end, was) = (expiry(version), expiry(*old));
            let change = moved(version, *old, now);
            let forced = end.filter(|end| was.is_none_or(|was| *end < was));
            if !change.is_empty() {
                self.touch(what, change, forced);
            }
        }
    }

    fn types(&mut self, new: Vec<(String, Option<bool>)>, old: &[(String, Option<bool>)]) {
        let before: BTreeMap<&str, bool> =
            old.iter().map(|(what, it)| (&**what, is_usable(*it))).collect();
        let after: BTreeSet<&str> = new.iter().map(|(what, _)| &**what).collect();
        for (what, _) in old.iter().filter(|(what, _)| !after.contains(&**what)) {
            self.touch(what, "removed".to_owned(), None);
        }
        for (what, usable) in &new {
            let change = match (before.get(&**what), is_usable(*usable)) {
                (None, true) => "added",
                (None, false) => "added, not to be used",
                (Some(true), false) => "not to be used any more",
                (Some(false), true) => "to be used again",
                _ => continue,
            };
            self.touch(what, change.to_owned(), None);
        }
    }

    fn touch(&mut self, what: &str, change: String, forced_from: Option<Timestamp>) {
        let nobody = BTreeSet::new();
        let shoots = self.used.map(|it| it.by_name.get(what).unwrap_or(&nobody));
        let first: Vec<String> =
            shoots.into_iter().flatten().take(FIRST).map(ToString::to_string).collect();
        let dated = self.used.and_then(|it| it.dated.get(what)).copied();
        let forced = forced_from.zip(dated);
        self.touched.push(ChangedOffer {
            what: what.to_owned(),
            change,
            shoots: shoots.map(BTreeSet::len),
            forced: forced.map(|(from, shoots)| ForcedUpdates { from, shoots }),
            first,
        });
    }
}

fn is_usable(usable: Option<bool>) -> bool {
    usable != Some(false)
}

/// Describes a change of the version's lifecycle; empty if there is none.
fn moved<V: Classified>(new: &V, old: &V, now: Timestamp) -> String {
    let [is, was] = [new, old].map(|it| current_classification(it, now));
    let class = (is != was).then(|| format!("{was} → {is}"));
    let end = match (expiry(new), expiry(old)) {
        (is, was) if is == was => None,
        (None, Some(was)) => Some(format!("expires no more (before: {was})")),
        (Some(is), was) => {
            let before = was.map_or_else(|| "never".to_owned(), |was| was.to_string());
            Some(format!("expires at {is} (before: {before})"))
        }
        (None, None) => None,
    };
    let parts: Vec<String> = class.into_iter().chain(end).collect();
    parts.join(", ")
}
