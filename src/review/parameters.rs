//! Parameters of the policies of a garden, from its directory or cluster, and from a change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::cluster::Live;
use super::subject::Subject;
use crate::garden::directory::{RawObjects, raw_objects};
use crate::garden::live::{ListedGarden, Needs};
use garden_gate_core::garden::{FurtherObjects, ObjectKey, Parameters, RawObject, Snapshot, read};
use garden_gate_model::api::{
    AdmissionPolicy, AdmissionPolicyBinding, GardenObject, Kind, MatchResources, ParamKind,
    Retrieval, group_and_version,
};
use garden_gate_text::json::Json;

/// Maximum size of all objects of a change that are kept, in bytes of their JSON.
const MOST: usize = 16 << 20;
/// Maximum number of namespaces for which the same parameter is requested from a cluster.
const MOST_NAMESPACES: usize = 50;

/// The reason why Secrets are no parameters.
const CREDENTIALS: &str =
    "objects with credentials are not read, since messages of policies could contain them";

/// Objects of a change that policies may use as parameters.
#[derive(Clone, Default)]
pub(crate) struct ChangedParameters {
    objects: Vec<RawObject>,
    bytes: usize,
    /// Whether objects were left out.
    is_cut: bool,
}

impl ChangedParameters {
    /// Adds the objects of a file.
    pub(crate) fn add(&mut self, objects: Vec<RawObject>) {
        for object in objects {
            self.bytes += object.size();
            if self.bytes <= MOST { self.objects.push(object) } else { self.is_cut = true }
        }
    }

    /// Sets the namespace of ConfigMaps without one.
    pub(crate) fn set_namespace(&mut self, namespace: &str) {
        let is_without = |it: &&mut RawObject| {
            it.kind.kind == Kind::ConfigMap.as_str() && it.namespace.is_empty()
        };
        for object in self.objects.iter_mut().filter(is_without) {
            namespace.clone_into(&mut object.namespace);
        }
    }

    /// Returns the objects of some kinds, also those under review.
    fn of_kinds(&self, kinds: &BTreeSet<ParamKind>, subjects: &[Subject]) -> Vec<RawObject> {
        let names: BTreeSet<&str> = kinds.iter().map(|it| it.kind.as_str()).collect();
        let is_wanted = |it: &RawObject| names.contains(it.kind.kind.as_str());
        let judged = subjects
            .iter()
            .filter(|subject| {
                let key = subject.key();
                key.is_some_and(|key| names.contains(key.kind.as_str()))
            })
            .filter_map(|subject| {
                let state = subject.new_state()?;
                RawObject::of(Json::text(state.get()).to_value())
            });
        let others = self.objects.iter().filter(|it| is_wanted(it)).cloned();
        others.chain(judged).collect()
    }

    /// Returns whether the change may have further objects, given whether the garden has.
    fn further(&self, of_garden: FurtherObjects) -> FurtherObjects {
        if self.is_cut {
            FurtherObjects::Possible(format!(
                "the change has more than {} MiB of possible parameters",
                MOST >> 20
            ))
        } else {
            of_garden
        }
    }
}

/// Returns a garden with the parameters of its policies, from its directory and a change.
///
/// If `is_whole`, missing objects do not exist.
pub(crate) fn from_directory(
    garden: Snapshot,
    directory: Option<(&Path, bool)>,
    (changed, subjects): (&ChangedParameters, &[Subject]),
) -> Snapshot {
    let kinds = garden.param_kinds();
    if kinds.is_empty() {
        return garden;
    }
    let readable = kinds.iter().filter(|it| !holds_credentials(it));
    let readable: BTreeSet<ParamKind> = readable.cloned().collect();
    let stored =
        directory.map(|(directory, _)| raw_objects(directory, &readable)).unwrap_or_default();
    let of_change = changed.of_kinds(&kinds, subjects);
    let parameters = kinds.into_iter().map(|kind| {
        let further = changed.further(in_directory(&kind, directory, &stored, &garden));
        let objects = stored.objects.iter().chain(&of_change);
        let parameters = Parameters::of_kind(&kind, objects, further);
        (kind, parameters)
    });
    let parameters: BTreeMap<ParamKind, Parameters> = parameters.collect();
    garden.with_parameters(parameters)
}

/// Returns whether there are further objects of a kind than those in a directory.
fn in_directory(
    kind: &ParamKind,
    directory: Option<(&Path, bool)>,
    stored: &RawObjects,
    garden: &Snapshot,
) -> FurtherObjects {
    if holds_credentials(kind) {
        return FurtherObjects::Possible(CREDENTIALS.to_owned());
    }
    let known = known(kind);
    let Some((directory, is_whole)) = directory else {
        return FurtherObjects::Omitted;
    };
    if let Some(gap) = &stored.gap {
        return FurtherObjects::Possible(gap.clone());
    }
    if is_whole {
        return FurtherObjects::None;
    }
    if !stored.objects.iter().any(|it| it.kind == *kind) {
        return FurtherObjects::Omitted;
    }
    if let Some(gap) = known.and_then(|it| garden.gap(it)) {
        return FurtherObjects::Possible(gap.to_owned());
    }
    // A dump has only those that rules read.
    match known.map(Kind::known) {
        Some(Retrieval::Labelled { .. }) => FurtherObjects::Possible(format!(
            "it is not in `{}`; add it, or use --whole-garden if it does not exist",
            directory.display()
        )),
        _ => FurtherObjects::None,
    }
}

/// Returns a garden with the parameters of its policies and the Namespaces that they need, from its cluster and a change.
///
/// Only parameters with names are requested.
///
/// # Errors
/// Fails if the API server does not answer, or rejects the credentials.
pub(crate) fn from_cluster(
    mut garden: Snapshot,
    (live, namespaces): (&Live, &BTreeSet<String>),
    (changed, subjects): (&ChangedParameters, &[Subject]),
) -> anyhow::Result<Snapshot> {
    if garden.admission_policies().next().is_none() {
        return Ok(garden);
    }
    let kinds = garden.param_kinds();
    let mut wanted = wanted(&garden, namespaces);
    if needs_namespaces(&garden) {
        let names = namespaces.iter().filter(|it| !it.is_empty()).take(MOST_NAMESPACES);
        wanted.extend(names.map(|it| ObjectKey::named(Kind::Namespace, it)));
    }
    if wanted.is_empty() && kinds.is_empty() {
        return Ok(garden);
    }
    let ListedGarden { kept, unknown, .. } =
        live.list(&Needs { wanted: wanted.clone(), ..Needs::default() })?;
    let stored = wanted.iter().filter_map(|key| kept.get(key));
    let stored: Vec<RawObject> = stored.cloned().filter_map(RawObject::of).collect();
    for namespace in stored.iter().filter(|it| it.kind.kind == "Namespace") {
        let object = read(Kind::Namespace, namespace.value.to_string().as_str());
        if let Ok(Some(object @ GardenObject::Namespace(_))) = object {
            garden.apply(object);
        }
    }
    let of_change = changed.of_kinds(&kinds, subjects);
    let parameters = kinds.into_iter().map(|kind| {
        let why = if holds_credentials(&kind) {
            CREDENTIALS
        } else {
            "only parameters with names, of known kinds, are requested from a cluster"
        };
        let further = changed.further(FurtherObjects::Possible(why.to_owned()));
        let objects = stored.iter().chain(&of_change);
        let mut parameters = Parameters::of_kind(&kind, objects, further);
        let of_kind = wanted.iter().filter(|key| known(&kind) == Some(key.kind));
        for key in of_kind.filter(|key| !unknown.contains_key(key)) {
            parameters.add_absent(&key.namespace, &key.name);
        }
        (kind, parameters)
    });
    let parameters: BTreeMap<ParamKind, Parameters> = parameters.collect();
    Ok(garden.with_parameters(parameters))
}

/// Returns the parameters that bindings name, in the namespaces of requests.
pub(crate) fn wanted(garden: &Snapshot, namespaces: &BTreeSet<String>) -> BTreeSet<ObjectKey> {
    let bindings = garden.admission_policy_bindings().unwrap_or_default();
    let mut wanted = BTreeSet::new();
    for policy in garden.admission_policies() {
        let kind = policy.spec.param_kind.as_ref().and_then(known);
        let Some(kind) = kind.filter(|it| !it.holds_credentials()) else {
            continue;
        };
        let bindings =
            bindings.iter().map(|it| &it.spec).filter(|it| it.policy_name == policy.metadata.name);
        let references = bindings.filter_map(|it| it.param_ref.as_ref());
        for reference in references.filter(|it| !it.name.is_empty()) {
            let own = reference.namespace.as_str();
            match (kind.is_namespaced(), own) {
                (false, _) => {
                    wanted.insert(ObjectKey::named(kind, &reference.name));
                }
                (true, "") => {
                    let namespaces = namespaces.iter().filter(|it| !it.is_empty());
                    let keys = namespaces.take(MOST_NAMESPACES);
                    wanted.extend(keys.map(|it| ObjectKey::new(kind, it, &reference.name)));
                }
                (true, own) => {
                    wanted.insert(ObjectKey::new(kind, own, &reference.name));
                }
            }
        }
    }
    wanted
}

/// Reports whether a policy or a binding uses labels or other fields of Namespaces.
fn needs_namespaces(garden: &Snapshot) -> bool {
    const VARIABLE: &str = "namespaceObject";
    let selects = |resources: Option<&MatchResources>| {
        let selector = resources.and_then(|it| it.namespace_selector.as_ref());
        selector.is_some_and(|it| !it.match_labels.is_empty() || it.expressions().next().is_some())
    };
    let uses = |policy: &AdmissionPolicy| {
        let spec = &policy.spec;
        let variables = spec.variables.iter().map(|it| &it.expression);
        let mut validations = spec.validations.iter();
        selects(spec.match_constraints.as_ref())
            || variables
                .chain(spec.match_conditions.iter().map(|it| &it.expression))
                .any(|it| it.contains(VARIABLE))
            || validations.any(|it| {
                it.expression.contains(VARIABLE) || it.message_expression.contains(VARIABLE)
            })
    };
    let selects_more =
        |binding: &AdmissionPolicyBinding| selects(binding.spec.match_resources.as_ref());
    let bindings = garden.admission_policy_bindings().unwrap_or_default();
    garden.admission_policies().any(|it| uses(it)) || bindings.iter().any(|it| selects_more(it))
}

/// Returns the known kind of a parameter, in the version that garden-gate reads.
fn known(kind: &ParamKind) -> Option<Kind> {
    let (group, version) = group_and_version(&kind.api_version);
    let known = Kind::of_manifest(group, &kind.kind)?;
    (known.api().1 == version).then_some(known)
}

/// Reports whether parameters of a kind contain credentials, in any version.
fn holds_credentials(kind: &ParamKind) -> bool {
    let (group, _) = group_and_version(&kind.api_version);
    Kind::of_manifest(group, &kind.kind).is_some_and(Kind::holds_credentials)
}
