// SPDX-License-Identifier: Apache-2.0
//! Parameters of the policies of a garden, from its directory or cluster.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::cluster::Live;
use crate::garden::directory::{RawObjects, raw_objects};
use crate::garden::live::{ListedGarden, Needs};
use garden_gate_core::garden::{FurtherObjects, ObjectKey, Parameters, RawObject, Snapshot, read};
use garden_gate_model::api::{AdmissionPolicy, GardenObject, Kind, MatchResources, ParamKind};
use garden_gate_products::review::Subject;
use garden_gate_products::review::parameters::{
    self, CREDENTIALS, ChangedParameters, holds_credentials, known,
};

/// Maximum number of namespaces for which the same parameter is requested from a cluster.
const MOST_NAMESPACES: usize = 50;

/// Returns a garden with the parameters of its policies, from its directory and a change.
///
/// If `is_whole`, missing objects do not exist.
pub(crate) fn from_directory(
    garden: Snapshot,
    directory: Option<(&Path, bool)>,
    changed: (&ChangedParameters, &[Subject]),
) -> Snapshot {
    let name = directory.map(|(path, is_whole)| (path.display().to_string(), is_whole));
    let name = name.as_ref().map(|(name, is_whole)| (&**name, *is_whole));
    parameters::from_directory(garden, name, changed, |kinds| match directory {
        Some((path, _)) => raw_objects(path, kinds),
        None => RawObjects::default(),
    })
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
    if !garden.has_admission_policies() {
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
    let mut wanted = BTreeSet::new();
    for (kind, reference) in garden.param_refs().filter(|(_, it)| !it.name.is_empty()) {
        let Some(kind) = known(kind).filter(|it| !it.holds_credentials()) else {
            continue;
        };
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
    // Conditions see no Namespace, and mutations are not evaluated.
    let mut mutating = garden.mutating_policies().map(|it| it.spec.match_constraints.as_ref());
    let bindings = garden.admission_policy_bindings().unwrap_or_default();
    let mutating_bindings = garden.mutating_policy_bindings().unwrap_or_default();
    let bindings = bindings.iter().map(|it| &it.spec);
    let mut bindings = bindings.chain(mutating_bindings.iter().map(|it| &it.spec));
    garden.admission_policies().any(|it| uses(it))
        || mutating.any(selects)
        || bindings.any(|it| selects(it.match_resources.as_ref()))
}
