use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::identity::{Identified, Identity, identify, name};
use super::mentions::{kept, mentioned};
use super::{DirectoryError, LoadedGarden, Problem, partial};
use crate::files::{self, Place};
use crate::garden::read::read;
use crate::garden::{GardenObject, Knowledge, ObjectKey, Snapshot};
use crate::model::{Kind, Shoot, group_and_version};
use crate::source::{self, Document, Position, SourceError};

/// The garden as far as it was read, and what is wrong with the rest.
pub(super) struct Manifests {
    snapshot: Snapshot,
    skipped: BTreeMap<String, usize>,
    others: usize,
    no_manifests: Vec<Problem>,
    sources: BTreeSet<PathBuf>,
    wanted: HashSet<ObjectKey>,
    kept: HashMap<ObjectKey, Value>,
    seen: HashMap<ObjectKey, Seen>,
    problems: Vec<Problem>,
}

/// Where an object stands, and what tells it from other variants of it.
struct Seen {
    file: Arc<Path>,
    position: Position,
    digest: u64,
}

/// What of the garden is unknown, as something could not be read.
pub(super) enum Hidden {
    /// What this object is like.
    Object(ObjectKey),
    /// Which objects of these kinds there are.
    Kinds(Vec<Kind>),
}

impl Manifests {
    /// Nothing yet; objects that are `wanted` will be kept whole.
    pub(super) fn keeping(wanted: HashSet<ObjectKey>) -> Self {
        Self {
            snapshot: Snapshot::new(Knowledge::Everything),
            skipped: BTreeMap::new(),
            others: 0,
            no_manifests: Vec::new(),
            sources: BTreeSet::new(),
            wanted,
            kept: HashMap::new(),
            seen: HashMap::new(),
            problems: Vec::new(),
        }
    }

    /// Adds what a file holds.
    pub(super) fn file(&mut self, path: &Path, bytes: Vec<u8>) {
        let text = match files::text(path, bytes) {
            Ok(text) => text,
            Err((problem, legible)) => return self.no_manifests(problem, "", &legible),
        };
        // A Secret with a key twice is none of our business, and must not hide what stands beside it.
        match source::parse_keeping_repeated(&text) {
            Ok(documents) => {
                let path: Arc<Path> = path.into();
                for document in documents {
                    self.document(&path, &document, None);
                }
            }
            Err(error) => {
                let remedy = match text.contains("{{") {
                    true => "; render the template, or name it in .garden-gate-ignore",
                    false => "; repair the file, or name it in .garden-gate-ignore",
                };
                self.no_manifests(Problem::at(path, error), remedy, &text);
            }
        }
    }

    /// Notes what takes nothing away from the garden.
    pub(super) fn harmless(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Notes something that nobody can look into: it may hold anything.
    pub(super) fn closed(&mut self, problem: Problem) {
        self.hide(problem, Hidden::Kinds(kept().collect()));
    }

    /// The garden; what is missing is unknown where it is evidently not all there, unless it was said to be whole.
    pub(super) fn finish(
        mut self,
        dir: &Path,
        is_whole: bool,
    ) -> Result<LoadedGarden, DirectoryError> {
        if self.sources.is_empty() && !self.problems.is_empty() {
            return Err(DirectoryError::Nothing {
                dir: PathBuf::from(dir),
                problems: self.problems,
            });
        }
        let lacking = match is_whole {
            true => {
                let all = Kind::ALL.iter().copied();
                all.for_each(|kind| self.snapshot.complete(kind));
                Vec::new()
            }
            false => partial::note(&mut self.snapshot, dir),
        };
        Ok(LoadedGarden {
            snapshot: self.snapshot,
            skipped: self.skipped,
            others: self.others,
            no_manifests: self.no_manifests,
            sources: self.sources,
            problems: self.problems,
            lacking,
            files: 0,
            kept: self.kept,
        })
    }

    /// Leaves out a file that is no text or no YAML: harmless if no object of a garden can stand in it.
    fn no_manifests(&mut self, mut problem: Problem, remedy: &str, text: &str) {
        match mentioned(text) {
            kinds if kinds.is_empty() => self.no_manifests.push(problem),
            kinds => {
                problem.message += remedy;
                self.hide(problem, Hidden::Kinds(kinds));
            }
        }
    }

    fn hide(&mut self, problem: Problem, hidden: Hidden) {
        match hidden {
            Hidden::Object(key) => {
                self.kept.remove(&key);
                let object = GardenObject::Unreadable(key, problem.to_string());
                self.snapshot.apply(object);
            }
            Hidden::Kinds(kinds) => {
                for kind in kinds {
                    let why = || format!("one may stand in a file that cannot be read ({problem})");
                    self.snapshot.note_gap(kind, why);
                }
            }
        }
        self.problems.push(problem);
    }

    fn document(&mut self, path: &Arc<Path>, document: &Document, inherited: Option<&Identity>) {
        if let Err((error, hidden)) = self.object(path, document, inherited) {
            self.hide(Problem::at(path, error), hidden);
        }
    }

    fn object(
        &mut self,
        path: &Arc<Path>,
        document: &Document,
        inherited: Option<&Identity>,
    ) -> Result<(), (SourceError, Hidden)> {
        let (kind, api_version) = match identify(document, inherited)? {
            Identified::List(item) => return self.list(path, document, item.as_ref()),
            Identified::OfGarden(kind, api_version) => (kind, api_version),
            Identified::Other(kind) => {
                *self.skipped.entry(kind).or_default() += 1;
                return Ok(());
            }
            Identified::Nothing => {
                self.others += 1;
                return Ok(());
            }
        };
        let key = name(document, kind)?;
        let unreadable = |error| (error, Hidden::Object(key.clone()));
        if self.was_seen(path, document, &key).map_err(unreadable)? {
            return Ok(());
        }
        document.check_keys().map_err(unreadable)?;
        check_version(document, kind, &api_version).map_err(unreadable)?;
        if kind == Kind::Shoot {
            // Less is kept of Shoots than what their manifests should be right in.
            document.decode::<Shoot>().map_err(unreadable)?;
        }
        let object = read(kind, document).map_err(unreadable)?;
        if !self.sources.contains(&**path) {
            self.sources.insert(path.to_path_buf());
        }
        if let Some(object) = object {
            self.snapshot.apply(object);
        }
        if self.wanted.contains(&key) {
            self.kept.insert(key, document.to_value());
        }
        Ok(())
    }

    /// Adds the items of a list. One of a certain kind says, if it is empty, that there are none.
    fn list(
        &mut self,
        path: &Arc<Path>,
        document: &Document,
        item: Option<&Identity>,
    ) -> Result<(), (SourceError, Hidden)> {
        let part = document.part("/items");
        let items = part.as_ref().and_then(Document::items);
        let is_absent = part.is_none_or(|part| part.to_value().is_null());
        let items = match items {
            Some(items) => items,
            None if is_absent => Vec::new(),
            None => {
                let error = SourceError {
                    position: document.position("/items"),
                    message: "`items` is not a list".to_owned(),
                };
                return match mentioned(&document.to_value().to_string()) {
                    kinds if kinds.is_empty() => {
                        self.others += 1;
                        Ok(())
                    }
                    kinds => Err((error, Hidden::Kinds(kinds))),
                };
            }
        };
        let kind = item.and_then(Identity::kind);
        if let Some(kind) = kind.filter(|_| items.is_empty()) {
            self.snapshot.complete(kind);
            self.sources.insert(path.to_path_buf());
        }
        for document in &items {
            self.document(path, document, item);
        }
        Ok(())
    }

    /// Whether the same object was there before; fails if another variant of it was.
    fn was_seen(
        &mut self,
        path: &Arc<Path>,
        document: &Document,
        key: &ObjectKey,
    ) -> Result<bool, SourceError> {
        let position = document.position("/metadata/name");
        let mut hasher = DefaultHasher::new();
        document.to_value().hash(&mut hasher);
        let digest = hasher.finish();
        match self.seen.entry(key.clone()) {
            Entry::Vacant(vacant) => {
                let file = Arc::clone(path);
                vacant.insert(Seen {
                    file,
                    position,
                    digest,
                });
                Ok(false)
            }
            Entry::Occupied(first) if first.get().digest == digest => Ok(true),
            Entry::Occupied(first) => {
                let first = Place {
                    file: &first.get().file,
                    position: Some(first.get().position),
                };
                let message =
                    format!("this is another variant of {key} than the one at {first}; keep one");
                Err(SourceError { position, message })
            }
        }
    }
}

/// Fails where an object of a garden is written in another version than the one that we read.
fn check_version(document: &Document, kind: Kind, api_version: &str) -> Result<(), SourceError> {
    let (group, version) = group_and_version(api_version);
    let served = kind.api().1;
    if served == version {
        return Ok(());
    }
    let separator = if group.is_empty() { "" } else { "/" };
    let message =
        format!("`{api_version}` of {kind} is not known; write it as `{group}{separator}{served}`");
    let position = document.position("/apiVersion");
    Err(SourceError { position, message })
}
