// SPDX-License-Identifier: Apache-2.0
//! The garden of a session: read in the background, once, and again when it has changed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use serde_json::Value;

use crate::files::{self, Found, Ignoring};
use crate::garden::directory::{Listed, Reading, Wanted, load_with};
use crate::review::cluster::Live;
use crate::review::live::{self, ClusterState};
use crate::review::parameters::{from_cluster, from_directory};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{Knowledge, ObjectKey, Snapshot};
use garden_gate_products::review::parameters::ChangedParameters;
use garden_gate_products::review::subject::{self, Subject};
use garden_gate_text::yaml::Position;

/// The source of the garden.
#[derive(Clone, Debug)]
pub(crate) enum GardenSource {
    /// None: checks that depend on other objects are undetermined.
    Nothing,
    /// A directory.
    Directory(DirectorySource),
    /// A live cluster.
    Live(Arc<Live>),
}

/// A garden directory.
#[derive(Clone, Debug)]
pub(crate) struct DirectorySource {
    pub(crate) path: PathBuf,
    /// Whether it is declared to be complete.
    pub(crate) is_whole: bool,
    /// Whether the workspace names it, whose author may be untrusted.
    pub(crate) is_of_workspace: bool,
}

/// Maximum number of manifests in a garden directory that a workspace names.
const MOST_FILES: usize = 20_000;
/// Maximum size of all manifests in such a directory, in bytes.
const MOST_BYTES: u64 = 256 << 20;

/// The garden as of its last read.
#[derive(Default)]
pub(super) struct Garden {
    pub(super) snapshot: Snapshot,
    /// The directory.
    pub(super) directory: Option<PathBuf>,
    /// The name of the cluster or directory, for messages.
    pub(super) name: String,
    /// Objects of the session as stored.
    pub(super) stored: HashMap<ObjectKey, Value>,
    /// Objects whose existence is unknown, with the reasons.
    pub(super) unknown: BTreeMap<ObjectKey, String>,
    /// A message about parts that could not be read.
    pub(super) problem: Option<String>,
    /// A digest of the metadata of all files.
    pub(super) stamp: u64,
}

impl GardenSource {
    /// Reads the garden; `None` if it has not changed since it had this stamp.
    ///
    /// `subjects` are the objects of the session, whose stored states a cluster returns.
    ///
    /// # Errors
    /// Fails if the directory cannot be read, or the API server does not answer.
    pub(super) fn read(
        &self,
        stamp: Option<u64>,
        mut subjects: Vec<Subject>,
        config: &Config,
    ) -> anyhow::Result<Option<Garden>> {
        let none = ChangedParameters::default();
        match self {
            Self::Nothing => Ok(stamp.is_none().then(|| Garden {
                snapshot: Snapshot::new(Knowledge::Nothing),
                ..Garden::default()
            })),
            Self::Directory(directory) => {
                let now = digest(directory)?;
                let DirectorySource { path: directory, is_whole, .. } = directory;
                if stamp == Some(now) {
                    return Ok(None);
                }
                let keys = subjects.iter().filter_map(Subject::key);
                let wanted = Wanted {
                    objects: keys.filter(|it| !it.kind.is_of_shoot_cluster()).collect(),
                    config_map_data: true,
                    ..Wanted::default()
                };
                let is_whole = *is_whole;
                let loaded = load_with(directory, Reading { wanted, is_whole })?;
                let problem = (!loaded.problems.is_empty()).then(|| {
                    let name = directory.display();
                    format!("the garden directory `{name}` has {}", Listed(&loaded.problems))
                });
                let place = Some((directory.as_path(), is_whole));
                Ok(Some(Garden {
                    snapshot: from_directory(loaded.snapshot, place, (&none, &[])),
                    directory: Some(directory.clone()),
                    name: directory.display().to_string(),
                    stored: loaded.kept,
                    problem,
                    stamp: now,
                    ..Garden::default()
                }))
            }
            Self::Live(live) => {
                let look = live::Look { config, writes_versions: None, shoots: None };
                let ClusterState { snapshot, stored, unknown } =
                    live::look(live, &mut subjects, look)?;
                let namespaces = live::namespaces(&subjects);
                let changed = (&none, &subjects[..]);
                let snapshot = from_cluster(snapshot, (live, &namespaces), changed)?;
                Ok(Some(Garden {
                    snapshot,
                    name: live.name(),
                    stored,
                    unknown,
                    ..Garden::default()
                }))
            }
        }
    }
}

/// Maximum number of objects that are searched one by one, which parses only the files with their names.
const FEW: usize = 10;

impl Garden {
    /// Returns objects of the directory as stored.
    ///
    /// Reads the directory once if they are many.
    pub(super) fn find_all(&self, keys: HashSet<ObjectKey>) -> HashMap<ObjectKey, Value> {
        if keys.len() <= FEW {
            let found = keys.into_iter().filter_map(|key| {
                let value = self.find(&key)?.value()?;
                Some((key, value))
            });
            return found.collect();
        }
        let wanted = Wanted { objects: keys, ..Wanted::default() };
        let reading = Reading { wanted, is_whole: false };
        let directory = self.directory.as_deref();
        let loaded = directory.and_then(|it| load_with(it, reading).ok());
        loaded.map(|it| it.kept).unwrap_or_default()
    }

    /// Returns an object of the directory as stored, and its position.
    pub(super) fn find(&self, key: &ObjectKey) -> Option<Located> {
        let directory = self.directory.as_ref()?;
        let name = memchr::memmem::Finder::new(&key.name);
        let mut files = files::below(directory, Ignoring::Within);
        files.find_map(|found| {
            let Found::File(path) = found else {
                return None;
            };
            let bytes = files::read(&path).ok()?;
            name.find(&bytes)?;
            let text = String::from_utf8(bytes).ok()?;
            locate(&path, text, key)
        })
    }
}

/// An object in a file.
pub(super) struct Located {
    pub(super) path: PathBuf,
    pub(super) text: String,
    pub(super) subject: Subject,
}

/// Returns the object of a file with this key.
pub(super) fn locate(path: &Path, text: String, key: &ObjectKey) -> Option<Located> {
    let held = subject::read(&path.display().to_string(), text.clone(), true);
    let mut subjects = held.subjects.into_iter();
    let subject = subjects.find(|it| it.key().as_ref() == Some(key))?;
    Some(Located { path: path.to_owned(), text, subject })
}

impl Located {
    /// Returns the object as JSON.
    pub(super) fn value(&self) -> Option<Value> {
        serde_json::from_str(self.subject.new_state()?.get()).ok()
    }

    /// Returns the position of a field in the file.
    pub(super) fn position(&self, pointer: &str) -> Position {
        let document = self.subject.document();
        let position = document.map_or(Position::START, |it| it.key_position(pointer));
        self.subject.position_in_file(position)
    }
}

/// What to do about a garden directory that is not read.
pub(super) const NAME_IT: &str =
    "if you trust it, name it with `--garden DIR` in the arguments of the language server";

/// Returns a digest of the names, sizes and times of all files below a directory.
///
/// # Errors
/// Fails if the workspace names the directory, and it exceeds a limit or has links to the outside.
fn digest(directory: &DirectorySource) -> anyhow::Result<u64> {
    let is_limited = directory.is_of_workspace;
    let root = directory.path.canonicalize().unwrap_or_else(|_| directory.path.clone());
    let ignoring = if is_limited { Ignoring::Contained } else { Ignoring::Within };
    let mut hasher = DefaultHasher::new();
    let (mut count, mut bytes) = (0, 0);
    for found in files::below(&root, ignoring) {
        let path = found.path();
        path.hash(&mut hasher);
        if let Ok(metadata) = fs::metadata(path) {
            (count, bytes) = (count + 1, bytes + metadata.len());
            metadata.len().hash(&mut hasher);
            metadata.modified().ok().hash(&mut hasher);
        }
        let refused = refused(&found, &root, (count, bytes)).filter(|_| is_limited);
        if let Some(why) = refused {
            bail!(
                "the directory `{}`, which the workspace names, is not read: {why}; {NAME_IT}",
                root.display()
            );
        }
    }
    Ok(hasher.finish())
}

/// Returns the reason why a directory that a workspace names is not read.
fn refused(found: &Found, root: &Path, (count, bytes): (usize, u64)) -> Option<String> {
    if count > MOST_FILES || bytes > MOST_BYTES {
        let limit = MOST_BYTES >> 20;
        return Some(format!("it has more than {MOST_FILES} manifests or {limit} MiB"));
    }
    match found {
        Found::Outside(problem) => Some(problem.to_string()),
        // The limit on files of any type has the path of the directory.
        Found::Closed(problem) => (problem.file == root).then(|| problem.message.clone()),
        Found::File(path) => (!files::contained(path, root))
            .then(|| format!("`{}` is a symbolic link to the outside", path.display())),
        Found::Loop(_) => None,
    }
}
