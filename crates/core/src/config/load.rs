use std::io;
use std::path::{Path, PathBuf};

use super::admission::{self, Plugin};
use super::problem::{ConfigError, ConfigProblem, Severity};
use super::reader::{LocatedValue, Reader};
use super::{Config, KnownIds, ReviewDefaults, TolerationLists, check, review};
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
    read_own(Path::new(file), text, known, &mut checked);
    checked.without_errors()
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
    let mut own_lists = None;
    if let Some(path) = &files.config {
        let text = checked.read_file(path, access)?;
        own_lists = read_own(path, &text, known, &mut checked);
        checked.hide_foreign(path, 0, access);
    }
    if let Some(path) = &files.admission_config {
        let text = checked.read_file(path, access)?;
        let before = checked.warnings.len();
        let lists = read_admission(path, &text, &mut checked, access);
        checked.hide_foreign(path, before, access);
        match (own_lists, &files.config, lists) {
            (Some(position), Some(own), Some(_)) => {
                checked.warnings.push(twice(own, position, path))
            }
            (_, _, Some(lists)) => checked.config.tolerations = lists,
            (_, _, None) => {}
        }
    }
    checked.without_errors()
}

impl Checked {
    fn without_errors(self) -> Result<Self, ConfigError> {
        let is_error = |problem: &ConfigProblem| problem.severity == Severity::Error;
        if self.warnings.iter().any(is_error) {
            return Err(ConfigError::Mistakes(self.warnings));
        }
        Ok(self)
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
            let file = path.display().to_string();
            self.warnings.push(problem(&file, Position::START, message, why));
        }
    }

    fn read_file(&mut self, path: &Path, access: &dyn FileAccess) -> Result<String, ConfigError> {
        self.files.push(path.to_owned());
        access
            .read(path)
            .map_err(|source| ConfigError::ReadFile { path: path.display().to_string(), source })
    }
}

/// Parses the configuration file, and returns the position of its toleration lists, if any.
fn read_own(file: &Path, text: &str, known: &KnownIds, checked: &mut Checked) -> Option<Position> {
    let name = file.display().to_string();
    let read = read_text(&name, text, &mut checked.warnings, |reader, root| {
        let lists = root.field("tolerations").map(|at| reader.key_position(&at));
        let defaults = root.field("review").map(|at| review::read(reader, &at, (file, known)));
        (check::read(reader, root, known), defaults, lists)
    });
    let (config, defaults, lists) = read?;
    checked.config = config;
    checked.review = defaults.unwrap_or_default();
    lists
}

fn read_admission(
    path: &Path,
    text: &str,
    checked: &mut Checked,
    access: &dyn FileAccess,
) -> Option<TolerationLists> {
    let file = path.display().to_string();
    match read_text(&file, text, &mut checked.warnings, admission::read) {
        Some(Plugin::Inline(lists)) => Some(lists),
        Some(Plugin::File { path: named, position }) => {
            let beside = path.parent().unwrap_or(Path::new("")).join(&named);
            let begin = checked.warnings.len();
            let lists = read_plugin_file(&beside, checked, access);
            if access.keeps_work_tree(path, &beside) {
                checked.hide_foreign(&beside, begin, access);
            } else {
                checked.hide(&beside, begin, "it is outside of the Git work tree");
            }
            let lists = lists.unwrap_or_else(|error| {
                let message = format!("failed to read `{}`: {error}", beside.display());
                let help = "the path is relative to the folder of this file";
                checked.warnings.push(problem(&file, position, &message, help));
                TolerationLists::default()
            });
            Some(lists)
        }
        Some(Plugin::Absent) => None,
        None => {
            let message = "the file is empty";
            checked.warnings.push(problem(
                &file,
                Position::START,
                message,
                "it should hold an AdmissionConfiguration",
            ));
            None
        }
    }
}

fn read_plugin_file(
    path: &Path,
    checked: &mut Checked,
    access: &dyn FileAccess,
) -> io::Result<TolerationLists> {
    checked.files.push(path.to_owned());
    let text = access.read(path)?;
    let file = path.display().to_string();
    let lists = read_text(&file, &text, &mut checked.warnings, admission::read_plugin);
    Ok(lists.unwrap_or_default())
}

/// Maximum number of quoted characters of a line with an error.
const LONGEST_LINE: usize = 100;

/// Parses the only document of a text; returns `None` if there is none.
fn read_text<T: Default>(
    file: &str,
    text: &str,
    problems: &mut Vec<ConfigProblem>,
    read: impl FnOnce(&mut Reader<'_>, &LocatedValue<'_>) -> T,
) -> Option<T> {
    let documents = match yaml::parse(text) {
        Ok(documents) => documents,
        Err(error) => {
            // YAML parses an unquoted pattern as an alias.
            let line = text.lines().nth(error.position.line.saturating_sub(1));
            let line: String = line.unwrap_or_default().chars().take(LONGEST_LINE).collect();
            let help = match error.message.contains("alias") {
                true => "put what begins with `*` in quotes: `\"*\"`".to_owned(),
                false if line.trim().is_empty() => {
                    "check indentation, quotes and brackets above this line".to_owned()
                }
                false => format!(
                    "check indentation, quotes and brackets at `{}`, or above it",
                    line.trim()
                ),
            };
            problems.push(problem(file, error.position, &error.message, &help));
            return Some(T::default());
        }
    };
    let document = documents.first()?;
    let value = document.to_value();
    let mut reader = Reader::new(file, document);
    let result = read(&mut reader, &LocatedValue::root(&value));
    let mut found = reader.problems;
    found.extend(documents.get(1).map(|second| {
        let message = "a second document begins here";
        problem(
            file,
            second.position(""),
            message,
            "a configuration file has one; remove the others",
        )
    }));
    // The sort is stable, so that problems at the same position keep their order.
    found.sort_by_key(|problem| problem.position);
    problems.extend(found);
    Some(result)
}

fn twice(own: &Path, position: Position, admission_config: &Path) -> ConfigProblem {
    let message =
        format!("toleration lists are given here and in `{}`", admission_config.display());
    problem(&own.display().to_string(), position, &message, "keep one of the two")
}

fn problem(file: &str, position: Position, message: &str, help: &str) -> ConfigProblem {
    ConfigProblem::new(file, position, Severity::Error, message, help)
}
