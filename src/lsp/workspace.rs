// SPDX-License-Identifier: Apache-2.0
//! Manifests of the workspace that are not open, and the old state of all manifests.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::files::{self, Found, Ignoring};
use crate::review::git::Revision;
use crate::review::input;
use crate::review::kustomize::{Kustomization, Kustomizations};
use crate::review::manifests::before;
use crate::review::repository::shown;
use garden_gate_core::garden::ObjectKey;
use garden_gate_products::review::subject::{self, FileObjects, Subject};

/// Maximum number of files that are read.
const MOST_FILES: usize = 20_000;
/// Maximum size of all files that are read, in bytes.
const MOST_BYTES: u64 = 256 << 20;

/// A file of the workspace.
struct File {
    /// The time and size when it was read.
    stamp: (Option<SystemTime>, u64),
    objects: Arc<FileObjects>,
    kustomization: Option<Arc<Kustomization>>,
}

impl File {
    /// Reports whether the file has objects that are not judged, or a kustomization.
    fn has_others(&self) -> bool {
        let FileObjects { named, policies, parameters, .. } = &*self.objects;
        let has_others = !named.is_empty() || !policies.is_empty() || !parameters.is_empty();
        has_others || self.kustomization.is_some()
    }
}

/// The files of the workspace.
#[derive(Default)]
pub(super) struct Workspace {
    files: BTreeMap<PathBuf, File>,
    old: OldState,
    /// Messages about files that were left out, and about Git.
    pub(super) problems: Vec<String>,
}

/// The old state of the manifests.
#[derive(Default)]
struct OldState {
    /// The revision that was read; `None` without Git.
    commit: Option<(String, HashSet<PathBuf>)>,
    subjects: Vec<Subject>,
    name: String,
}

impl Workspace {
    /// Reads new and changed files below `roots`, and the old state of them and of `open` files in a Git revision.
    ///
    /// Returns whether all verdicts may have changed; changes of judged objects are compared separately.
    pub(super) fn refresh(
        &mut self,
        (roots, open): (&[PathBuf], &[PathBuf]),
        gardens: &[PathBuf],
        (revision, is_required): (&str, bool),
    ) -> bool {
        self.problems.clear();
        let mut has_changed = self.walk(roots, gardens);
        let walked: HashSet<PathBuf> = self.files.keys().chain(open).cloned().collect();
        let mut commits = Vec::new();
        // Without a folder, only open files are compared.
        let roots = if roots.is_empty() { open } else { roots };
        for root in roots {
            match Revision::find(root, revision) {
                Ok(revision) => commits.push((root, revision)),
                // A workspace need not be a repository.
                Err(error) if is_required => {
                    self.problems.push(format!("the old state is unknown: {error:#}"));
                }
                Err(_) => {}
            }
        }
        let ids = commits.iter().map(|(_, it)| it.commit()).collect::<Vec<&str>>().join(" ");
        let is_known = match &self.old.commit {
            Some((known, files)) => *known == ids && *files == walked,
            None => ids.is_empty(),
        };
        if !is_known {
            self.old = OldState::default();
            for (root, revision) in commits {
                match revision.files(std::slice::from_ref(root), &walked) {
                    Ok(inputs) => {
                        let old =
                            inputs.into_iter().filter_map(|it| before(it, &revision.name).ok());
                        self.old.subjects.extend(old.flat_map(|(subjects, _)| subjects));
                        self.old.name = revision.name;
                    }
                    Err(error) => {
                        self.problems.push(format!("the old state is unknown: {error:#}"));
                    }
                }
            }
            self.old.commit = (!ids.is_empty()).then_some((ids, walked));
            has_changed = true;
        }
        has_changed
    }

    /// Reads new and changed files; returns whether any contains or contained more than objects that are compared.
    fn walk(&mut self, roots: &[PathBuf], gardens: &[PathBuf]) -> bool {
        let mut known = std::mem::take(&mut self.files);
        let (mut has_changed, mut bytes) = (false, 0);
        for root in roots {
            let except: Vec<PathBuf> =
                input::inside(root, gardens).iter().map(|it| root.join(it)).collect();
            for found in files::below(root, Ignoring::Above) {
                let Found::File(path) = found else { continue };
                if except.iter().any(|it| path.starts_with(it)) || self.files.contains_key(&path) {
                    continue;
                }
                let Ok(metadata) = fs::metadata(&path) else {
                    continue;
                };
                bytes += metadata.len();
                if self.files.len() >= MOST_FILES || bytes > MOST_BYTES {
                    let limit = MOST_BYTES >> 20;
                    self.problems.push(format!(
                        "the workspace has more than {MOST_FILES} manifests or {limit} MiB; objects of further files are unknown to other files"
                    ));
                    return has_changed;
                }
                let stamp = (metadata.modified().ok(), metadata.len());
                let file = match known.remove(&path) {
                    Some(file) if file.stamp == stamp => file,
                    before => {
                        let file = read(&path, stamp);
                        has_changed |=
                            before.is_some_and(|it| it.has_others()) || file.has_others();
                        file
                    }
                };
                self.files.insert(path, file);
            }
        }
        has_changed || known.values().any(File::has_others)
    }

    /// Returns the objects of selected files.
    pub(super) fn objects(
        &self,
        is_selected: impl Fn(&Path) -> bool,
    ) -> impl Iterator<Item = &FileObjects> {
        let files = self.files.iter().filter(move |(path, _)| is_selected(path));
        files.map(|(_, file)| &*file.objects)
    }

    /// Returns the file with an object.
    pub(super) fn file_of(&self, key: &ObjectKey) -> Option<&Path> {
        let mut files = self.files.iter();
        let found = files.find(|(_, file)| {
            let mut subjects = file.objects.subjects.iter();
            subjects.any(|it| it.key().as_ref() == Some(key))
        });
        found.map(|(path, _)| path.as_path())
    }

    /// Returns the kustomizations of the workspace and above it.
    pub(super) fn kustomizations(&self, roots: &[PathBuf]) -> Kustomizations {
        let mut kustomizations = Kustomizations::default();
        kustomizations.extend_above(roots);
        let own = self.files.values().filter_map(|it| it.kustomization.as_deref());
        kustomizations.extend(own.cloned());
        kustomizations
    }

    /// Returns the old state of all manifests and its name; `None` without one.
    pub(super) fn old(&self) -> Option<(&[Subject], &str)> {
        self.old.commit.as_ref()?;
        Some((&self.old.subjects, &self.old.name))
    }
}

fn read(path: &Path, stamp: (Option<SystemTime>, u64)) -> File {
    let text = files::read(path).ok().and_then(|it| String::from_utf8(it).ok()).unwrap_or_default();
    let kustomization = Kustomization::of(path, &text).map(Arc::new);
    let mut objects = subject::read(&shown(path), text, false);
    // Open documents have diagnostics about errors.
    objects.subjects.retain(|it| it.why_unreadable().is_none());
    File { stamp, objects: Arc::new(objects), kustomization }
}
