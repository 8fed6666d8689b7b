// SPDX-License-Identifier: Apache-2.0
//! The garden of a review in a live cluster.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use super::versions;
use crate::garden::live::{ListedGarden, Needs};
use crate::review::cluster::Live;
use garden_gate_core::admission::{EntryPoint, Kind, Operation, kinds_read};
use garden_gate_core::config::Config;
use garden_gate_core::garden::texts::ShootFilter;
use garden_gate_core::garden::{ADMISSION_POLICIES, ObjectKey, Snapshot, WEBHOOK_CONFIGURATIONS};
use garden_gate_core::rules;
use garden_gate_products::review::{Subject, change};

/// Maximum number of objects of a kind that are read one by one; above it, the kind is listed.
const FEW: usize = 10;

/// The objects that a cluster returned for a review.
pub(crate) struct ClusterState {
    pub(crate) snapshot: Snapshot,
    /// The existing objects under review, unfiltered.
    pub(crate) stored: HashMap<ObjectKey, Value>,
    /// Objects whose existence is unknown, with the reasons.
    pub(crate) unknown: BTreeMap<ObjectKey, String>,
}

impl ClusterState {
    /// Takes the Shoots that were kept for a forecast, except those under review.
    pub(crate) fn take_shoots(&mut self, subjects: &[Subject]) -> HashMap<ObjectKey, Value> {
        let own: BTreeSet<ObjectKey> = subjects.iter().filter_map(Subject::key).collect();
        let is_other = |key: &ObjectKey| key.kind == Kind::Shoot && !own.contains(key);
        self.stored.extract_if(|key, _| is_other(key)).collect()
    }
}

/// Options for reading a cluster.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    pub(crate) config: &'a Config,
    /// The paths of files to which newer versions are written back, if requested.
    pub(crate) writes_versions: Option<&'a [PathBuf]>,
    /// The Shoots to keep for a forecast, if requested.
    pub(crate) shoots: Option<&'a Arc<ShootFilter>>,
}

/// Lists the objects that enabled rules look up, and applies manifests to existing objects.
///
/// # Errors
/// Fails if the API server does not answer or rejects the credentials, or an object cannot be serialized as JSON.
pub(crate) fn look(
    live: &Live,
    subjects: &mut [Subject],
    look: Look<'_>,
) -> anyhow::Result<ClusterState> {
    let ListedGarden { snapshot, kept, unknown } = live.list(&needs(subjects, look))?;
    let name = live.name();
    change::apply(subjects, &kept, &name)?;
    if let Some(paths) = look.writes_versions {
        versions::write_back(subjects, paths, |again| change::apply(again, &kept, &name))?;
    }
    // An old state from elsewhere is better than none.
    for subject in subjects.iter_mut().filter(|it| it.is_new()) {
        let key = subject.key();
        if let Some((key, why)) = key.and_then(|key| unknown.get_key_value(&key)) {
            subject.fails(format!("whether there is {key} already is not known: {why}"));
        }
    }
    Ok(ClusterState { snapshot, stored: kept, unknown })
}

fn needs(subjects: &[Subject], look: Look<'_>) -> Needs {
    let mut requests: BTreeSet<(Kind, Operation)> = subjects.iter().flat_map(requests).collect();
    // A forecast judges the updates of Shoots.
    requests.extend(look.shoots.map(|_| (Kind::Shoot, Operation::Update)));
    let mut kinds = kinds_read(rules::ALL, EntryPoint::Review, look.config, &requests);
    let keys = || subjects.iter().filter_map(Subject::key);
    let mut wanted: BTreeSet<ObjectKey> = keys().collect();
    let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
    for key in &wanted {
        *counts.entry(key.kind).or_default() += 1;
    }
    let many = counts.into_iter().filter(|(_, count)| *count > FEW);
    kinds.extend(many.map(|(kind, _)| kind));
    kinds.retain(|kind| !kind.is_outside_garden());
    if wanted.iter().any(|key| !key.kind.is_outside_garden()) {
        // They are reported if they match an object.
        kinds.extend(ADMISSION_POLICIES);
        kinds.extend(WEBHOOK_CONFIGURATIONS);
        wanted.insert(ObjectKey::gardener_info());
    }
    Needs {
        names: subjects.iter().flat_map(names).collect(),
        kinds,
        wanted,
        whole: BTreeSet::new(),
        shoots: look.shoots.map(Arc::clone),
        config_maps: subjects.iter().flat_map(config_maps).collect(),
        namespaces: namespaces(subjects),
    }
}

/// Returns the namespaces of manifests; empty for cluster-scoped objects.
pub(crate) fn namespaces(subjects: &[Subject]) -> BTreeSet<String> {
    let keys = subjects.iter().filter_map(Subject::key);
    keys.map(|key| key.namespace).collect()
}

/// Returns the objects that a manifest refers to, for which only the existence matters.
fn names(subject: &Subject) -> Vec<ObjectKey> {
    let (Some(key), Some(new)) = (subject.key(), subject.new_state()) else {
        return Vec::new();
    };
    rules::named_in(key.kind, &key.namespace, new.get())
}

/// Returns the ConfigMaps with configurations of the API server of a Shoot.
fn config_maps(subject: &Subject) -> Vec<ObjectKey> {
    let (Some(key), Some(new)) = (subject.key(), subject.new_state()) else {
        return Vec::new();
    };
    rules::config_maps_of(key.kind, &key.namespace, new.get())
}

/// Returns the possible requests for an object.
///
/// Whether an object is new is not known yet.
fn requests(subject: &Subject) -> Vec<(Kind, Operation)> {
    if let Some(ObjectKey { kind, .. }) = subject.key() {
        return if subject.exists_after() {
            vec![(kind, Operation::Create), (kind, Operation::Update)]
        } else {
            vec![(kind, Operation::Delete)]
        };
    }
    subject.asks_for().into_iter().collect()
}
