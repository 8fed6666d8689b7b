//! The garden of a session: read in the background, once, and again when it has changed.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use crate::config::Config;
use crate::files::{self, Found, Ignoring};
use crate::garden::directory::{Listed, Reading, Wanted, load_with};
use crate::garden::{Knowledge, ObjectKey, Snapshot};
use crate::review::cluster::Live;
use crate::review::live::{self, ClusterState};
use crate::review::parameters::{ChangedParameters, from_cluster, from_directory};
use crate::review::subject::{self, Subject};
use crate::yaml::Position;

/// The source of the garden.
#[derive(Clone, Debug)]
pub(crate) enum GardenSource {
    /// None: checks that depend on other objects are undetermined.
    Nothing,
    /// A directory, and whether it is declared to be complete.
    Directory(PathBuf, bool),
    /// A live cluster.
    Live(Arc<Live>),
}

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
            Self::Directory(directory, is_whole) => {
                let now = digest(directory);
                if stamp == Some(now) {
                    return Ok(None);
                }
                let keys = subjects.iter().filter_map(Subject::key);
                let wanted = Wanted {
                    objects: keys.filter(|it| !it.kind.is_of_shoot_cluster()).collect(),
                    kinds: Vec::new(),
                    config_map_data: true,
                };
                let is_whole = *is_whole;
                let loaded = load_with(directory, Reading { wanted, is_whole })?;
                let problem = (!loaded.problems.is_empty()).then(|| {
                    let name = directory.display();
                    format!(
                        "the garden directory `{name}` has {}",
                        Listed(&loaded.problems)
                    )
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
                let look = live::Look {
                    config,
                    has_old_states: true,
                    namespace: None,
                    writes_versions: None,
                };
                let ClusterState {
                    snapshot,
                    stored,
                    unknown,
                } = live::look(live, &mut subjects, look)?;
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

impl Garden {
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
    Some(Located {
        path: path.to_owned(),
        text,
        subject,
    })
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

/// Returns a digest of the names, sizes and times of all files below a directory.
fn digest(directory: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    for found in files::below(directory, Ignoring::Within) {
        let path = found.path();
        path.hash(&mut hasher);
        if let Ok(metadata) = fs::metadata(path) {
            metadata.len().hash(&mut hasher);
            metadata.modified().ok().hash(&mut hasher);
        }
    }
    hasher.finish()
}
