// SPDX-License-Identifier: Apache-2.0
//! Parameters of the policies of a garden, from its directory and from a change.

use std::collections::{BTreeMap, BTreeSet};

use super::subject::Subject;
use garden_gate_core::garden::texts::RawObjects;
use garden_gate_core::garden::{FurtherObjects, Parameters, RawObject, Snapshot};
use garden_gate_model::api::{Kind, ParamKind, Retrieval, group_and_version};
use garden_gate_text::json::Json;

/// Maximum size of all objects of a change that are kept, in bytes of their JSON.
const MOST: usize = 16 << 20;

/// The reason why Secrets are no parameters.
pub const CREDENTIALS: &str =
    "objects with credentials are not read, since messages of policies could contain them";

/// Objects of a change that policies may use as parameters.
#[derive(Clone, Debug, Default)]
pub struct ChangedParameters {
    objects: Vec<RawObject>,
    bytes: usize,
    /// Whether objects were left out.
    is_cut: bool,
}

impl ChangedParameters {
    /// Adds the objects of a file.
    pub fn add(&mut self, objects: Vec<RawObject>) {
        for object in objects {
            self.bytes += object.size();
            if self.bytes <= MOST { self.objects.push(object) } else { self.is_cut = true }
        }
    }

    /// Sets the namespace of ConfigMaps without one.
    pub fn set_namespace(&mut self, namespace: &str) {
        let is_without = |it: &&mut RawObject| {
            it.kind.kind == Kind::ConfigMap.as_str() && it.namespace.is_empty()
        };
        for object in self.objects.iter_mut().filter(is_without) {
            namespace.clone_into(&mut object.namespace);
        }
    }

    /// Returns the objects of some kinds, also those under review; none with credentials.
    pub fn of_kinds(&self, kinds: &BTreeSet<ParamKind>, subjects: &[Subject]) -> Vec<RawObject> {
        let kinds = kinds.iter().filter(|it| !holds_credentials(it));
        let names: BTreeSet<&str> = kinds.map(|it| it.kind.as_str()).collect();
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
    pub fn further(&self, of_garden: FurtherObjects) -> FurtherObjects {
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
/// The directory has a name, and is complete if that is `true`: missing objects do not exist. `read` returns the objects of some
/// kinds in it.
pub fn from_directory(
    garden: Snapshot,
    directory: Option<(&str, bool)>,
    (changed, subjects): (&ChangedParameters, &[Subject]),
    read: impl FnOnce(&BTreeSet<ParamKind>) -> RawObjects,
) -> Snapshot {
    let kinds = garden.param_kinds();
    if kinds.is_empty() {
        return garden;
    }
    let readable = kinds.iter().filter(|it| !holds_credentials(it));
    let readable: BTreeSet<ParamKind> = readable.cloned().collect();
    let stored = directory.map(|_| read(&readable)).unwrap_or_default();
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
    directory: Option<(&str, bool)>,
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
            "it is not in `{directory}`; add it, or use --whole-garden if it does not exist"
        )),
        _ => FurtherObjects::None,
    }
}

/// Returns the known kind of a parameter, in the version that garden-gate reads.
pub fn known(kind: &ParamKind) -> Option<Kind> {
    let (group, version) = group_and_version(&kind.api_version);
    let known = Kind::of_manifest(group, &kind.kind)?;
    (known.api().1 == version).then_some(known)
}

/// Reports whether parameters of a kind contain credentials, in any version.
pub fn holds_credentials(kind: &ParamKind) -> bool {
    let (group, _) = group_and_version(&kind.api_version);
    Kind::of_manifest(group, &kind.kind).is_some_and(Kind::holds_credentials)
}
