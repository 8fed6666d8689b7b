// SPDX-License-Identifier: Apache-2.0
use std::hash::Hash;
use std::ops::Bound;
use std::sync::Arc;

use imbl::{HashMap, OrdMap, OrdSet};

use super::domains::{ConflictingDomain, Domains};
use super::interner::Interner;
use garden_gate_model::api::{BindingKey, PoolUse, ProfileKey, ShootName, ShootUse, Toleration};

/// The Shoots of the garden, indexed by the profile entries that they use.
///
/// Shoots that are being deleted count as unused.
#[derive(Clone, Debug, Default)]
pub struct Shoots {
    shoots: OrdMap<ShootName, Arc<ShootUse>>,
    /// Replaced with each change.
    version: ShootsVersion,
    profiles: HashMap<ProfileKey, ProfileUsers>,
    seeds: HashMap<Arc<str>, OrdSet<ShootName>>,
    bindings: HashMap<BindingKey, OrdSet<ShootName>>,
    exposure_classes: HashMap<Arc<str>, OrdSet<ShootName>>,
    /// Shoots by toleration key.
    tolerating: HashMap<String, OrdSet<ShootName>>,
    domains: Domains,
    strings: Interner,
}

/// A version of the Shoots: equal ones have the same Shoots.
#[derive(Clone, Debug, Default)]
pub struct ShootsVersion(Arc<u8>);

impl PartialEq for ShootsVersion {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ShootsVersion {}

/// The Shoots that reference one profile.
#[derive(Clone, Debug, Default)]
pub struct ProfileUsers {
    kubernetes: OrdMap<Arc<str>, OrdSet<ShootName>>,
    pool_kubernetes: OrdMap<Arc<str>, OrdSet<ShootName>>,
    images: OrdMap<Image, OrdSet<ShootName>>,
    minimums: OrdMap<i32, OrdSet<ShootName>>,
}

/// Name and version of a machine image.
type Image = (Arc<str>, Arc<str>);

impl Shoots {
    /// Adds a Shoot or replaces the Shoot with the same name.
    pub(super) fn apply(&mut self, shoot: ShootUse) {
        let shoot = Arc::new(self.strings.share(shoot));
        self.remove(&shoot.name);
        if let Some(profile) = used_profile(&shoot) {
            let users = self.profiles.entry(profile.clone()).or_default();
            users.add(&shoot);
        }
        for seed in seeds_of(&shoot) {
            let users = self.seeds.entry(seed.clone()).or_default();
            users.insert(shoot.name.clone());
        }
        for binding in shoot.bindings() {
            let users = self.bindings.entry(binding).or_default();
            users.insert(shoot.name.clone());
        }
        if let Some(class) = &shoot.exposure_class {
            let users = self.exposure_classes.entry(class.clone()).or_default();
            users.insert(shoot.name.clone());
        }
        for toleration in &shoot.tolerations {
            let users = self.tolerating.entry(toleration.key.clone()).or_default();
            users.insert(shoot.name.clone());
        }
        self.domains.apply(&shoot);
        self.version = ShootsVersion::default();
        self.shoots.insert(shoot.name.clone(), shoot);
    }

    /// Removes a Shoot.
    pub(super) fn remove(&mut self, name: &ShootName) {
        let Some(shoot) = self.shoots.remove(name) else {
            return;
        };
        self.version = ShootsVersion::default();
        for seed in seeds_of(&shoot) {
            forget_user(&mut self.seeds, seed, name);
        }
        for binding in shoot.bindings() {
            forget_user(&mut self.bindings, &binding, name);
        }
        if let Some(class) = &shoot.exposure_class {
            forget_user(&mut self.exposure_classes, class, name);
        }
        for toleration in &shoot.tolerations {
            forget_user(&mut self.tolerating, &toleration.key, name);
        }
        self.domains.remove(&shoot);
        let Some(profile) = used_profile(&shoot) else {
            return;
        };
        if let Some(users) = self.profiles.get_mut(profile) {
            users.remove(&shoot);
            if users.minimums.is_empty() {
                self.profiles.remove(profile);
            }
        }
    }

    /// Returns the number of Shoots.
    pub fn len(&self) -> usize {
        self.shoots.len()
    }

    /// Returns the version, which changes with each Shoot.
    pub fn version(&self) -> &ShootsVersion {
        &self.version
    }

    /// Returns the Shoots of a namespace, or all, in order.
    pub fn within<'a>(
        &'a self,
        namespace: Option<&'a str>,
    ) -> impl Iterator<Item = &'a Arc<ShootUse>> {
        let first = ShootName { namespace: namespace.unwrap_or_default().into(), name: "".into() };
        let shoots = self.shoots.range(first..).map(|(_, shoot)| shoot);
        shoots.take_while(move |it| namespace.is_none_or(|own| *it.name.namespace == *own))
    }

    /// Returns the names of all Shoots, in order.
    pub fn names(&self) -> impl Iterator<Item = &ShootName> {
        self.shoots.keys()
    }

    /// Reports whether there are no Shoots.
    pub fn is_empty(&self) -> bool {
        self.shoots.is_empty()
    }

    /// Returns a Shoot by name.
    pub fn get(&self, name: &ShootName) -> Option<&ShootUse> {
        self.shoots.get(name).map(AsRef::as_ref)
    }

    /// Returns the Shoots on a Seed or being migrated to or from it; `None` if there are none.
    ///
    /// Includes Shoots that are being deleted.
    pub fn of_seed(&self, seed: &str) -> Option<&OrdSet<ShootName>> {
        self.seeds.get(seed)
    }

    /// Returns the Shoots that use a credentials binding, including those being deleted.
    pub fn of_binding(&self, binding: &BindingKey) -> Option<&OrdSet<ShootName>> {
        self.bindings.get(binding)
    }

    /// Returns the Shoots that reference an ExposureClass, including those being deleted.
    pub fn of_exposure_class(&self, class: &str) -> Option<&OrdSet<ShootName>> {
        self.exposure_classes.get(class)
    }

    /// Returns the Shoots with a toleration that a whitelist entry covers, in one namespace or all.
    ///
    /// Includes Shoots that are being deleted.
    pub fn tolerating<'a>(
        &'a self,
        entry: &'a Toleration,
        namespace: Option<&'a str>,
    ) -> impl Iterator<Item = &'a ShootName> {
        let first = ShootName { namespace: namespace.unwrap_or_default().into(), name: "".into() };
        let users = self
            .tolerating
            .get(entry.key.as_str())
            .into_iter()
            .flat_map(move |users| users.range(first.clone()..))
            .take_while(move |it| namespace.is_none_or(|only| *it.namespace == *only));
        users.filter(|name| {
            let shoot = self.get(name);
            shoot.is_some_and(|shoot| shoot.tolerations.iter().any(|it| entry.covers(it)))
        })
    }

    /// Returns a Shoot other than `own` with the same domain, a parent domain or a subdomain.
    ///
    /// Includes Shoots that are being deleted.
    pub fn conflicting_domain(
        &self,
        domain: &str,
        own: &ShootName,
    ) -> Option<ConflictingDomain<'_>> {
        self.domains.conflicting_domain(domain, own)
    }

    /// Returns the profiles that Shoots reference, unordered.
    pub fn profiles(&self) -> impl Iterator<Item = &ProfileKey> {
        self.profiles.keys()
    }

    /// Returns the Shoots that reference `profile`; `None` if there are none.
    pub fn of_profile(&self, profile: &ProfileKey) -> Option<&ProfileUsers> {
        self.profiles.get(profile)
    }
}

impl ProfileUsers {
    /// Returns the Shoots whose control plane runs a Kubernetes version.
    pub fn of_kubernetes(&self, version: &str) -> Option<&OrdSet<ShootName>> {
        self.kubernetes.get(version)
    }

    /// Returns the Shoots with a worker pool on this Kubernetes version and a control plane on another one.
    pub fn of_pool_kubernetes(&self, version: &str) -> Option<&OrdSet<ShootName>> {
        self.pool_kubernetes.get(version)
    }

    /// Returns every Kubernetes version of control planes, with the Shoots.
    pub fn by_kubernetes(&self) -> impl Iterator<Item = (&str, &OrdSet<ShootName>)> {
        self.kubernetes.iter().map(|(version, shoots)| (&**version, shoots))
    }

    /// Returns the Kubernetes versions of pools that differ from the control plane's, with the Shoots.
    pub fn by_pool_kubernetes(&self) -> impl Iterator<Item = (&str, &OrdSet<ShootName>)> {
        self.pool_kubernetes.iter().map(|(version, shoots)| (&**version, shoots))
    }

    /// Returns every machine image version of worker pools, with the Shoots.
    pub fn by_image(&self) -> impl Iterator<Item = (&str, &str, &OrdSet<ShootName>)> {
        self.images.iter().map(|((image, version), shoots)| (&**image, &**version, shoots))
    }

    /// Returns the Shoots with a worker pool that uses a machine image version.
    pub fn of_image(&self, name: &str, version: &str) -> Option<&OrdSet<ShootName>> {
        self.images.get(&(name.into(), version.into()))
    }

    /// Returns the Shoots whose pools have a total `minimum` above `limit`, as sets in order of that total.
    pub fn with_minimum_above(&self, limit: i32) -> impl Iterator<Item = &OrdSet<ShootName>> {
        let above = (Bound::Excluded(limit), Bound::Unbounded);
        self.minimums.range(above).map(|(_, shoots)| shoots)
    }

    fn add(&mut self, shoot: &ShootUse) {
        let name = &shoot.name;
        let insert = |map: &mut OrdMap<Arc<str>, OrdSet<ShootName>>, key: &Arc<str>| {
            map.entry(key.clone()).or_default().insert(name.clone());
        };
        insert(&mut self.kubernetes, &shoot.kubernetes);
        let pools = shoot.pools.list();
        for version in lagging(shoot, &pools) {
            insert(&mut self.pool_kubernetes, version);
        }
        for pool in &*pools {
            if let Some(image) = &pool.image {
                let users = self.images.entry(image.clone()).or_default();
                users.insert(name.clone());
            }
        }
        let equal = self.minimums.entry(PoolUse::total_minimum(&pools)).or_default();
        equal.insert(name.clone());
    }

    fn remove(&mut self, shoot: &ShootUse) {
        let name = &shoot.name;
        forget(&mut self.kubernetes, &shoot.kubernetes, name);
        let pools = shoot.pools.list();
        for version in lagging(shoot, &pools) {
            forget(&mut self.pool_kubernetes, version, name);
        }
        for pool in &*pools {
            if let Some(image) = &pool.image {
                forget(&mut self.images, image, name);
            }
        }
        forget(&mut self.minimums, &PoolUse::total_minimum(&pools), name);
    }
}

/// Returns the Kubernetes versions of pools that differ from the control plane's.
fn lagging<'a>(shoot: &'a ShootUse, pools: &'a [PoolUse]) -> impl Iterator<Item = &'a Arc<str>> {
    let own = pools.iter().filter_map(|pool| pool.kubernetes.as_ref());
    own.filter(|version| **version != shoot.kubernetes)
}

fn forget_user<K: Eq + Hash + Clone>(
    map: &mut HashMap<K, OrdSet<ShootName>>,
    key: &K,
    name: &ShootName,
) {
    if let Some(users) = map.get_mut(key) {
        users.remove(name);
        if users.is_empty() {
            map.remove(key);
        }
    }
}

fn forget<K: Ord + Clone>(map: &mut OrdMap<K, OrdSet<ShootName>>, key: &K, name: &ShootName) {
    let Some(users) = map.get_mut(key) else {
        return;
    };
    users.remove(name);
    if users.is_empty() {
        map.remove(key);
    }
}

/// Returns the Seed of a Shoot, and the Seed in its status if it differs.
fn seeds_of(shoot: &ShootUse) -> impl Iterator<Item = &Arc<str>> {
    let in_fact = shoot.status_seed_name.as_ref();
    let other = in_fact.filter(|seed| shoot.seed_name.as_ref() != Some(seed));
    shoot.seed_name.iter().chain(other)
}

fn used_profile(shoot: &ShootUse) -> Option<&ProfileKey> {
    shoot.profile.as_ref().filter(|_| !shoot.deleting)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use imbl::OrdSet;

    use super::Shoots;
    use garden_gate_model::api::{BindingKey, BindingKind, ProfileKey, ShootUse};

    fn shoot(change: impl FnOnce(&mut Value)) -> ShootUse {
        let mut shoot = json!({
            "metadata": {"name": "s", "namespace": "ns"},
            "spec": {
                "cloudProfileName": "p",
                "kubernetes": {"version": "1.31.1"},
                "provider": {"workers": [
                    {"name": "a", "minimum": 2, "kubernetes": {"version": "1.30.5"}, "machine": {"image": {"name": "i", "version": "1.0"}}},
                    {"name": "b", "minimum": 3, "machine": {"image": {"name": "i", "version": "1.0"}}},
                ]},
            },
        });
        change(&mut shoot);
        serde_json::from_value(shoot).unwrap()
    }

    fn uses(shoots: &Shoots) -> Option<[bool; 4]> {
        let users = shoots.of_profile(&ProfileKey::cluster("p"))?;
        Some([
            users.of_kubernetes("1.31.1").is_some(),
            users.of_pool_kubernetes("1.30.5").is_some(),
            users.of_image("i", "1.0").is_some(),
            users.with_minimum_above(4).next().is_some(),
        ])
    }

    #[test]
    fn a_shoot_is_found_by_everything_that_it_uses() {
        let mut shoots = Shoots::default();
        shoots.apply(shoot(|_| {}));
        assert_eq!(uses(&shoots), Some([true; 4]));
        let users = shoots.of_profile(&ProfileKey::cluster("p")).unwrap();
        assert!(users.with_minimum_above(5).next().is_none());
    }

    #[test]
    fn applying_again_forgets_what_is_no_longer_used() {
        let mut shoots = Shoots::default();
        shoots.apply(shoot(|_| {}));
        let before = shoots.clone();
        shoots.apply(shoot(|s| s["spec"]["provider"]["workers"] = json!([])));
        assert_eq!(uses(&shoots), Some([true, false, false, false]));
        assert_eq!(uses(&before), Some([true; 4]));
        shoots.apply(shoot(|s| s["spec"]["cloudProfileName"] = json!("other")));
        assert_eq!(uses(&shoots), None);
        assert_eq!(shoots.len(), 1);
    }

    #[test]
    fn deleted_shoots_and_those_being_deleted_use_nothing() {
        let mut shoots = Shoots::default();
        let deleting =
            shoot(|s| s["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z"));
        let name = deleting.name.clone();
        shoots.apply(shoot(|_| {}));
        shoots.apply(deleting);
        assert_eq!(uses(&shoots), None);
        assert!(shoots.get(&name).is_some());
        shoots.remove(&name);
        assert!(shoots.is_empty());
    }

    #[test]
    fn a_moving_shoot_counts_once_on_each_of_its_seeds() {
        let on = |shoots: &Shoots, seed| shoots.of_seed(seed).map_or(0, |users| users.len());
        let mut shoots = Shoots::default();
        shoots.apply(shoot(|s| {
            s["spec"]["seedName"] = json!("new");
            s["status"]["seedName"] = json!("old");
            s["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        }));
        assert_eq!(["new", "old"].map(|seed| on(&shoots, seed)), [1, 1]);
        shoots.apply(shoot(|s| {
            s["spec"]["seedName"] = json!("new");
            s["status"]["seedName"] = json!("new");
        }));
        assert_eq!(["new", "old"].map(|seed| on(&shoots, seed)), [1, 0]);
        shoots.apply(shoot(|s| s["status"]["seedName"] = json!("new")));
        assert_eq!(on(&shoots, "new"), 1);
        shoots.apply(shoot(|_| {}));
        assert_eq!(on(&shoots, "new"), 0);
    }

    #[test]
    fn a_shoot_is_found_by_its_binding_as_long_as_it_is_there() {
        let key = |kind, name: &str| BindingKey { kind, namespace: "ns".into(), name: name.into() };
        let mut shoots = Shoots::default();
        shoots.apply(shoot(|s| {
            s["spec"]["secretBindingName"] = json!("a");
            s["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        }));
        let secret = key(BindingKind::Secret, "a");
        assert_eq!(shoots.of_binding(&secret).map(OrdSet::len), Some(1));
        assert!(shoots.of_binding(&key(BindingKind::Credentials, "a")).is_none());
        shoots.apply(shoot(|s| s["spec"]["credentialsBindingName"] = json!("b")));
        assert!(shoots.of_binding(&secret).is_none());
        let credentials = key(BindingKind::Credentials, "b");
        assert_eq!(shoots.of_binding(&credentials).map(OrdSet::len), Some(1));
    }
}
