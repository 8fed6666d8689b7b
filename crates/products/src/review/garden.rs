// SPDX-License-Identifier: Apache-2.0
//! The garden of a review, from the texts of its manifests.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use garden_gate_core::garden::texts::{
    self, FileContent, FileIndex, Item, LoadedGarden, Problem, RawObjects, Wanted,
};
use garden_gate_core::garden::{Knowledge, ObjectKey, Snapshot};
use garden_gate_model::api::ParamKind;

/// A garden for the review of manifests.
#[derive(Debug)]
pub struct Garden {
    pub(super) name: String,
    pub(super) is_whole: bool,
    pub(super) snapshot: Snapshot,
    /// The texts by their names; empty if nothing is known.
    files: BTreeMap<PathBuf, String>,
    index: FileIndex,
    problems: Vec<Problem>,
    /// The location of the ConfigMap with the version of Gardener.
    pub(super) version_at: String,
}

impl Garden {
    /// Returns a garden of which nothing is known: rules that look up objects are undetermined.
    pub fn unknown() -> Self {
        Self {
            name: String::new(),
            is_whole: false,
            snapshot: Snapshot::new(Knowledge::Nothing),
            files: BTreeMap::new(),
            index: FileIndex::default(),
            problems: Vec::new(),
            version_at: ObjectKey::gardener_info().to_string(),
        }
    }

    /// Returns the garden that manifests describe, such as those of `garden-gate dump`; each text has the name of its file.
    ///
    /// `name` is the origin of the texts, for messages. If `is_whole`, objects that the texts lack do not exist. Otherwise that
    /// holds for the kinds of which the texts evidently have all objects.
    pub fn new<N: Into<PathBuf>, T: Into<String>>(
        name: &str,
        texts: impl IntoIterator<Item = (N, T)>,
        is_whole: bool,
    ) -> Self {
        let texts = texts.into_iter();
        let files = texts.map(|(name, text)| (name.into(), text.into()));
        let files: BTreeMap<PathBuf, String> = files.collect();
        let wanted = Wanted { config_map_data: true, ..Wanted::default() };
        let mut index = FileIndex::of_texts(&files, &wanted);
        let loaded = LoadedGarden::of(name.as_ref(), is_whole, &mut index);
        Self {
            name: name.to_owned(),
            is_whole,
            version_at: loaded.place_of_gardener_info(),
            snapshot: loaded.snapshot,
            files,
            index,
            problems: loaded.problems,
        }
    }

    /// Returns the snapshot of the garden.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Returns the parts of the texts that cannot be read, and may belong to the garden: objects there are unknown.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Reports whether there are texts, so that missing objects mean something.
    pub(super) fn is_known(&self) -> bool {
        self.snapshot.knowledge() != Knowledge::Nothing
    }

    /// Returns objects as in the texts, except those that are not known.
    pub(super) fn stored(
        &self,
        keys: impl IntoIterator<Item = ObjectKey>,
    ) -> HashMap<ObjectKey, Value> {
        let mut wanted: BTreeMap<PathBuf, HashSet<ObjectKey>> = BTreeMap::new();
        for key in keys {
            if let Some((file, _)) = self.index.position_of(&key)
                && self.snapshot.why_unreadable(&key).is_none()
            {
                wanted.entry(file).or_default().insert(key);
            }
        }
        let mut stored = HashMap::new();
        for (file, objects) in wanted {
            let wanted = Wanted { objects, ..Wanted::default() };
            self.keep(&file, &wanted, &mut stored);
        }
        stored
    }

    /// Returns all objects that are wanted, as in the texts.
    pub fn kept(&self, wanted: &Wanted) -> HashMap<ObjectKey, Value> {
        let mut kept = HashMap::new();
        self.files.keys().for_each(|file| self.keep(file, wanted, &mut kept));
        kept
    }

    /// Adds the objects of a file that are wanted.
    fn keep(&self, file: &Path, wanted: &Wanted, kept: &mut HashMap<ObjectKey, Value>) {
        let Some(text) = self.files.get(file) else { return };
        for item in FileContent::of(file, text, wanted).items {
            if let Item::Object(object) = item
                && let Some(whole) = object.whole
            {
                kept.entry(object.key).or_insert(whole);
            }
        }
    }

    /// Returns the objects of some kinds, which may be parameters of policies.
    pub(super) fn raw_objects(&self, kinds: &BTreeSet<ParamKind>) -> RawObjects {
        let mut found = RawObjects::default();
        for (file, text) in &self.files {
            let read = texts::raw_objects(text, kinds);
            found.add(read.map_err(|error| {
                format!("`{}` cannot be read: {}", file.display(), error.message)
            }));
            if found.is_full(&self.name) {
                break;
            }
        }
        found
    }
}
