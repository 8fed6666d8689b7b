//! Who says what of the garden, so that one file can change what it says.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use imbl::OrdMap;
use serde_json::Value;

use super::content::{Content, Item, Object, Remarks};
use super::mentions::kept;
use super::stamp::Seen;
use super::{Problem, partial};
use crate::files::Place;
use crate::garden::names::Filed;
use crate::garden::{GardenObject, Knowledge, ObjectKey, Snapshot};
use crate::model::Kind;
use crate::source::Position;

/// What may be kept of a garden directory, about. Some two million Shoots. Bytes.
const MOST: usize = 2 << 30;

/// The files of a garden directory and the garden that they make. Cloning shares; replacing what one file says costs O(log n).
#[derive(Clone, Debug)]
pub(super) struct Ledger {
    snapshot: Snapshot,
    files: OrdMap<Arc<Path>, Arc<Record>>,
    claims: imbl::HashMap<Arc<ObjectKey>, Claim>,
    /// Of those files about which there is something to remark, and of what there is besides files.
    remarks: OrdMap<Arc<Path>, Arc<Remarks>>,
    /// How many files objects come from.
    sources: usize,
    /// How much is kept, and may be, in bytes, about.
    weight: usize,
    most: usize,
    /// Whether files were left out, as there is too much.
    is_full: bool,
    /// What there is besides files.
    asides: Vec<Aside>,
    /// Objects that are kept whole.
    kept: HashMap<ObjectKey, Value>,
}

/// What is known of a file.
#[derive(Debug)]
struct Record {
    seen: Seen,
    keys: Box<[Arc<ObjectKey>]>,
    is_source: bool,
    weight: usize,
}

/// Where an object stands first, and what tells it from other variants of it.
#[derive(Clone, Debug)]
struct Claim {
    file: Arc<Path>,
    position: Position,
    hash: u64,
    /// The other files in which it stands.
    others: Vec<Arc<Path>>,
}

/// Something below a directory that is no file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Aside {
    pub(super) problem: Problem,
    /// Whether anything may be behind it.
    pub(super) is_closed: bool,
}

/// By file, what was seen of it and what it says now; `None` if it is gone.
pub(super) type Changes = BTreeMap<Arc<Path>, Option<(Seen, Content)>>;

impl Default for Ledger {
    fn default() -> Self {
        Self::of_at_most(MOST)
    }
}

impl Ledger {
    /// Nothing yet, and never more than about so many bytes.
    pub(super) fn of_at_most(most: usize) -> Self {
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
        }
    }

    /// The garden, but for what [`Self::conclude`] adds.
    pub(super) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Files by their paths, with what was seen of them.
    pub(super) fn files(&self) -> impl Iterator<Item = (&Arc<Path>, Seen)> {
        self.files.iter().map(|(path, record)| (path, record.seen))
    }

    /// How many files there are.
    pub(super) fn len(&self) -> usize {
        self.files.len()
    }

    /// Stands for what a file held when it was read; `None` for one that was not there.
    pub(super) fn hash_of(&self, path: &Path) -> Option<u64> {
        self.files.get(path).map(|record| record.seen.hash)
    }

    /// Whether no object comes from any file.
    pub(super) fn has_no_source(&self) -> bool {
        self.sources == 0
    }

    /// Whether files were left out, as there is too much.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Everything there is to remark, in the order of the files.
    pub(super) fn remarks(&self) -> impl Iterator<Item = &Remarks> {
        self.remarks.values().map(AsRef::as_ref)
    }

    /// All problems, in the order of the files.
    pub(super) fn problems(&self) -> impl Iterator<Item = &Problem> {
        let troubles = self.remarks().flat_map(|remarks| &remarks.troubles);
        troubles.map(|(problem, _)| problem)
    }

    /// Takes the objects that were to be kept whole.
    pub(super) fn take_kept(&mut self) -> HashMap<ObjectKey, Value> {
        std::mem::take(&mut self.kept)
    }

    /// What got broken since `before`, told from what always was.
    pub(super) fn broken_since(&self, before: &Self) -> Vec<Problem> {
        let was_troubled = |path| {
            let remarks: Option<&Arc<Remarks>> = before.remarks.get(path);
            remarks.is_some_and(|it| !it.troubles.is_empty())
        };
        let was_source = |path| {
            let record: Option<&Arc<Record>> = before.files.get(path);
            record.is_some_and(|it| it.is_source)
        };
        let troubled = self.remarks.iter().filter(|(path, _)| !was_troubled(*path));
        let troubles = troubled.flat_map(|(_, remarks)| &remarks.troubles);
        let emptied = self.remarks.iter().filter(|(path, _)| was_source(*path));
        let emptied = emptied.filter_map(|(_, remarks)| remarks.no_manifests.as_ref());
        let troubles = troubles.map(|(problem, _)| problem);
        troubles.chain(emptied).cloned().collect()
    }

    /// Notes that a file was looked at again, and says what it said.
    pub(super) fn see(&mut self, path: &Path, seen: Seen) {
        if let Some(record) = self.files.get_mut(path) {
            *record = Arc::new(Record {
                seen,
                keys: record.keys.clone(),
                ..**record
            });
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Self::of_at_most(self.most);
    }

    /// Whether so many bytes are more than may be kept.
    pub(super) fn is_too_much(&self, weight: usize) -> bool {
        weight > self.most
    }

    /// Adds a file behind all that are there; leaves out what it says if there is too much.
    pub(super) fn add(&mut self, path: Arc<Path>, seen: Seen, mut content: Content) {
        if self.is_full {
            content = Content::default();
        } else if self.is_too_much(self.weight.saturating_add(content.weight)) {
            self.is_full = true;
            content = Content::closed(Problem::of_file(&path, self.too_much()));
        }
        self.weight = self.weight.saturating_add(content.weight);
        let mut remarks = content.remarks;
        let (mut keys, mut is_source) = (Vec::new(), !remarks.complete.is_empty());
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
        self.sources += usize::from(is_source);
        if !remarks.is_empty() {
            self.remarks.insert(Arc::clone(&path), Arc::new(remarks));
        }
        let record = Record {
            seen,
            keys: keys.into(),
            is_source,
            weight: content.weight,
        };
        self.files.insert(path, Arc::new(record));
    }

    /// Makes these all that there is besides files; whether there were others.
    pub(super) fn note(&mut self, asides: Vec<Aside>) -> bool {
        if asides == self.asides {
            return false;
        }
        for aside in std::mem::replace(&mut self.asides, asides) {
            self.remarks.remove(aside.problem.file.as_path());
        }
        for Aside { problem, is_closed } in &self.asides {
            let kinds = match is_closed {
                true => kept().collect(),
                false => Vec::new(),
            };
            let remarks = self.remarks.entry(problem.file.as_path().into());
            let remarks = Arc::make_mut(remarks.or_default());
            remarks.troubles.push((problem.clone(), kinds));
        }
        true
    }

    /// Replaces what files say. Those that speak of the same objects are read again, with `read`.
    pub(super) fn replace(&mut self, mut changes: Changes, read: impl Fn(&Path) -> (u64, Content)) {
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
        let forgotten = changes.keys().flat_map(|path| self.forget(path));
        let forgotten: BTreeSet<Arc<ObjectKey>> = forgotten.collect();
        for (path, change) in changes {
            if let Some((seen, content)) = change {
                self.add(path, seen, content);
            }
        }
        for key in forgotten {
            if !self.claims.contains_key(&key) {
                self.snapshot.remove(&key);
            }
        }
    }

    /// Says in the garden what of it is unknown: where something may be hidden, and where it is evidently not all there, unless it is
    /// said to be whole. Returns the kinds of which nothing is known for that.
    pub(super) fn conclude(&mut self, dir: &Path, is_whole: bool) -> Vec<Kind> {
        self.snapshot.forget_gaps();
        self.snapshot.file_names(self.names(is_whole));
        for remarks in self.remarks.values() {
            for (problem, kinds) in &remarks.troubles {
                for kind in kinds {
                    let why = || format!("one may stand in a file that cannot be read ({problem})");
                    self.snapshot.note_gap(*kind, why);
                }
            }
            for kind in &remarks.complete {
                self.snapshot.complete(*kind);
            }
        }
        match is_whole {
            true => {
                let all = Kind::ALL.iter().copied();
                all.for_each(|kind| self.snapshot.complete(kind));
                Vec::new()
            }
            false => partial::note(&mut self.snapshot, dir),
        }
    }

    /// The names that files tell of, of kinds of which others are of no interest.
    fn names(&self, is_whole: bool) -> Filed {
        let mut filed = Filed::default();
        if self.is_full || self.remarks().any(Remarks::may_name_others) {
            filed.doubt = Some("it may stand in a file that cannot be read".to_owned());
        }
        for remarks in self.remarks() {
            for (key, named) in &remarks.named {
                filed.add(key.clone(), *named);
            }
            filed.complete.extend(remarks.complete.iter().copied());
        }
        if is_whole {
            filed.complete.extend(Kind::ALL.iter().copied());
        }
        filed
    }

    /// Adds an object, unless the same was there before; whether it was added.
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

    /// Forgets a file, but leaves its objects in the garden; returns which they are.
    fn forget(&mut self, path: &Path) -> Vec<Arc<ObjectKey>> {
        self.remarks.remove(path);
        let Some(record) = self.files.remove(path) else {
            return Vec::new();
        };
        self.sources -= usize::from(record.is_source);
        self.weight -= record.weight;
        for key in &record.keys {
            self.claims.remove(key);
        }
        record.keys.to_vec()
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

    /// The files in which an object stands.
    fn files_of(&self, key: &ObjectKey) -> Vec<Arc<Path>> {
        let claim = self.claims.get(key).into_iter();
        let files = claim.flat_map(|claim| claim.others.iter().chain([&claim.file]));
        files.cloned().collect()
    }
}

impl Claim {
    /// Notes the object in another place; fails if it is another variant of it.
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
        let first = Place {
            file: &self.file,
            position: Some(self.position),
        };
        Err(Problem {
            file: path.to_path_buf(),
            position: Some(object.position),
            message: format!("this is another variant of {key} than the one at {first}; keep one"),
        })
    }
}

impl Content {
    fn keys(&self) -> impl Iterator<Item = ObjectKey> {
        self.items.iter().filter_map(|item| match item {
            Item::Object(object) => Some(object.key.clone()),
            Item::Trouble(..) => None,
        })
    }
}
