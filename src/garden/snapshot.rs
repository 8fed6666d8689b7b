use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::{HashMap, OrdSet};

use super::{AccessAnswer, AccessQuestion, Lookup, Rbac, Shoots};
use crate::model::{
    CloudProfile, ExposureClass, NamespacedCloudProfile, Project, ShootName, ShootUse, UserInfo,
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
type NamespacedName = (String, String);

/// An object of the garden, as its source hands it over.
#[derive(Debug)]
pub enum GardenObject {
    /// A Project, defaulted.
    Project(Project),
    /// An ExposureClass.
    ExposureClass(ExposureClass),
    /// A CloudProfile, defaulted.
    CloudProfile(CloudProfile),
    /// A NamespacedCloudProfile.
    NamespacedCloudProfile(Box<NamespacedCloudProfile>),
    /// What a Shoot uses.
    Shoot(ShootUse),
    /// An object that is only counted.
    Counted(ObjectKey),
}

/// The garden at one moment. Cloning shares; applying one object costs O(log n).
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    knowledge: Knowledge,
    projects: HashMap<String, Arc<Project>>,
    projects_by_namespace: HashMap<String, OrdSet<String>>,
    exposure_classes: HashMap<String, Arc<ExposureClass>>,
    cloud_profiles: HashMap<String, Arc<CloudProfile>>,
    namespaced_cloud_profiles: HashMap<NamespacedName, Arc<NamespacedCloudProfile>>,
    namespaced_cloud_profiles_by_parent: HashMap<String, OrdSet<NamespacedName>>,
    shoots: Shoots,
    counted: OrdSet<ObjectKey>,
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

    /// Adds an object or puts it in the place of the one with the same name.
    pub fn apply(&mut self, object: GardenObject) {
        match object {
            GardenObject::Project(project) => self.apply_project(project),
            GardenObject::ExposureClass(class) => {
                self.exposure_classes
                    .insert(class.metadata.name.clone(), Arc::new(class));
            }
            GardenObject::CloudProfile(profile) => {
                let name = profile.metadata.name.clone();
                self.cloud_profiles.insert(name, Arc::new(profile));
            }
            GardenObject::NamespacedCloudProfile(profile) => {
                self.apply_namespaced_cloud_profile(*profile);
            }
            GardenObject::Shoot(shoot) => self.shoots.apply(shoot),
            GardenObject::Counted(key) => {
                self.counted.insert(key);
            }
        }
    }

    /// Forgets a CloudProfile, NamespacedCloudProfile or Shoot, or an object that is only counted.
    pub fn remove(&mut self, key: &ObjectKey) {
        let (kind, namespace, name) = key;
        match *kind {
            "CloudProfile" => {
                self.cloud_profiles.remove(name);
            }
            "NamespacedCloudProfile" => {
                self.remove_namespaced_cloud_profile(&(namespace.clone(), name.clone()));
            }
            "Shoot" => self.shoots.remove(&ShootName {
                namespace: namespace.as_str().into(),
                name: name.as_str().into(),
            }),
            _ => {
                self.counted.remove(key);
            }
        }
    }

    fn apply_namespaced_cloud_profile(&mut self, profile: NamespacedCloudProfile) {
        let metadata = &profile.metadata;
        let key = (metadata.namespace.clone(), metadata.name.clone());
        self.remove_namespaced_cloud_profile(&key);
        let parent = profile.spec.parent.name.clone();
        let siblings = self.namespaced_cloud_profiles_by_parent.entry(parent);
        siblings.or_default().insert(key.clone());
        self.namespaced_cloud_profiles
            .insert(key, Arc::new(profile));
    }

    fn remove_namespaced_cloud_profile(&mut self, key: &NamespacedName) {
        let Some(old) = self.namespaced_cloud_profiles.remove(key) else {
            return;
        };
        let by_parent = &mut self.namespaced_cloud_profiles_by_parent;
        if let Some(siblings) = by_parent.get_mut(&old.spec.parent.name) {
            siblings.remove(key);
            if siblings.is_empty() {
                by_parent.remove(&old.spec.parent.name);
            }
        }
    }

    fn apply_project(&mut self, project: Project) {
        let name = project.metadata.name.clone();
        let old = self
            .projects
            .get(&name)
            .and_then(|old| old.spec.namespace.clone());
        if let Some(names) =
            old.and_then(|namespace| self.projects_by_namespace.get_mut(&namespace))
        {
            names.remove(&name);
        }
        if let Some(namespace) = project.spec.namespace.clone() {
            self.projects_by_namespace
                .entry(namespace)
                .or_default()
                .insert(name.clone());
        }
        self.projects.insert(name, Arc::new(project));
    }

    /// The Project whose `spec.namespace` is `namespace`; of several, the first by name.
    #[must_use]
    pub fn project_of_namespace(&self, namespace: &str) -> Lookup<Arc<Project>> {
        let name = self
            .projects_by_namespace
            .get(namespace)
            .and_then(OrdSet::get_min);
        self.known(name.and_then(|name| self.projects.get(name)), "Projects")
    }

    /// The ExposureClass called `name`.
    #[must_use]
    pub fn exposure_class(&self, name: &str) -> Lookup<Arc<ExposureClass>> {
        self.known(self.exposure_classes.get(name), "ExposureClasses")
    }

    /// The CloudProfile called `name`, defaulted.
    #[must_use]
    pub fn cloud_profile(&self, name: &str) -> Lookup<Arc<CloudProfile>> {
        self.known(self.cloud_profiles.get(name), "CloudProfiles")
    }

    /// The NamespacedCloudProfile called `name` in `namespace`.
    #[must_use]
    pub fn namespaced_cloud_profile(
        &self,
        namespace: &str,
        name: &str,
    ) -> Lookup<Arc<NamespacedCloudProfile>> {
        let key = (namespace.to_owned(), name.to_owned());
        self.known(
            self.namespaced_cloud_profiles.get(&key),
            "NamespacedCloudProfiles",
        )
    }

    /// The NamespacedCloudProfiles that change the CloudProfile called `parent` and are not being deleted, in order.
    ///
    /// As of the snapshot: one that was made a moment ago may be missing.
    ///
    /// # Errors
    /// When nothing is known about them, with the reason.
    pub fn namespaced_cloud_profiles_of(
        &self,
        parent: &str,
    ) -> Result<Vec<Arc<NamespacedCloudProfile>>, String> {
        if self.knowledge == Knowledge::Nothing {
            return Err(unknown("NamespacedCloudProfiles"));
        }
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
    /// When nothing is known about them, with the reason.
    pub fn shoots(&self) -> Result<&Shoots, String> {
        match self.knowledge {
            Knowledge::Nothing => Err(unknown("Shoots")),
            Knowledge::Everything | Knowledge::Watched => Ok(&self.shoots),
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
            (Knowledge::Nothing, _) => Some(AccessAnswer::Unknown(unknown("RBAC objects"))),
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
        ]);
        for (kind, ..) in &self.counted {
            *counts.entry(kind).or_default() += 1;
        }
        counts
    }

    fn known<T: Clone>(&self, found: Option<&T>, what: &str) -> Lookup<T> {
        match (found, self.knowledge) {
            (Some(found), _) => Lookup::Found(found.clone()),
            (None, Knowledge::Everything) => Lookup::Absent,
            (None, Knowledge::Watched) => Lookup::Unconfirmed,
            (None, Knowledge::Nothing) => Lookup::Unknown(unknown(what)),
        }
    }
}

fn unknown(what: &str) -> String {
    format!("no garden was given, so its {what} are not known; pass --garden DIR")
}
