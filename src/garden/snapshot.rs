use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::Arc;

use imbl::{HashMap, OrdMap, OrdSet};

use super::collection::{Collection, Collections};
use super::told::Told;
use super::{AccessAnswer, AccessQuestion, Lookup, ObjectKey, Question, Rbac, Shoots};
use crate::model::{
    CloudProfile, ExposureClass, Kind, NamespacedCloudProfile, Project, RegionConfig, Seed,
    UserInfo, WorkloadIdentity,
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
    pub(super) withheld: OrdMap<Kind, String>,
    rbac: Option<Arc<Rbac>>,
    pub(super) told: Told,
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
    pub fn withhold(&mut self, kind: Kind, why: String) {
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
        if let Some(found) = found {
            return Lookup::Found(found.clone());
        }
        let question = || Question::ProjectOfNamespace(namespace.to_owned());
        match self.told(question, |_| None) {
            // Any Project that cannot be read may be the one.
            Lookup::Unconfirmed => match self.certain(Kind::Project) {
                Lookup::Absent => self
                    .whole(Kind::Project)
                    .err()
                    .map_or(Lookup::Absent, Lookup::Unknown),
                known => known,
            },
            told => told,
        }
    }

    /// The ExposureClass called `name`.
    #[must_use]
    pub fn exposure_class(&self, name: &str) -> Lookup<Arc<ExposureClass>> {
        self.known(
            self.exposure_classes.get(name),
            &of_cluster(Kind::ExposureClass, name),
        )
    }

    /// The CloudProfile called `name`, defaulted.
    #[must_use]
    pub fn cloud_profile(&self, name: &str) -> Lookup<Arc<CloudProfile>> {
        self.known(
            self.cloud_profiles.get(name),
            &of_cluster(Kind::CloudProfile, name),
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
        self.known(
            found,
            &ObjectKey::new(Kind::NamespacedCloudProfile, key.0, key.1),
        )
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
        self.whole(Kind::NamespacedCloudProfile)?;
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
        self.whole(Kind::Shoot)?;
        Ok(&self.shoots)
    }

    /// How many Shoots are on a seed, or on their way to or from it: at least, and at most.
    ///
    /// # Errors
    /// When nothing is known about Shoots, with the reason.
    pub fn shoots_on_seed(&self, seed: &str) -> Result<RangeInclusive<usize>, String> {
        self.served(Kind::Shoot)?;
        let known = self.shoots.of_seed(seed).map_or(0, |shoots| shoots.len());
        Ok(known..=known + self.unreadable_of(Kind::Shoot).count())
    }

    /// Whose deletion is confirmed among all Projects, Shoots or ShootStates of `namespace` (empty for Projects).
    ///
    /// In a garden that is watched, `Unconfirmed` where something is `in_the_way` that the watch may be late with, and for
    /// ShootStates: so few requests need them that they are not watched.
    #[must_use]
    pub fn collection(
        &self,
        kind: Kind,
        namespace: &str,
        in_the_way: impl Fn(&Collection) -> bool,
    ) -> Lookup<Collection> {
        let told = self.told_collection(kind, namespace);
        if told != Lookup::Unconfirmed {
            return told;
        }
        if let Err(why) = self.whole(kind) {
            return Lookup::Unknown(why);
        }
        let known = self.collections.of(kind, namespace);
        let may_be_late = self.knowledge == Knowledge::Watched;
        if may_be_late && (kind == Kind::ShootState || in_the_way(&known)) {
            return Lookup::Unconfirmed;
        }
        Lookup::Found(known)
    }

    /// The Seed called `name`, defaulted.
    #[must_use]
    pub fn seed(&self, name: &str) -> Lookup<Arc<Seed>> {
        self.known(self.seeds.get(name), &of_cluster(Kind::Seed, name))
    }

    /// All Seeds, defaulted, by name; as of the snapshot.
    ///
    /// # Errors
    /// When not all of them are known, with the reason.
    pub fn seeds(&self) -> Result<impl Iterator<Item = &Arc<Seed>>, String> {
        self.whole(Kind::Seed)?;
        Ok(self.seeds.values())
    }

    /// The WorkloadIdentity called `name` in `namespace`.
    #[must_use]
    pub fn workload_identity(&self, namespace: &str, name: &str) -> Lookup<Arc<WorkloadIdentity>> {
        let key = (namespace.to_owned(), name.to_owned());
        let found = self.workload_identities.get(&key);
        self.known(found, &ObjectKey::new(Kind::WorkloadIdentity, key.0, key.1))
    }

    /// The ConfigMaps with distances between regions, by name.
    ///
    /// `Unconfirmed` in a garden that is watched: so few requests need them that they are not watched.
    #[must_use]
    pub fn region_configs(&self) -> Lookup<Vec<Arc<RegionConfig>>> {
        let told = self.told(
            || Question::RegionConfigs,
            |told| Some(told.region_configs.clone()),
        );
        let all = || Ok(self.region_configs.values().cloned().collect());
        self.unwatched(Kind::ConfigMap, told, all)
    }

    /// The default domains of the landscape; `Unconfirmed` as in [`Self::region_configs`], `Unknown` also if a Secret that is
    /// to name one does not.
    #[must_use]
    pub fn default_domains(&self) -> Lookup<Vec<String>> {
        let told = self.told(
            || Question::DefaultDomains,
            |told| Some(told.default_domains.clone()),
        );
        let all = || self.default_domains.values().cloned().collect();
        self.unwatched(Kind::Secret, told, all)
    }

    /// Whether `user` may do something, as far as the garden itself can tell; `None` means that the API server must be asked.
    #[must_use]
    pub fn access(&self, user: &UserInfo, question: &AccessQuestion) -> Option<AccessAnswer> {
        let told = self.told_access(question);
        match (self.knowledge, &self.rbac) {
            _ if told.is_some() => told,
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
    pub fn counts(&self) -> BTreeMap<Kind, usize> {
        let mut counts = BTreeMap::from([
            (Kind::Project, self.projects.len()),
            (Kind::ExposureClass, self.exposure_classes.len()),
            (Kind::CloudProfile, self.cloud_profiles.len()),
            (
                Kind::NamespacedCloudProfile,
                self.namespaced_cloud_profiles.len(),
            ),
            (Kind::Shoot, self.shoots.len()),
            (Kind::Seed, self.seeds.len()),
        ]);
        for key in &self.counted {
            *counts.entry(key.kind).or_default() += 1;
        }
        counts
    }

    /// What was told about objects of a kind that no watch shows, or else all of them.
    fn unwatched<T>(
        &self,
        kind: Kind,
        told: Lookup<T>,
        all: impl FnOnce() -> Result<T, String>,
    ) -> Lookup<T> {
        if self.knowledge == Knowledge::Watched || !matches!(told, Lookup::Unconfirmed) {
            return told;
        }
        let all = self.whole(kind).and_then(|()| all());
        all.map_or_else(Lookup::Unknown, Lookup::Found)
    }

    fn known<T: Clone>(&self, found: Option<&T>, key: &ObjectKey) -> Lookup<T> {
        if let Some(found) = found {
            return Lookup::Found(found.clone());
        }
        match self.told(|| Question::Object(key.clone()), |_| None) {
            Lookup::Unconfirmed => {}
            told => return told,
        }
        match self.unreadable.get(key) {
            Some(why) => Lookup::Unknown(cannot_be_read(key, why)),
            None => self.certain(key.kind),
        }
    }

    /// What it means that there is no object of a kind in the snapshot.
    fn certain<T>(&self, kind: Kind) -> Lookup<T> {
        match self.served(kind) {
            Err(why) => Lookup::Unknown(why),
            Ok(()) if self.knowledge == Knowledge::Everything => Lookup::Absent,
            Ok(()) => Lookup::Unconfirmed,
        }
    }

    /// Fails, with the reason, where not all objects of a kind are known, as far as the snapshot can tell.
    fn whole(&self, kind: Kind) -> Result<(), String> {
        self.served(kind)?;
        match self.unreadable_of(kind).next() {
            Some((key, why)) => Err(cannot_be_read(key, why)),
            None => Ok(()),
        }
    }

    /// Fails, with the reason, where nothing is known about the objects of a kind.
    fn served(&self, kind: Kind) -> Result<(), String> {
        if self.knowledge == Knowledge::Nothing {
            return Err(no_garden(kind));
        }
        match self.withheld.get(&kind) {
            Some(why) => Err(why.clone()),
            None => Ok(()),
        }
    }

    fn unreadable_of(&self, kind: Kind) -> impl Iterator<Item = (&ObjectKey, &String)> {
        let first = ObjectKey::new(kind, "", "");
        let all = self.unreadable.range(first..);
        all.take_while(move |(key, _)| key.kind == kind)
    }
}

fn of_cluster(kind: Kind, name: &str) -> ObjectKey {
    ObjectKey::new(kind, "", name)
}

fn cannot_be_read(key: &ObjectKey, why: &str) -> String {
    format!("{key} exists but cannot be read: {why}")
}

fn no_garden(kind: impl Display) -> String {
    format!("no garden was given, so no {kind} is known; pass --garden DIR")
}
