// SPDX-License-Identifier: Apache-2.0
//! Manifests of a change that ignore files, the configuration or a garden directory hide from its review.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::git::Revision;
use super::input;
use super::paths::PathRules;
use super::repository::shown;
use crate::files::{IGNORE_FILE, ignores};
use garden_gate_products::report::ConfigFile;
use garden_gate_products::review::subject::{self, Subject};

/// The reasons for which files of a change are not read.
pub(crate) struct Hiding<'a> {
    pub(crate) revision: &'a Revision,
    pub(crate) config: Option<&'a ConfigFile>,
    pub(crate) path_rules: &'a PathRules,
    /// Garden directories inside of reviewed directories, as absolute paths.
    pub(crate) gardens: &'a [PathBuf],
    /// Whether the configuration names the garden directory.
    pub(crate) is_garden_configured: bool,
}

impl Hiding<'_> {
    /// Returns an undetermined subject for each hidden file with objects that `kubectl apply` would store.
    ///
    /// Rules that the change does not modify may hide files. `.gitignore` hides none: it has no effect on files in Git.
    ///
    /// # Errors
    /// Fails if `git` fails.
    pub(crate) fn subjects(
        &self,
        paths: &[PathBuf],
        walked: &HashSet<PathBuf>,
    ) -> anyhow::Result<Vec<Subject>> {
        let mut subjects = Vec::new();
        let mut hidden = self.revision.changed_manifests(paths)?;
        hidden.retain(|it| !walked.contains(it) && it.is_file());
        if hidden.is_empty() {
            return Ok(subjects);
        }
        let is_config_changed = match self.config.filter(|it| it.is_found) {
            Some(config) => self.revision.has_other(Path::new(&config.path))?,
            None => false,
        };
        for file in hidden {
            let in_garden = self.gardens.iter().any(|it| file.starts_with(it));
            let is_hidden_by_config =
                if in_garden { self.is_garden_configured } else { self.path_rules.excludes(&file) };
            let is_trusted = if in_garden || is_hidden_by_config {
                !is_hidden_by_config || !is_config_changed
            } else {
                self.is_ignored_before(&file)?
            };
            if !is_trusted && holds_objects(&file) {
                subjects.push(Subject::unreadable(&shown(&file), WHY.to_owned()));
            }
        }
        Ok(subjects)
    }

    /// Reports whether an ignore file of garden-gate that the change does not modify matches a file.
    fn is_ignored_before(&self, file: &Path) -> anyhow::Result<bool> {
        let folders = file.ancestors().skip(1);
        for folder in folders.take_while(|it| it.starts_with(self.revision.root())) {
            let ignore_file = folder.join(IGNORE_FILE);
            if ignores(&ignore_file, file) && !self.revision.has_other(&ignore_file)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The message about a hidden file.
const WHY: &str = "the change contains this file, but ignore rules or its configuration hide it, and `kubectl apply` of its directory stores its objects; remove the rule, name the file as a path, or name the configuration with --config";

fn holds_objects(file: &Path) -> bool {
    match input::listed(file).text {
        Ok(text) => {
            let held = subject::read(&shown(file), text, false);
            let is_object = |it: &Subject| it.why_no_manifest().is_none();
            held.subjects.iter().any(is_object)
        }
        Err(_) => true,
    }
}
