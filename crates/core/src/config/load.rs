// SPDX-License-Identifier: Apache-2.0
use std::io;
use std::path::{Path, PathBuf};

use super::admission::{self, Plugin};
use super::problem::{ConfigError, ConfigProblem, Severity};
use super::reader::{Located, Reader};
use super::{
    Components, Config, KnownIds, ReviewDefaults, TolerationLists, check, components, review,
};
use garden_gate_text::yaml::{self, Position};

/// The files of a configuration.
/// Without any, all settings have their defaults.
#[derive(Clone, Debug, Default)]
pub struct ConfigFiles {
    /// The configuration file of garden-gate.
    pub config: Option<PathBuf>,
    /// Gardener's `AdmissionConfiguration`, which contains the toleration lists.
    pub admission_config: Option<PathBuf>,
}

/// Access to files, which this module does not have itself.
pub trait FileAccess {
    /// Returns the text of a configuration file.
    ///
    /// # Errors
    /// Fails if it cannot be read, is too large, or is not UTF-8.
    fn read(&self, file: &Path) -> io::Result<String>;

    /// Returns the problem with a symbolic link on the path that leads out of the tree that contains it.
    fn escaping_link(&self, file: &Path) -> Option<String>;

    /// Reports whether `named` is known to be in the Git work tree of `file`, or `file` in none.
    fn keeps_work_tree(&self, file: &Path, named: &Path) -> bool;
}

/// A valid configuration.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The configuration.
    pub config: Config,
    /// The defaults of the command-line options of `garden-gate review`.
    pub review: ReviewDefaults,
    /// Warnings about the configuration.
    pub warnings: Vec<ConfigProblem>,
    /// All files that were read, to be watched for changes.
    pub files: Vec<PathBuf>,
}

/// Parses and checks the content of a configuration file.
///
/// `file` is its name in problems.
///
/// # Errors
/// Fails with all errors in the text.
pub fn read(file: &str, text: &str, known: &KnownIds) -> Result<Checked, ConfigError> {
    let mut checked = Checked::default();
    checked.read_own(Path::new(file), text, known);
    checked.without_errors()
}

/// Parses and checks a component vector of gardener-landscape-kit.
///
/// `file` is its name in problems.
///
/// # Errors
/// Fails with all errors in the text.
pub fn read_components(file: &str, text: &str) -> Result<Components, ConfigError> {
    let (mut checked, file) = (Checked::default(), Path::new(file));
    let read = checked.read_text(file, text, components::read);
    if read.is_none() {
        let help = "it should have a list `components`";
        checked.error(file, Position::START, "the file is empty", help);
    }
    checked.without_errors()?;
    Ok(read.unwrap_or_default())
}

/// Reads and checks the files.
///
/// # Errors
/// Fails with the first file that cannot be read, or with all errors in all files.
pub fn load(
    files: &ConfigFiles,
    known: &KnownIds,
    access: &dyn FileAccess,
) -> Result<Checked, ConfigError> {
    let mut checked = Checked::default();
    let unread = |path: &Path, source| {
        let path = path.display().to_string();
        ConfigError::ReadFile { path, source }
    };
    let mut own_lists = None;
    if let Some(path) = &files.config {
        let text = checked.read_file(path, access).map_err(|source| unread(path, source))?;
        own_lists = checked.read_own(path, &text, known);
        checked.hide_foreign(path, 0, access);
    }
    if let Some(path) = &files.admission_config {
        let text = checked.read_file(path, access).map_err(|source| unread(path, source))?;
        let before = checked.warnings.len();
        let lists = checked.read_admission(path, &text, access);
        checked.hide_foreign(path, before, access);
        match (own_lists, &files.config, lists) {
            (Some(position), Some(own), Some(_)) => {
                let message =
                    format!("toleration lists are given here and in `{}`", path.display());
                checked.error(own, position, &message, "keep one of the two");
            }
            (_, _, Some(lists)) => checked.config.tolerations = lists,
            (_, _, None) => {}
        }
    }
    checked.without_errors()
}

/// Maximum number of quoted characters of a line with an error.
const LONGEST_LINE: usize = 100;

impl Checked {
    fn without_errors(self) -> Result<Self, ConfigError> {
        let is_error = |problem: &ConfigProblem| problem.severity == Severity::Error;
        if self.warnings.iter().any(is_error) {
            return Err(ConfigError::Mistakes(self.warnings));
        }
        Ok(self)
    }

    fn error(&mut self, file: &Path, position: Position, message: &str, help: &str) {
        let file = file.display().to_string();
        self.warnings.push(ConfigProblem::new(&file, position, Severity::Error, message, help));
    }

    /// Hides the content of a file outside of the tree in which a symbolic link leads to it.
    ///
    /// The author of a pull request may have chosen the file. Its problems, from the index `begin` on, quote lines.
    fn hide_foreign(&mut self, path: &Path, begin: usize, access: &dyn FileAccess) {
        if let Some(problem) = access.escaping_link(path) {
            self.hide(path, begin, &problem);
        }
    }

    /// Replaces the problems from the index `begin` on by one that does not quote the file.
    fn hide(&mut self, path: &Path, begin: usize, why: &str) {
        let hidden = self.warnings.split_off(begin);
        if hidden.iter().any(|it| it.severity == Severity::Error) {
            let message = "the file is not a valid configuration; its content is not shown";
            self.error(path, Position::START, message, why);
        }
    }

    fn read_file(&mut self, path: &Path, access: &dyn FileAccess) -> io::Result<String> {
        self.files.push(path.to_owned());
        access.read(path)
    }

    /// Parses the configuration file, and returns the position of its toleration lists, if any.
    fn read_own(&mut self, file: &Path, text: &str, known: &KnownIds) -> Option<Position> {
        let (config, review, lists) = self.read_text(file, text, |reader, root| {
            let lists = root.field("tolerations").map(|at| reader.position(&at.key()));
            let review = root.field("review").map(|at| review::read(reader, &at, file, known));
            (check::read(reader, root, known), review, lists)
        })?;
        self.config = config;
        self.review = review.unwrap_or_default();
        lists
    }

    fn read_admission(
        &mut self,
        path: &Path,
        text: &str,
        access: &dyn FileAccess,
    ) -> Option<TolerationLists> {
        match self.read_text(path, text, admission::read) {
            Some(Plugin::Inline(lists)) => Some(lists),
            Some(Plugin::File { path: named, position }) => {
                let beside = path.parent().unwrap_or(Path::new("")).join(&named);
                let begin = self.warnings.len();
                let lists = self.read_plugin_file(&beside, access);
                if access.keeps_work_tree(path, &beside) {
                    self.hide_foreign(&beside, begin, access);
                } else {
                    self.hide(&beside, begin, "it is outside of the Git work tree");
                }
                Some(lists.unwrap_or_else(|error| {
                    let message = format!("failed to read `{}`: {error}", beside.display());
                    let help = "the path is relative to the folder of this file";
                    self.error(path, position, &message, help);
                    TolerationLists::default()
                }))
            }
            Some(Plugin::Absent) => None,
            None => {
                let help = "it should hold an AdmissionConfiguration";
                self.error(path, Position::START, "the file is empty", help);
                None
            }
        }
    }

    fn read_plugin_file(
        &mut self,
        path: &Path,
        access: &dyn FileAccess,
    ) -> io::Result<TolerationLists> {
        let text = self.read_file(path, access)?;
        Ok(self.read_text(path, &text, admission::read_plugin).unwrap_or_default())
    }

    /// Parses the only document of a text; returns `None` if there is none.
    fn read_text<T: Default>(
        &mut self,
        file: &Path,
        text: &str,
        read: impl FnOnce(&mut Reader<'_>, &Located<'_>) -> T,
    ) -> Option<T> {
        let documents = match yaml::parse(text) {
            Ok(documents) => documents,
            Err(error) => {
                let line = text.lines().nth(error.position.line.saturating_sub(1));
                let line: String = line.unwrap_or_default().chars().take(LONGEST_LINE).collect();
                let help = match line.trim() {
                    // YAML parses an unquoted pattern as an alias.
                    _ if error.message.contains("alias") => {
                        "put what begins with `*` in quotes: `\"*\"`"
                    }
                    "" => "check indentation, quotes and brackets above this line",
                    line => {
                        &format!("check indentation, quotes and brackets at `{line}`, or above it")
                    }
                };
                self.error(file, error.position, &error.message, help);
                return Some(T::default());
            }
        };
        let document = documents.first()?;
        let (name, value) = (file.display().to_string(), document.to_value());
        let mut reader = Reader::new(&name, document);
        let result = read(&mut reader, &Located::root(&value));
        let begin = self.warnings.len();
        self.warnings.extend(reader.problems);
        if let Some(second) = documents.get(1) {
            let help = "such a file has one; remove the others";
            self.error(file, second.position(""), "a second document begins here", help);
        }
        // The sort is stable, so that problems at the same position keep their order.
        self.warnings[begin..].sort_by_key(|problem| problem.position);
        Some(result)
    }
}
