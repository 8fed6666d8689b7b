// SPDX-License-Identifier: Apache-2.0
//! Ownership of objects by file, for incremental reload of a garden directory.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use imbl::OrdMap;
use serde_json::Value;

use super::file_content::{FileContent, FileEnding, FileProblems, Item, Object, is_named};
use super::kind_hints::kept;
use super::missing_kinds;
use super::problem::{FilePosition, Problem};
use super::removals::{Baseline, Removal, Removals, Settled};
use super::state::FileState;
use super::wanted::Wanted;
use crate::garden::{FileNames, GardenObject, Knowledge, Named, ObjectKey, Snapshot};
use garden_gate_model::api::Kind;
use garden_gate_text::yaml::Position;

/// Memory limit for a garden directory: about 2 GiB, enough for about two million Shoots.
const MOST: usize = 2 << 30;

/// The files of a garden directory and the resulting snapshot.
///
/// Clones share their data; replacing a file costs O(log n).
#[derive(Clone, Debug)]
pub struct FileIndex {
    snapshot: Snapshot,
    files: OrdMap<Arc<Path>, Arc<Record>>,
    claims: imbl::HashMap<Arc<ObjectKey>, Claim>,
    /// Notes about files and non-regular entries; only paths that have any.
    remarks: OrdMap<Arc<Path>, Arc<FileProblems>>,
    /// The number of files that contain objects.
    sources: usize,
    /// The estimated memory and its limit, in bytes.
    weight: usize,
    most: usize,
    /// Whether files were skipped because of the memory limit.
    is_full: bool,
    /// Directory entries that are not regular files.
    asides: Vec<NonRegularEntry>,
    /// Objects that are kept as a whole.
    kept: HashMap<ObjectKey, Value>,
    /// Objects that vanished from files but still exist.
    removals: Removals,
}

/// The record of one file.
#[derive(Debug)]
struct Record {
    seen: FileState,
    keys: Box<[Arc<ObjectKey>]>,
    is_source: bool,
    weight: usize,
    ending: FileEnding,
}

/// The first position of an object, and its digest to detect other variants.
#[derive(Clone, Debug)]
struct Claim {
    file: Arc<Path>,
    position: Position,
    hash: u64,
    /// The other files that contain the object.
    others: Vec<Arc<Path>>,
}

/// A directory entry that is not a regular file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NonRegularEntry {
    /// The problem with the entry.
    pub problem: Problem,
    /// Whether it may hide any object.
    pub is_closed: bool,
}

/// Changed files with their new state and content; `None` for deleted files.
pub type Changes = BTreeMap<Arc<Path>, Option<(FileState, FileContent)>>;

/// Objects by key: the former file, the digest, and the [`Named`] if only the name was kept.
pub type VanishedObjects = BTreeMap<Arc<ObjectKey>, (Arc<Path>, u64, Option<Named>)>;

impl Default for FileIndex {
    fn default() -> Self {
        Self::of_at_most(MOST)
    }
}

impl FileIndex {
    /// Returns an empty index that delays removals until a file has been unchanged for `delay`.
    pub fn with_delay(delay: Duration) -> Self {
        Self { removals: Removals::after(delay), ..Self::default() }
    }

    /// Returns the index of texts, each with the name of its file.
    ///
    /// Objects in `wanted` are kept as a whole.
    pub fn of_texts(
        texts: impl IntoIterator<Item = (impl AsRef<Path>, impl AsRef<str>)>,
        wanted: &Wanted,
    ) -> Self {
        let mut index = Self::default();
        for (file, text) in texts {
            let content = FileContent::of(file.as_ref(), text.as_ref(), wanted);
            index.add(file.as_ref().into(), FileState::UNWATCHED, content);
        }
        index
    }

    /// Returns an empty index with a memory limit of `most` bytes.
    pub fn of_at_most(most: usize) -> Self {
        Self {
            snapshot: Snapshot::new(Knowledge::Everything),
            files: OrdMap::new(),
            claims: imbl::HashMap::new(),
            remarks: OrdMap::new(),
            sources: 0,
            weight: 0,
            most,
            is_full: false,
            asides: Vec::new(),
            kept: HashMap::new(),
            removals: Removals::default(),
        }
    }

    /// Returns the snapshot without the additions of [`Self::conclude`].
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Returns all files with their state.
    pub fn files(&self) -> impl Iterator<Item = (&Arc<Path>, FileState)> {
        self.files.iter().map(|(path, record)| (path, record.seen))
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Reports whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the content hash of a file as of its last read; `None` for an unknown file.
    pub fn hash_of(&self, path: &Path) -> Option<u64> {
        self.files.get(path).map(|record| record.seen.hash)
    }

    /// Reports whether no file contains any object.
    pub fn has_no_source(&self) -> bool {
        self.sources == 0
    }

    /// Reports whether files were skipped because of the memory limit.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Returns all notes in the order of the files.
    pub fn remarks(&self) -> impl Iterator<Item = &FileProblems> {
        self.remarks.values().map(AsRef::as_ref)
    }

    /// Returns all problems in the order of the files.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        let troubles = self.remarks().flat_map(|remarks| &remarks.troubles);
        troubles.map(|(problem, _)| problem)
    }

    /// Takes the objects that are kept as a whole.
    pub fn take_kept(&mut self) -> HashMap<ObjectKey, Value> {
        std::mem::take(&mut self.kept)
    }

    /// Returns the problems that are new compared with `before`.
    pub fn broken_since(&self, before: &Self) -> Vec<Problem> {
        let was_troubled = |path| {
            let remarks: Option<&Arc<FileProblems>> = before.remarks.get(path);
            remarks.is_some_and(|it| !it.troubles.is_empty())
        };
        let was_source = |path| {
            let record: Option<&Arc<Record>> = before.files.get(path);
            record.is_some_and(|it| it.is_source)
        };
        let troubled = self.remarks.iter().filter(|(path, _)| !was_troubled(*path));
        let troubles = troubled.flat_map(|(_, remarks)| &remarks.troubles);
        let emptied = self
            .remarks
            .iter()
            .filter(|(path, _)| was_source(*path))
            .filter_map(|(_, remarks)| remarks.no_manifests.as_ref());
        troubles.map(|(problem, _)| problem).chain(emptied).cloned().collect()
    }

    /// Updates the state of a file whose content is unchanged.
    pub fn see(&mut self, path: &Path, seen: FileState, now: SystemTime) {
        if let Some(record) = self.files.get_mut(path) {
            if !record.seen.stamp.is_perhaps(seen.stamp) {
                self.removals.touch(path, now);
            }
            *record = Arc::new(Record {
                seen,
                keys: record.keys.clone(),
                ending: record.ending.clone(),
                ..**record
            });
        }
    }

    /// Clears everything but the objects, which it returns for [`Self::lose`].
    pub fn clear(&mut self) -> VanishedObjects {
        let lost = self.lost(self.files.keys());
        let empty = Self {
            snapshot: std::mem::replace(&mut self.snapshot, Snapshot::new(Knowledge::Everything)),
            removals: std::mem::take(&mut self.removals),
            ..Self::of_at_most(self.most)
        };
        *self = empty;
        lost
    }

    /// Returns the objects and names in these files.
    fn lost<'p>(&self, paths: impl Iterator<Item = &'p Arc<Path>>) -> VanishedObjects {
        let mut lost = VanishedObjects::new();
        for path in paths {
            for key in self.keys_of(path) {
                let hash = self.claims.get(key).map_or(0, |claim| claim.hash);
                lost.entry(Arc::clone(key)).or_insert((Arc::clone(path), hash, None));
            }
            let remarks = self.remarks.get(path);
            for (key, named) in remarks.iter().flat_map(|it| &it.named) {
                lost.entry(Arc::new(key.clone())).or_insert((Arc::clone(path), 0, Some(*named)));
            }
        }
        lost
    }

    /// Removes objects that no file contains any more, or schedules their delayed removal.
    pub fn lose(&mut self, mut lost: VanishedObjects, now: SystemTime) {
        lost.retain(|key, _| !self.claims.contains_key(key));
        if lost.is_empty() {
            return;
        }
        let mut named: HashSet<ObjectKey> = HashSet::new();
        if lost.keys().any(|key| is_named(key.kind)) {
            let all = self.remarks().flat_map(|it| &it.named);
            named.extend(all.map(|(key, _)| key.clone()));
        }
        // If files were skipped, every absence is uncertain.
        let is_delayed = self.removals.are_delayed() && !self.is_full;
        for (key, (file, hash, name)) in lost {
            let is_named = named.contains(&*key);
            if is_delayed && !is_named {
                self.removals.vanish(key, (file, hash, name), now);
            } else if name.is_none() {
                self.snapshot.remove(&key);
            }
        }
    }

    /// Restarts all removal delays.
    pub fn wait_again(&mut self, now: SystemTime) {
        self.removals.restart(now);
    }

    /// Removes objects whose delay has passed.
    /// Returns the files whose whole content is accepted from now on, and whether anything changed.
    pub fn settle(&mut self, now: SystemTime) -> (Vec<Arc<Path>>, bool) {
        let Settled { removed, accepted } = self.removals.settle(now);
        for key in &removed {
            if !self.claims.contains_key(key) {
                self.snapshot.remove(key);
            }
        }
        let has_changed = !removed.is_empty() || !accepted.is_empty();
        (accepted, has_changed)
    }

    /// Returns the objects that no file contains any more and that still exist.
    pub fn vanished(&self) -> impl Iterator<Item = (&ObjectKey, &Removal)> {
        self.removals.iter()
    }

    /// Returns the removal delay.
    pub fn delay(&self) -> Duration {
        self.removals.delay()
    }

    /// Records that the content of a new file is held back for now.
    pub fn hold(&mut self, path: &Arc<Path>, now: SystemTime) {
        self.removals.hold(path, Arc::default(), true, now);
    }

    /// Reports whether `weight` exceeds the memory limit.
    pub fn is_too_much(&self, weight: usize) -> bool {
        weight > self.most
    }

    /// Adds a file after all existing ones.
    ///
    /// Skips its content if the memory limit is exceeded.
    pub fn add(&mut self, path: Arc<Path>, seen: FileState, mut content: FileContent) {
        if self.is_full {
            content = FileContent::default();
        } else if self.is_too_much(self.weight.saturating_add(content.weight)) {
            self.is_full = true;
            content = FileContent::closed(Problem::of_file(&path, self.too_much()));
        }
        self.weight = self.weight.saturating_add(content.weight);
        let mut remarks = content.remarks;
        let says_how_many = !remarks.complete.is_empty() || !remarks.incomplete.is_empty();
        let (mut keys, mut is_source) = (Vec::new(), says_how_many);
        for item in content.items {
            match item {
                Item::Trouble(problem, kinds) => remarks.troubles.push((problem, kinds)),
                Item::Object(object) => {
                    let key = Arc::new(object.key.clone());
                    match self.claim(&path, &key, *object) {
                        Ok(is_first) => is_source |= is_first,
                        Err(problem) => {
                            self.hide(&key, &problem);
                            remarks.troubles.push((problem, Vec::new()));
                        }
                    }
                    keys.push(key);
                }
            }
        }
        for (key, _) in &remarks.named {
            self.removals.appear(key);
        }
        self.sources += usize::from(is_source);
        if !remarks.is_empty() {
            self.remarks.insert(Arc::clone(&path), Arc::new(remarks));
        }
        let record = Record {
            seen,
            keys: keys.into(),
            is_source,
            weight: content.weight,
            ending: content.ending,
        };
        self.files.insert(path, Arc::new(record));
    }

    /// Replaces all non-regular entries.
    ///
    /// Returns whether they changed.
    pub fn note(&mut self, asides: Vec<NonRegularEntry>) -> bool {
        if asides == self.asides {
            return false;
        }
        for aside in std::mem::replace(&mut self.asides, asides) {
            self.remarks.remove(aside.problem.file.as_path());
        }
        for NonRegularEntry { problem, is_closed } in &self.asides {
            let kinds = if *is_closed { kept().collect() } else { Vec::new() };
            let remarks = self.remarks.entry(problem.file.as_path().into());
            let remarks = Arc::make_mut(remarks.or_default());
            remarks.troubles.push((problem.clone(), kinds));
        }
        true
    }

    /// Replaces the content of files.
    ///
    /// Reads other files that contain the same objects again, with `read`.
    pub fn replace(
        &mut self,
        mut changes: Changes,
        read: impl Fn(&Path) -> (u64, FileContent),
        now: SystemTime,
    ) {
        let mut open: Vec<ObjectKey> = Vec::new();
        for (path, change) in &changes {
            open.extend(self.keys_of(path).map(|key| (**key).clone()));
            open.extend(change.iter().flat_map(|(_, content)| content.keys()));
        }
        while let Some(key) = open.pop() {
            for rival in self.files_of(&key) {
                if changes.contains_key(&rival) {
                    continue;
                }
                let Some(record) = self.files.get(&rival) else {
                    continue;
                };
                let mut seen = record.seen;
                open.extend(record.keys.iter().map(|key| (**key).clone()));
                let (hash, content) = read(&rival);
                seen.hash = hash;
                open.extend(content.keys());
                changes.insert(rival, Some((seen, content)));
            }
        }
        let baselines =
            if self.removals.are_delayed() { self.compare(&mut changes) } else { Vec::new() };
        let lost = self.lost(changes.keys());
        for path in changes.keys() {
            self.removals.touch(path, now);
            self.forget(path);
        }
        for (path, change) in changes {
            if let Some((seen, content)) = change {
                self.add(path, seen, content);
            }
        }
        self.lose(lost, now);
        for (path, baseline, is_held) in baselines {
            self.removals.hold(&path, baseline, is_held, now);
        }
        self.removals.drop_settled();
    }

    /// Drops the last object of files that seem to be truncated within it.
    ///
    /// Returns the last settled contents, and whether each file is truncated.
    fn compare(&self, changes: &mut Changes) -> Vec<(Arc<Path>, Arc<Baseline>, bool)> {
        let hash = |key: &ObjectKey| {
            let claim = self.claims.get(key).map(|claim| claim.hash);
            claim.or_else(|| self.removals.hash(key))
        };
        let compared = changes.iter_mut().filter_map(|(path, change)| {
            let own = || {
                let record = self.files.get(path)?;
                Some(Arc::new(Baseline {
                    keys: record.keys.clone(),
                    ending: record.ending.clone(),
                }))
            };
            let baseline = self.removals.baseline(path).or_else(own)?;
            let content = change.as_mut().map(|(_, content)| content);
            let cut = content.filter(|content| baseline.is_cut(content, hash));
            let is_held = cut.map(|content| content.items.pop()).is_some();
            Some((Arc::clone(path), baseline, is_held))
        });
        compared.collect()
    }

    /// Marks the kinds in the snapshot that are incomplete, unless the directory is declared whole.
    ///
    /// A kind is incomplete if an unreadable file may hide its objects, or if it is evidently missing from the
    /// directory.
    /// Returns the kinds that are missing.
    pub fn conclude(&mut self, dir: &Path, is_whole: bool) -> Vec<Kind> {
        self.snapshot.forget_gaps();
        self.snapshot.file_names(self.names(is_whole));
        for remarks in self.remarks.values() {
            for (problem, kinds) in &remarks.troubles {
                for kind in kinds {
                    let why = || format!("one may stand in a file that cannot be read ({problem})");
                    self.snapshot.note_gap(*kind, why);
                }
            }
            for (kind, why) in &remarks.incomplete {
                self.snapshot.note_gap(*kind, || why.clone());
            }
            for kind in &remarks.complete {
                self.snapshot.complete(*kind);
            }
        }
        if is_whole {
            let all = Kind::ALL.iter().copied();
            all.for_each(|kind| self.snapshot.complete(kind));
            Vec::new()
        } else {
            missing_kinds::note(&mut self.snapshot, dir)
        }
    }

    /// Returns the names from all files, for kinds of which only the names are kept.
    fn names(&self, is_whole: bool) -> FileNames {
        let mut filed = FileNames::default();
        if self.is_full || self.remarks().any(FileProblems::may_name_others) {
            filed.doubt = Some("it may stand in a file that cannot be read".to_owned());
        }
        for remarks in self.remarks() {
            for (key, named) in &remarks.named {
                filed.add(key.clone(), *named);
            }
            for (key, data) in &remarks.data {
                filed.add_data(key.clone(), Some(Arc::clone(data)));
            }
            filed.complete.extend(remarks.complete.iter().copied());
        }
        for (key, removal) in self.removals.iter() {
            if let Some(named) = removal.named.filter(|_| !filed.names.contains_key(key)) {
                filed.add(key.clone(), named);
            }
        }
        if is_whole {
            filed.complete.extend(Kind::ALL.iter().copied());
        }
        filed
    }

    /// Adds an object unless it is a duplicate.
    ///
    /// Returns whether it was added.
    fn claim(
        &mut self,
        path: &Arc<Path>,
        key: &Arc<ObjectKey>,
        object: Object,
    ) -> Result<bool, Problem> {
        if let Some(claim) = self.claims.get_mut(key) {
            return claim.second(path, key, &object).map(|()| false);
        }
        let claim = Claim {
            file: Arc::clone(path),
            position: object.position,
            hash: object.hash,
            others: Vec::new(),
        };
        self.claims.insert(Arc::clone(key), claim);
        self.removals.appear(key);
        if let Some(kept) = object.read? {
            self.snapshot.apply(kept);
        }
        if let Some(whole) = object.whole {
            self.kept.insert(object.key, whole);
        }
        Ok(true)
    }

    fn hide(&mut self, key: &ObjectKey, problem: &Problem) {
        self.kept.remove(key);
        let object = GardenObject::Unreadable(key.clone(), problem.to_string());
        self.snapshot.apply(object);
    }

    /// Drops a file, but keeps its objects in the snapshot.
    fn forget(&mut self, path: &Path) {
        self.remarks.remove(path);
        let Some(record) = self.files.remove(path) else {
            return;
        };
        self.sources -= usize::from(record.is_source);
        self.weight -= record.weight;
        for key in &record.keys {
            self.claims.remove(key);
        }
    }

    fn too_much(&self) -> String {
        format!(
            "with this file there is more to keep of the directory than about {} MiB; it and all that follow are left out",
            self.most >> 20
        )
    }

    fn keys_of(&self, path: &Path) -> impl Iterator<Item = &Arc<ObjectKey>> {
        let record = self.files.get(path).into_iter();
        record.flat_map(|record| record.keys.iter())
    }

    /// Returns the first file that contains an object, and the position of its name.
    pub fn position_of(&self, key: &ObjectKey) -> Option<(PathBuf, Position)> {
        let claim = self.claims.get(key)?;
        Some((claim.file.to_path_buf(), claim.position))
    }

    /// Returns the files that contain an object.
    fn files_of(&self, key: &ObjectKey) -> Vec<Arc<Path>> {
        let claim = self.claims.get(key).into_iter();
        let files = claim.flat_map(|claim| claim.others.iter().chain([&claim.file]));
        files.cloned().collect()
    }
}

impl Claim {
    /// Records another occurrence of the object.
    /// Fails if its content differs.
    fn second(
        &mut self,
        path: &Arc<Path>,
        key: &ObjectKey,
        object: &Object,
    ) -> Result<(), Problem> {
        if self.file != *path && self.others.last() != Some(path) {
            self.others.push(Arc::clone(path));
        }
        if self.hash == object.hash {
            return Ok(());
        }
        let first = FilePosition { file: &self.file, position: Some(self.position) };
        Err(Problem {
            file: path.to_path_buf(),
            position: Some(object.position),
            message: format!("this is another variant of {key} than the one at {first}; keep one"),
        })
    }
}

impl FileContent {
    pub(super) fn keys(&self) -> impl Iterator<Item = ObjectKey> {
        self.items.iter().filter_map(|item| match item {
            Item::Object(object) => Some(object.key.clone()),
            Item::Trouble(..) => None,
        })
    }
}
