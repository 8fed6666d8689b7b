// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::file_index::FileIndex;
use super::problem::Problem;
use super::wanted::Reading;
use crate::garden::{ObjectKey, Snapshot};
use garden_gate_model::api::Kind;
use garden_gate_text::yaml::Position;

/// What [`load`] found.
#[derive(Debug)]
pub struct LoadedGarden {
    /// The garden.
    ///
    /// Missing objects are treated as nonexistent unless their kind is marked as incomplete.
    pub snapshot: Snapshot,
    /// The number of skipped objects of other kinds, by kind.
    pub skipped: BTreeMap<String, usize>,
    /// The number of skipped documents that are not objects.
    pub others: usize,
    /// Skipped files that are not YAML and cannot contain an object of a garden, such as templates.
    pub no_manifests: Vec<Problem>,
    /// Unreadable parts that may belong to the garden, in the order of the files.
    pub problems: Vec<Problem>,
    /// Kinds that are evidently missing from the directory, so that nothing is known about their objects.
    pub lacking: Vec<Kind>,
    /// The number of files that were read.
    /// Zero may mean a wrong path.
    pub files: usize,
    /// The objects that were requested as a whole.
    pub kept: HashMap<ObjectKey, Value>,
    /// The file with the ConfigMap `gardener-info`, and its position.
    pub gardener_info: Option<(PathBuf, Position)>,
}

impl LoadedGarden {
    /// Returns the garden of files, with incomplete kinds marked.
    ///
    /// `name` is that of their directory. If `is_whole`, it has all objects of every kind.
    pub fn of(name: &Path, is_whole: bool, index: &mut FileIndex) -> Self {
        let problems: Vec<_> = index.problems().cloned().collect();
        let lacking: Vec<Kind> = index.conclude(name, is_whole);
        let mut garden = Self {
            snapshot: index.snapshot().clone(),
            skipped: BTreeMap::new(),
            others: 0,
            no_manifests: Vec::new(),
            problems,
            lacking,
            files: index.len(),
            kept: index.take_kept(),
            gardener_info: index.position_of(&ObjectKey::gardener_info()),
        };
        for remarks in index.remarks() {
            garden.others += remarks.others;
            garden.no_manifests.extend(remarks.no_manifests.clone());
            for (kind, count) in &remarks.skipped {
                *garden.skipped.entry(kind.clone()).or_default() += count;
            }
        }
        garden
    }

    /// Returns the location of the ConfigMap `gardener-info`, for messages.
    pub fn place_of_gardener_info(&self) -> String {
        match &self.gardener_info {
            Some((file, position)) => format!("{}:{position}", file.display()),
            None => ObjectKey::gardener_info().to_string(),
        }
    }
}

/// Returns the garden that texts of manifests describe, each with the name of its file.
///
/// `name` is that of the directory or other place of the files, for messages. The memory limit is about 2 GiB; the content of
/// further files is unknown.
pub fn load(
    name: &Path,
    texts: impl IntoIterator<Item = (impl AsRef<Path>, impl AsRef<str>)>,
    reading: &Reading,
) -> LoadedGarden {
    let mut index = FileIndex::of_texts(texts, &reading.wanted);
    LoadedGarden::of(name, reading.is_whole, &mut index)
}
