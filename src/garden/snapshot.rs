use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::{HashMap, OrdSet};

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
}

/// The garden at one moment. Cloning shares; applying one object costs O(log n).
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    knowledge: Knowledge,
    projects: HashMap<String, Arc<Project>>,
    projects_by_namespace: HashMap<String, OrdSet<String>>,
    exposure_classes: HashMap<String, Arc<ExposureClass>>,
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
            GardenObject::Counted(key) => {
                self.counted.insert(key);
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
