//! Objects of the garden that expressions of own policies look up, as `garden.<name>`.
//!
//! Only the fields that garden-gate keeps of an object are visible.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::expressions::{self, EvaluationError, Lookups};
use crate::admission::{Question, Request};
use crate::api::{
    CloudProfile, CloudProfileReference, CloudProfileSpec, Kind, Name, NamespacedCloudProfile,
    ObjectMeta, ProfileKey, ProfileKind, Project, Seed, ShootUse, SnapshotObject,
};
use crate::garden::{ObjectKey, Snapshot, Unknown};

/// The fields of `garden`.
pub(super) const FIELDS: [&str; 3] = ["cloudProfile", "project", "seed"];
/// The functions of `garden`.
pub(super) const FUNCTIONS: [&str; 1] = ["shoots"];
/// Maximum number of Shoots that `garden.shoots` returns.
const MOST_SHOOTS: usize = 10_000;

/// Returns the kinds of the objects that a field or function of `garden` reads.
pub(super) fn kinds_of(name: &str) -> &'static [Kind] {
    match name {
        "project" => &[Kind::Project],
        "seed" => &[Kind::Seed],
        "cloudProfile" => &[Kind::CloudProfile, Kind::NamespacedCloudProfile],
        "shoots" => &[Kind::Shoot],
        _ => &[],
    }
}

/// Reports whether a lookup takes little time: neither a profile, which may be large, nor all Shoots.
pub(super) fn is_cheap(name: &str) -> bool {
    matches!(name, "project" | "seed")
}

/// The lookups of one request; each is performed once.
pub(super) struct GardenLookups<'a> {
    request: &'a Request<'a>,
    garden: &'a Snapshot,
    /// The new object, or on DELETE the stored one.
    object: Option<&'a expressions::Value>,
    known: RefCell<BTreeMap<String, Result<expressions::Value, EvaluationError>>>,
    /// The objects that the watch may not have received yet.
    questions: RefCell<BTreeSet<Question>>,
}

impl<'a> GardenLookups<'a> {
    pub(super) fn new(
        request: &'a Request<'a>,
        garden: &'a Snapshot,
        object: Option<&'a expressions::Value>,
    ) -> Self {
        Self {
            request,
            garden,
            object,
            known: RefCell::default(),
            questions: RefCell::default(),
        }
    }

    /// Returns the questions to the API server.
    pub(super) fn questions(&self) -> BTreeSet<Question> {
        self.questions.borrow().clone()
    }

    /// Returns the result of a lookup, and notes the question if the API server must be asked.
    fn confirm<T>(
        &self,
        lookup: Result<T, Unknown>,
        question: impl FnOnce() -> Question,
    ) -> Result<T, String> {
        if let Err(Unknown::Unconfirmed) = lookup {
            self.questions.borrow_mut().insert(question());
        }
        lookup.map_err(|why| why.to_string())
    }

    fn get<'n, T: SnapshotObject>(
        &self,
        name: impl Into<Name<'n>>,
    ) -> Result<Option<Arc<T>>, String> {
        let name = name.into();
        let question = || Question::Object(ObjectKey::named(T::KIND, name));
        self.confirm(self.garden.get::<T>(name), question)
    }

    /// Returns the result of a lookup, which is performed once.
    fn once(
        &self,
        name: String,
        look_up: impl FnOnce() -> Result<Value, String>,
    ) -> Result<expressions::Value, EvaluationError> {
        if let Some(known) = self.known.borrow().get(&name) {
            return known.clone();
        }
        let found = look_up().map(|it| expressions::Value::from_json(&it));
        let found = found.map_err(EvaluationError::Undetermined);
        let mut known = self.known.borrow_mut();
        known.insert(name, found.clone());
        found
    }

    /// Looks up an object; `null` if it does not exist.
    fn look_up(&self, name: &str) -> Result<Value, String> {
        let found = match name {
            "project" => self.project(),
            "cloudProfile" => self.cloud_profile(),
            "seed" => self.seed(),
            other => return Err(format!("`garden.{other}` does not exist")),
        };
        found.map_err(|why| format!("`garden.{name}` is not known: {why}"))
    }

    fn project(&self) -> Result<Value, String> {
        let namespace = self.request.namespace.as_str();
        if namespace.is_empty() {
            return Ok(Value::Null);
        }
        let question = || Question::ProjectOfNamespace(namespace.to_owned());
        let project = self.garden.project_of_namespace(namespace);
        let project = self.confirm(project, question)?;
        Ok(project.map_or(Value::Null, |it| of_project(&it)))
    }

    /// Returns the profile that the object references.
    fn profile(&self) -> Option<ProfileKey> {
        let spec = self.object?.field("spec")?;
        let reference = spec.field("cloudProfile");
        let reference = reference.filter(|it| matches!(it, expressions::Value::Map(_)));
        let reference = reference.map(|it| CloudProfileReference {
            kind: text(it, "kind").to_owned(),
            name: text(it, "name").to_owned(),
        });
        let old_name = text(spec, "cloudProfileName");
        ProfileKey::effective(reference.as_ref(), old_name, &self.request.namespace)
    }

    fn cloud_profile(&self) -> Result<Value, String> {
        let Some(key) = self.profile() else {
            return Ok(Value::Null);
        };
        let found = match key.kind {
            ProfileKind::Cluster => {
                let profile = self.get::<CloudProfile>(&*key.name)?;
                profile.map(|it| of_profile(&it.metadata, &it.spec))
            }
            ProfileKind::Namespaced => self.namespaced_profile(&key)?,
        };
        Ok(found.unwrap_or_default())
    }

    fn namespaced_profile(&self, key: &ProfileKey) -> Result<Option<Value>, String> {
        let name = (&*key.namespace, &*key.name);
        let Some(profile) = self.get::<NamespacedCloudProfile>(name)? else {
            return Ok(None);
        };
        let merged = &profile.status.cloud_profile_spec;
        if *merged != CloudProfileSpec::default() {
            return Ok(Some(of_profile(&profile.metadata, merged)));
        }
        let parent = self.get::<CloudProfile>(&profile.spec.parent.name)?;
        let parent = parent.ok_or("its parent does not exist")?;
        let merged = self.garden.merged_profile(&profile, &parent);
        Ok(Some(of_profile(&profile.metadata, &merged)))
    }

    fn seed(&self) -> Result<Value, String> {
        let spec = self.object.and_then(|it| it.field("spec"));
        let name = spec.map_or("", |it| text(it, "seedName"));
        if name.is_empty() {
            return Ok(Value::Null);
        }
        let seed = self.get::<Seed>(name)?;
        Ok(seed.map_or(Value::Null, |it| of_seed(&it)))
    }

    /// Returns the Shoots of a namespace, or all, by name.
    fn shoots(&self, namespace: Option<&str>) -> Result<Value, String> {
        let all = self.garden.shoots()?;
        let names = all.names();
        let names = names.filter(|it| namespace.is_none_or(|own| *it.namespace == *own));
        let mut names: Vec<_> = names.take(MOST_SHOOTS + 1).collect();
        names.sort_unstable();
        if names.len() > MOST_SHOOTS {
            return Err(format!("there are more than {MOST_SHOOTS} Shoots"));
        }
        let shoots = names.into_iter().filter_map(|name| all.get(name));
        Ok(shoots.map(of_shoot).collect())
    }
}

impl Lookups for GardenLookups<'_> {
    fn field(&self, name: &str) -> Result<expressions::Value, EvaluationError> {
        self.once(name.to_owned(), || self.look_up(name))
    }

    fn call(
        &self,
        name: &str,
        arguments: &[expressions::Value],
    ) -> Result<expressions::Value, EvaluationError> {
        let namespace = match (name, arguments) {
            ("shoots", []) => None,
            ("shoots", [namespace]) => match namespace.as_str() {
                Some(namespace) => Some(namespace),
                None => return Err(no_such_overload()),
            },
            _ => return Err(no_such_overload()),
        };
        self.once(format!("shoots {}", namespace.unwrap_or("*")), || {
            let found = self.shoots(namespace);
            found.map_err(|why| format!("`garden.shoots` is not known: {why}"))
        })
    }
}

/// Returns the text of a field; empty without one.
fn text<'a>(object: &'a expressions::Value, field: &str) -> &'a str {
    let text = object.field(field).and_then(expressions::Value::as_str);
    text.unwrap_or_default()
}

fn no_such_overload() -> EvaluationError {
    EvaluationError::Failed("no such overload".to_owned())
}

fn metadata(metadata: &ObjectMeta) -> Value {
    json!({
        "name": metadata.name,
        "namespace": metadata.namespace,
        "labels": metadata.labels,
        "annotations": metadata.annotations,
    })
}

fn of_project(project: &Project) -> Value {
    let mut spec = serde_json::to_value(&project.spec).unwrap_or_default();
    if let Value::Object(fields) = &mut spec {
        fields.entry("members").or_insert_with(|| json!([]));
    }
    json!({"metadata": metadata(&project.metadata), "spec": spec})
}

fn of_profile(own: &ObjectMeta, spec: &CloudProfileSpec) -> Value {
    let types = spec.machine_types.iter().map(|it| {
        let mut fields = Map::new();
        fields.insert("name".to_owned(), it.name.as_str().into());
        fields.insert("usable".to_owned(), it.usable.unwrap_or(true).into());
        if let Some(architecture) = &it.architecture {
            fields.insert("architecture".to_owned(), architecture.as_str().into());
        }
        for (name, amount) in [("cpu", &it.cpu), ("gpu", &it.gpu), ("memory", &it.memory)] {
            if let Some(amount) = amount {
                fields.insert(name.to_owned(), amount.to_string().into());
            }
        }
        Value::Object(fields)
    });
    let types: Value = types.collect();
    let volumes = spec
        .volume_types
        .iter()
        .map(|it| json!({"name": it.name, "class": it.class, "usable": it.usable.unwrap_or(true)}));
    let volumes: Value = volumes.collect();
    let regions = spec.regions.iter().map(|it| {
        let zones = it.zones.iter().map(|zone| json!({"name": zone.name}));
        json!({"name": it.name, "zones": zones.collect::<Value>()})
    });
    let regions: Value = regions.collect();
    json!({
        "metadata": metadata(own),
        "spec": {
            "type": spec.kind,
            "kubernetes": {"versions": serde_json::to_value(&spec.kubernetes.versions).unwrap_or_default()},
            "machineImages": serde_json::to_value(&spec.machine_images).unwrap_or_default(),
            "machineTypes": types,
            "volumeTypes": volumes,
            "regions": regions,
        },
    })
}

fn of_seed(seed: &Seed) -> Value {
    let spec = &seed.spec;
    let provider = json!({
        "type": spec.provider.kind,
        "region": spec.provider.region,
        "zones": spec.provider.zones,
    });
    let taints = spec
        .taints
        .iter()
        .map(|it| json!({"key": it.key, "value": it.value}));
    json!({
        "metadata": metadata(&seed.metadata),
        "spec": {"provider": provider, "taints": taints.collect::<Value>()},
    })
}

fn of_shoot(shoot: &ShootUse) -> Value {
    json!({
        "metadata": {"namespace": &*shoot.name.namespace, "name": &*shoot.name.name},
        "spec": {
            "seedName": shoot.seed_name.as_deref(),
            "kubernetes": {"version": &*shoot.kubernetes},
            "exposureClassName": shoot.exposure_class.as_deref(),
            "cloudProfile": shoot.profile.as_ref().map(|it| json!({
                "kind": Kind::from(it.kind).as_str(),
                "name": &*it.name,
            })),
        },
        "isDeleting": shoot.deleting,
    })
}
