use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use imbl::{HashMap, OrdMap, OrdSet};

use super::collection::{Collection, Collections};
use super::{AccessAnswer, AccessQuestion, Lookup, Rbac, Shoots};
use crate::model::{
    CloudProfile, ExposureClass, NamespacedCloudProfile, Project, RegionConfig, Seed, UserInfo,
    WorkloadIdentity,
};

/// What it means when a [`Snapshot`] lacks an object.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Knowledge {
    /// Nothing: no garden was given.
    #[default]
    Nothing,
    /// The object does not exist: the snapshot is the whole garden.
    Everything,
    /// Perhaps the watch is late: the API server must be asked.
    Watched,
}

/// Identifies an object: kind, namespace (empty if cluster-scoped), name.
pub type ObjectKey = (&'static str, String, String);

/// Namespace and name.
pub(super) type NamespacedName = (String, String);

/// The garden at one moment. Cloning shares; applying one object costs O(log n).
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    knowledge: Knowledge,
    pub(super) projects: HashMap<String, Arc<Project>>,
    pub(super) projects_by_namespace: HashMap<String, OrdSet<String>>,
    pub(super) exposure_classes: HashMap<String, Arc<ExposureClass>>,
    pub(super) cloud_profiles: HashMap<String, Arc<CloudProfile>>,
    pub(super) namespaced_cloud_profiles: HashMap<NamespacedName, Arc<NamespacedCloudProfile>>,
    pub(super) namespaced_cloud_profiles_by_parent: HashMap<String, OrdSet<NamespacedName>>,
    pub(super) shoots: Shoots,
    pub(super) collections: Collections,
    pub(super) seeds: OrdMap<String, Arc<Seed>>,
    pub(super) region_configs: OrdMap<String, Arc<RegionConfig>>,
    /// By Secret; `Err` says what is wrong with it.
    pub(super) default_domains: OrdMap<String, Result<String, String>>,
    pub(super) workload_identities: HashMap<NamespacedName, Arc<WorkloadIdentity>>,
    pub(super) counted: OrdSet<ObjectKey>,
    pub(super) unreadable: OrdMap<ObjectKey, String>,
    /// By kind, why nothing is known of it.
    pub(super) withheld: OrdMap<&'static str, String>,
    rbac: Option<Arc<Rbac>>,
}

impl Snapshot {
    /// An empty garden.
    #[must_use]
    pub fn new(knowledge: Knowledge) -> Self {
        Self {
            knowledge,
            ..Self::default()
        }
    }

    /// Makes RBAC objects answer custom-verb questions.
    #[must_use]
    pub fn with_rbac(mut self, rbac: Rbac) -> Self {
        self.rbac = Some(Arc::new(rbac));
        self
    }

    /// Says why nothing is known of a kind, until [`Self::reset`] of it: whoever asks for it gets `Unknown`.
    pub fn withhold(&mut self, kind: &'static str, why: String) {
        self.reset(kind, []);
        self.withheld.insert(kind, why);
    }

    /// What is known to exist but could not be read, with the reasons.
    pub fn unreadable(&self) -> impl Iterator<Item = (&ObjectKey, &str)> {
        self.unreadable.iter().map(|(key, why)| (key, why.as_str()))
    }

    /// The Project whose `spec.namespace` is `namespace`; of several, the first by name.
    #[must_use]
    pub fn project_of_namespace(&self, namespace: &str) -> Lookup<Arc<Project>> {
        let name = self
            .projects_by_namespace
            .get(namespace)
            .and_then(OrdSet::get_min);
        let found = name.and_then(|name| self.projects.get(name));
        match self.known(found, &("Project", String::new(), String::new())) {
            // Any Project that cannot be read may be the one.
            Lookup::Absent => match self.whole("Project") {
                Ok(()) => Lookup::Absent,
                Err(why) => Lookup::Unknown(why),
            },
            known => known,
        }
    }

    /// The ExposureClass called `name`.
    #[must_use]
    pub fn exposure_class(&self, name: &str) -> Lookup<Arc<ExposureClass>> {
        self.known(
            self.exposure_classes.get(name),
            &of_cluster("ExposureClass", name),
        )
    }

    /// The CloudProfile called `name`, defaulted.
    #[must_use]
    pub fn cloud_profile(&self, name: &str) -> Lookup<Arc<CloudProfile>> {
        self.known(
            self.cloud_profiles.get(name),
            &of_cluster("CloudProfile", name),
        )
    }

    /// The NamespacedCloudProfile called `name` in `namespace`.
    #[must_use]
    pub fn namespaced_cloud_profile(
        &self,
        namespace: &str,
        name: &str,
    ) -> Lookup<Arc<NamespacedCloudProfile>> {
        let key = (namespace.to_owned(), name.to_owned());
        let found = self.namespaced_cloud_profiles.get(&key);
        self.known(found, &("NamespacedCloudProfile", key.0, key.1))
    }

    /// The NamespacedCloudProfiles that change the CloudProfile called `parent` and are not being deleted, in order.
    ///
    /// As of the snapshot: one that was made a moment ago may be missing.
    ///
    /// # Errors
    /// When not all of them are known, with the reason.
    pub fn namespaced_cloud_profiles_of(
        &self,
        parent: &str,
    ) -> Result<Vec<Arc<NamespacedCloudProfile>>, String> {
        self.whole("NamespacedCloudProfile")?;
        let keys = self.namespaced_cloud_profiles_by_parent.get(parent);
        let profiles = keys.into_iter().flatten();
        Ok(profiles
            .filter_map(|key| self.namespaced_cloud_profiles.get(key))
            .filter(|profile| profile.spec.parent.kind == "CloudProfile")
            .filter(|profile| profile.metadata.deletion_timestamp.is_none())
            .cloned()
            .collect())
    }

    /// The Shoots, by what they use; as of the snapshot.
    ///
    /// # Errors
    /// When not all of them are known, with the reason.
    pub fn shoots(&self) -> Result<&Shoots, String> {
        self.whole("Shoot")?;
        Ok(&self.shoots)
    }

    /// How many Shoots are on a seed, or on their way to or from it: at least, and at most.
    ///
    /// # Errors
    /// When nothing is known about Shoots, with the reason.
    pub fn shoots_on_seed(&self, seed: &str) -> Result<RangeInclusive<usize>, String> {
        self.served("Shoot")?;
        let known = self.shoots.of_seed(seed).map_or(0, |shoots| shoots.len());
        Ok(known..=known + self.unreadable_of("Shoot").count())
    }

    /// Whose deletion is confirmed among all Projects, Shoots or ShootStates of `namespace` (empty for Projects).
    ///
    /// `Unconfirmed` for ShootStates in a garden that is watched: so few requests need them that they are not.
    #[must_use]
    pub fn collection(&self, kind: &'static str, namespace: &str) -> Lookup<Collection> {
        match self.whole(kind) {
            Err(why) => Lookup::Unknown(why),
            Ok(()) if self.may_be_late() && kind == "ShootState" => Lookup::Unconfirmed,
            Ok(()) => Lookup::Found(self.collections.of(kind, namespace)),
        }
    }

    /// Whether the API server may know better, because a watch may be late.
    #[must_use]
    pub fn may_be_late(&self) -> bool {
        self.knowledge == Knowledge::Watched
    }

    /// The Seed called `name`, defaulted.
    #[must_use]
    pub fn seed(&self, name: &str) -> Lookup<Arc<Seed>> {
        self.known(self.seeds.get(name), &of_cluster("Seed", name))
    }

    /// All Seeds, defaulted, by name; as of the snapshot.
    ///
    /// # Errors
    /// When not all of them are known, with the reason.
    pub fn seeds(&self) -> Result<impl Iterator<Item = &Arc<Seed>>, String> {
        self.whole("Seed")?;
        Ok(self.seeds.values())
    }

    /// The WorkloadIdentity called `name` in `namespace`.
    #[must_use]
    pub fn workload_identity(&self, namespace: &str, name: &str) -> Lookup<Arc<WorkloadIdentity>> {
        let key = (namespace.to_owned(), name.to_owned());
        let found = self.workload_identities.get(&key);
        self.known(found, &("WorkloadIdentity", key.0, key.1))
    }

    /// The ConfigMaps with distances between regions, by name.
    ///
    /// `Unconfirmed` in a garden that is watched: so few requests need them that they are not watched.
    #[must_use]
    pub fn region_configs(&self) -> Lookup<Vec<Arc<RegionConfig>>> {
        self.unwatched(
            || self.region_configs.values().cloned().collect(),
            "ConfigMap",
        )
    }

    /// The default domains of the landscape; `Unconfirmed` as in [`Self::region_configs`], `Unknown` also if a Secret that is
    /// to name one does not.
    #[must_use]
    pub fn default_domains(&self) -> Lookup<Vec<String>> {
        let domains = || self.default_domains.values().cloned().collect();
        match self.unwatched(domains, "Secret") {
            Lookup::Found(Ok(domains)) => Lookup::Found(domains),
            Lookup::Found(Err(why)) | Lookup::Unknown(why) => Lookup::Unknown(why),
            Lookup::Absent => Lookup::Absent,
            Lookup::Unconfirmed => Lookup::Unconfirmed,
        }
    }

    /// Whether `user` may do something, as far as the garden itself can tell; `None` means that the API server must be asked.
    #[must_use]
    pub fn access(&self, user: &UserInfo, question: &AccessQuestion) -> Option<AccessAnswer> {
        match (self.knowledge, &self.rbac) {
            (Knowledge::Watched, _) => None,
            (Knowledge::Everything, Some(rbac)) if rbac.allows(user, question) => {
                Some(AccessAnswer::Allowed)
            }
            (Knowledge::Everything, _) => Some(AccessAnswer::Denied),
            (Knowledge::Nothing, _) => Some(AccessAnswer::Unknown(no_garden("RBAC object"))),
        }
    }

    /// How many objects of each kind there are.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::from([
            ("Project", self.projects.len()),
            ("ExposureClass", self.exposure_classes.len()),
            ("CloudProfile", self.cloud_profiles.len()),
            (
                "NamespacedCloudProfile",
                self.namespaced_cloud_profiles.len(),
            ),
            ("Shoot", self.shoots.len()),
            ("Seed", self.seeds.len()),
        ]);
        for (kind, ..) in &self.counted {
            *counts.entry(kind).or_default() += 1;
        }
        counts
    }

    fn unwatched<T>(&self, all: impl FnOnce() -> T, kind: &'static str) -> Lookup<T> {
        match (self.knowledge, self.whole(kind)) {
            (Knowledge::Watched, _) => Lookup::Unconfirmed,
            (_, Err(why)) => Lookup::Unknown(why),
            (_, Ok(())) => Lookup::Found(all()),
        }
    }

    fn known<T: Clone>(&self, found: Option<&T>, key: &ObjectKey) -> Lookup<T> {
        if let Some(found) = found {
            return Lookup::Found(found.clone());
        }
        if let Some(why) = self.unreadable.get(key) {
            return Lookup::Unknown(cannot_be_read(key, why));
        }
        match self.served(key.0) {
            Err(why) => Lookup::Unknown(why),
            Ok(()) if self.knowledge == Knowledge::Everything => Lookup::Absent,
            Ok(()) => Lookup::Unconfirmed,
        }
    }

    /// Fails, with the reason, where not all objects of a kind are known, as far as the snapshot can tell.
    fn whole(&self, kind: &'static str) -> Result<(), String> {
        self.served(kind)?;
        match self.unreadable_of(kind).next() {
            Some((key, why)) => Err(cannot_be_read(key, why)),
            None => Ok(()),
        }
    }

    /// Fails, with the reason, where nothing is known about the objects of a kind.
    fn served(&self, kind: &'static str) -> Result<(), String> {
        if self.knowledge == Knowledge::Nothing {
            return Err(no_garden(kind));
        }
        match self.withheld.get(kind) {
            Some(why) => Err(why.clone()),
            None => Ok(()),
        }
    }

    fn unreadable_of(&self, kind: &'static str) -> impl Iterator<Item = (&ObjectKey, &String)> {
        let first = (kind, String::new(), String::new());
        let all = self.unreadable.range(first..);
        all.take_while(move |(key, _)| key.0 == kind)
    }
}

fn of_cluster(kind: &'static str, name: &str) -> ObjectKey {
    (kind, String::new(), name.to_owned())
}

fn cannot_be_read((kind, namespace, name): &ObjectKey, why: &str) -> String {
    let separator = if namespace.is_empty() { "" } else { "/" };
    format!("{kind} `{namespace}{separator}{name}` exists but cannot be read: {why}")
}

fn no_garden(kind: &str) -> String {
    format!("no garden was given, so no {kind} is known; pass --garden DIR")
}
