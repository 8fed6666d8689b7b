use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use imbl::{HashMap, OrdMap, OrdSet};

use super::{AccessAnswer, AccessQuestion, Lookup, Rbac};
use crate::model::{ExposureClass, Project, UserInfo};

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

/// An object of the garden, as its source hands it over.
#[derive(Debug)]
pub enum GardenObject {
    /// A Project, defaulted.
    Project(Project),
    /// An ExposureClass.
    ExposureClass(ExposureClass),
    /// An object that is only counted.
    Counted(ObjectKey),
    /// An object that does not have the shape of its kind, and what is wrong with it.
    Unreadable(ObjectKey, String),
}

impl GardenObject {
    /// What identifies the object.
    #[must_use]
    pub fn key(&self) -> ObjectKey {
        let cluster = |kind, name: &String| (kind, String::new(), name.clone());
        match self {
            GardenObject::Project(project) => cluster("Project", &project.metadata.name),
            GardenObject::ExposureClass(class) => cluster("ExposureClass", &class.metadata.name),
            GardenObject::Counted(key) | GardenObject::Unreadable(key, _) => key.clone(),
        }
    }
}

/// The garden at one moment. Cloning shares; applying one object costs O(log n).
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    knowledge: Knowledge,
    projects: HashMap<String, Arc<Project>>,
    projects_by_namespace: HashMap<String, OrdSet<String>>,
    exposure_classes: HashMap<String, Arc<ExposureClass>>,
    counted: OrdSet<ObjectKey>,
    unreadable: OrdMap<ObjectKey, String>,
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
        if !self.unreadable.is_empty() {
            self.unreadable.remove(&object.key());
        }
        match object {
            GardenObject::Project(project) => self.apply_project(project),
            GardenObject::ExposureClass(class) => {
                self.exposure_classes
                    .insert(class.metadata.name.clone(), Arc::new(class));
            }
            GardenObject::Counted(key) => {
                self.counted.insert(key);
            }
            GardenObject::Unreadable(key, why) => {
                self.remove(&key);
                self.unreadable.insert(key, why);
            }
        }
    }

    /// Forgets an object; nothing happens if it is not there.
    pub fn remove(&mut self, key: &ObjectKey) {
        self.unreadable.remove(key);
        let (kind, _, name) = key;
        match *kind {
            "Project" => self.remove_project(name),
            "ExposureClass" => {
                self.exposure_classes.remove(name);
            }
            _ => {
                self.counted.remove(key);
            }
        }
    }

    /// Makes `objects` all there is of a kind: adds and replaces what is among them, forgets what is not.
    pub fn reset(&mut self, kind: &'static str, objects: impl IntoIterator<Item = GardenObject>) {
        let mut gone: BTreeSet<ObjectKey> = self.keys(kind).into_iter().collect();
        for object in objects {
            gone.remove(&object.key());
            self.apply(object);
        }
        for key in &gone {
            self.remove(key);
        }
    }

    fn keys(&self, kind: &'static str) -> Vec<ObjectKey> {
        let cluster = |name: &String| (kind, String::new(), name.clone());
        let all = (kind, String::new(), String::new())..;
        let mut keys: Vec<ObjectKey> = self
            .unreadable
            .range(all.clone())
            .map(|(key, _)| key)
            .take_while(|key| key.0 == kind)
            .cloned()
            .collect();
        match kind {
            "Project" => keys.extend(self.projects.keys().map(cluster)),
            "ExposureClass" => keys.extend(self.exposure_classes.keys().map(cluster)),
            _ => keys.extend(
                self.counted
                    .range(all)
                    .take_while(|key| key.0 == kind)
                    .cloned(),
            ),
        }
        keys
    }

    /// What is known to exist but could not be read, with the reasons.
    pub fn unreadable(&self) -> impl Iterator<Item = (&ObjectKey, &str)> {
        self.unreadable.iter().map(|(key, why)| (key, why.as_str()))
    }

    fn apply_project(&mut self, project: Project) {
        let name = project.metadata.name.clone();
        self.remove_project(&name);
        if let Some(namespace) = project.spec.namespace.clone() {
            self.projects_by_namespace
                .entry(namespace)
                .or_default()
                .insert(name.clone());
        }
        self.projects.insert(name, Arc::new(project));
    }

    fn remove_project(&mut self, name: &str) {
        let Some(old) = self.projects.remove(name) else {
            return;
        };
        let Some(namespace) = &old.spec.namespace else {
            return;
        };
        if let Some(names) = self.projects_by_namespace.get_mut(namespace) {
            names.remove(name);
            if names.is_empty() {
                self.projects_by_namespace.remove(namespace);
            }
        }
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
