// SPDX-License-Identifier: Apache-2.0
//! Objects of the garden that expressions of own policies look up, as `garden.<name>`.
//!
//! Only the fields that garden-gate keeps of an object are visible.

use std::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::converted::ConvertedObjects;
use super::shoot_lists::FEW;
use crate::admission::{Question, Request};
use crate::garden::{ObjectKey, Snapshot, Unknown};
use garden_gate_cel::{EvaluationError, ExceededLimit, Lookups};
use garden_gate_model::api::{
    CloudProfile, CloudProfileReference, CloudProfileSpec, Kind, Name, NamespacedCloudProfile,
    ObjectMeta, ProfileKey, ProfileKind, Project, Seed, SnapshotObject,
};

/// The fields of `garden`.
pub(super) const FIELDS: [&str; 3] = ["cloudProfile", "project", "seed"];
/// The functions of `garden`.
pub(super) const FUNCTIONS: [&str; 1] = ["shoots"];
/// Maximum number of results that are kept for a request.
const MOST_KNOWN: usize = 1_000;
/// Maximum length of the name of a Namespace in bytes.
const LONGEST_NAMESPACE: usize = 253;

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

/// The lookups of one request; each is performed once.
pub(super) struct GardenLookups<'a> {
    request: &'a Request<'a>,
    garden: &'a Snapshot,
    /// Whether lookups must not take long.
    is_quick: bool,
    /// The new object, or on DELETE the stored one.
    object: Option<&'a garden_gate_cel::Value>,
    known: RefCell<BTreeMap<String, Result<garden_gate_cel::Value, EvaluationError>>>,
    /// The objects that the watch may not have received yet.
    questions: RefCell<BTreeSet<Question>>,
}

impl<'a> GardenLookups<'a> {
    pub(super) fn new(
        request: &'a Request<'a>,
        (garden, is_quick): (&'a Snapshot, bool),
        object: Option<&'a garden_gate_cel::Value>,
    ) -> Self {
        Self {
            request,
            garden,
            is_quick,
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
    ) -> Result<Option<Arc<T>>, LookupError> {
        let key = ObjectKey::named(T::KIND, name);
        // Decompressing takes milliseconds.
        if self.is_quick && self.garden.is_compressed(&key) {
            return Err(LookupError::TooSlow);
        }
        let found = self.garden.find::<T>(&key);
        Ok(self.confirm(found, || Question::Object(key))?)
    }

    /// Returns the result of a lookup, which is performed once, unless there are many.
    fn once(
        &self,
        name: String,
        look_up: impl FnOnce() -> Result<garden_gate_cel::Value, LookupError>,
    ) -> Result<garden_gate_cel::Value, EvaluationError> {
        if let Some(known) = self.known.borrow().get(&name) {
            return known.clone();
        }
        let found = look_up().map_err(|why| why.of(&name));
        let mut known = self.known.borrow_mut();
        if known.len() < MOST_KNOWN {
            known.insert(name, found.clone());
        }
        found
    }

    /// Returns the value of two objects, which are converted once for each version.
    fn converted<A: Any + Send + Sync, B: Any + Send + Sync>(
        &self,
        sources: (&Arc<A>, &Arc<B>),
        elements: usize,
        convert: impl FnOnce() -> Value,
    ) -> Result<garden_gate_cel::Value, LookupError> {
        let convert = || garden_gate_cel::Value::from_json(&convert());
        match self.garden.derived::<ConvertedObjects>() {
            Some(cache) => {
                let is_possible = !self.is_quick || elements <= FEW;
                Ok(cache.value(sources, is_possible, convert)?)
            }
            None => Ok(convert()),
        }
    }

    /// Looks up an object; `null` if it does not exist.
    fn look_up(&self, name: &str) -> Result<garden_gate_cel::Value, LookupError> {
        let found = match name {
            "project" => self.project()?,
            "cloudProfile" => self.cloud_profile()?,
            "seed" => self.seed()?,
            _ => return Err("it does not exist".to_owned().into()),
        };
        Ok(found.unwrap_or(garden_gate_cel::Value::Null))
    }

    fn project(&self) -> FoundValue {
        let namespace = self.request.namespace.as_str();
        if namespace.is_empty() {
            return Ok(None);
        }
        let question = || Question::ProjectOfNamespace(namespace.to_owned());
        let project = self.garden.project_of_namespace(namespace);
        let Some(project) = self.confirm(project, question)? else {
            return Ok(None);
        };
        let elements = entries(&project.metadata) + project.spec.members.len();
        let value = self.converted((&project, &project), elements, || of_project(&project));
        value.map(Some)
    }

    /// Returns the profile that the object references.
    fn profile(&self) -> Option<ProfileKey> {
        let spec = self.object?.field("spec")?;
        let reference = spec
            .field("cloudProfile")
            .filter(|it| matches!(it, garden_gate_cel::Value::Map(_)))
            .map(|it| CloudProfileReference {
                kind: text(it, "kind").to_owned(),
                name: text(it, "name").to_owned(),
            });
        let old_name = text(spec, "cloudProfileName");
        ProfileKey::effective(reference.as_ref(), old_name, &self.request.namespace)
    }

    fn cloud_profile(&self) -> FoundValue {
        let Some(key) = self.profile() else {
            return Ok(None);
        };
        if key.kind == ProfileKind::Namespaced {
            return self.namespaced_profile(&key);
        }
        let Some(profile) = self.get::<CloudProfile>(&*key.name)? else {
            return Ok(None);
        };
        let CloudProfile { metadata, spec, .. } = &*profile;
        let elements = entries(metadata) + spec.elements();
        let convert = || of_profile(metadata, spec);
        self.converted((&profile, &profile), elements, convert).map(Some)
    }

    fn namespaced_profile(&self, key: &ProfileKey) -> FoundValue {
        let name = (&*key.namespace, &*key.name);
        let Some(profile) = self.get::<NamespacedCloudProfile>(name)? else {
            return Ok(None);
        };
        let metadata = &profile.metadata;
        let merged = &profile.status.cloud_profile_spec;
        if *merged != CloudProfileSpec::default() {
            let elements = entries(metadata) + merged.elements();
            let convert = || of_profile(metadata, merged);
            let value = self.converted((&profile, &profile), elements, convert);
            return value.map(Some);
        }
        let parent = self.get::<CloudProfile>(&profile.spec.parent.name)?;
        let parent = parent.ok_or_else(|| "its parent does not exist".to_owned())?;
        let merged = if self.is_quick {
            self.garden.cached_merged_profile(&profile, &parent)
        } else {
            Some(self.garden.merged_profile(&profile, &parent))
        };
        let merged = merged.ok_or(LookupError::TooSlow)?;
        let elements = entries(metadata) + merged.elements();
        let convert = || of_profile(metadata, &merged);
        self.converted((&profile, &merged), elements, convert).map(Some)
    }

    fn seed(&self) -> FoundValue {
        let spec = self.object.and_then(|it| it.field("spec"));
        let name = spec.map_or("", |it| text(it, "seedName"));
        if name.is_empty() {
            return Ok(None);
        }
        let Some(seed) = self.get::<Seed>(name)? else {
            return Ok(None);
        };
        let spec = &seed.spec;
        let elements = entries(&seed.metadata) + spec.taints.len() + spec.provider.zones.len();
        let value = self.converted((&seed, &seed), elements, || of_seed(&seed));
        value.map(Some)
    }

    /// Returns the Shoots of a namespace, or all, by name.
    fn shoots(&self, namespace: Option<&str>) -> Result<garden_gate_cel::Value, LookupError> {
        let shoots = self.garden.shoots()?;
        match self.garden.derived::<ConvertedObjects>() {
            Some(cache) => Ok(cache.shoots.list(shoots, namespace, self.is_quick)?),
            None => Err("it is not available".to_owned().into()),
        }
    }
}

/// The result of a lookup; `None` if the object does not exist.
type FoundValue = Result<Option<garden_gate_cel::Value>, LookupError>;

/// The reason why a lookup has no result.
#[derive(Clone, Debug)]
enum LookupError {
    /// It is not known, for this reason.
    Unknown(String),
    /// It takes too long for a quick evaluation.
    TooSlow,
    Evaluation(EvaluationError),
}

impl LookupError {
    fn of(self, name: &str) -> EvaluationError {
        match self {
            Self::Unknown(why) => {
                let name = name.split(' ').next().unwrap_or_default();
                EvaluationError::Undetermined(format!("`garden.{name}` is not known: {why}"))
            }
            Self::TooSlow => EvaluationError::Exceeded(ExceededLimit::Work),
            Self::Evaluation(error) => error,
        }
    }
}

impl From<String> for LookupError {
    fn from(why: String) -> Self {
        Self::Unknown(why)
    }
}

impl From<EvaluationError> for LookupError {
    fn from(error: EvaluationError) -> Self {
        Self::Evaluation(error)
    }
}

impl Lookups for GardenLookups<'_> {
    fn field(&self, name: &str) -> Result<garden_gate_cel::Value, EvaluationError> {
        self.once(name.to_owned(), || self.look_up(name))
    }

    fn call(
        &self,
        name: &str,
        arguments: &[garden_gate_cel::Value],
    ) -> Result<garden_gate_cel::Value, EvaluationError> {
        let namespace = match (name, arguments) {
            ("shoots", []) => None,
            ("shoots", [namespace]) => match namespace.as_str() {
                Some(namespace) => Some(namespace),
                None => return Err(no_such_overload()),
            },
            _ => return Err(no_such_overload()),
        };
        if namespace.is_some_and(|it| it.len() > LONGEST_NAMESPACE) {
            // There is no such Namespace.
            return Ok(garden_gate_cel::Value::list(Vec::new()));
        }
        let key = namespace.map_or_else(|| name.to_owned(), |it| format!("{name} {it}"));
        self.once(key, || self.shoots(namespace))
    }
}

/// Returns the text of a field; empty without one.
fn text<'a>(object: &'a garden_gate_cel::Value, field: &str) -> &'a str {
    let text = object.field(field).and_then(garden_gate_cel::Value::as_str);
    text.unwrap_or_default()
}

fn no_such_overload() -> EvaluationError {
    EvaluationError::Failed("no such overload".to_owned())
}

/// Returns the number of labels and annotations.
fn entries(metadata: &ObjectMeta) -> usize {
    metadata.labels.len() + metadata.annotations.len()
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
    let taints = spec.taints.iter().map(|it| json!({"key": it.key, "value": it.value}));
    json!({
        "metadata": metadata(&seed.metadata),
        "spec": {"provider": provider, "taints": taints.collect::<Value>()},
    })
}
