use std::fmt;
use std::io;

use thiserror::Error;

use crate::escape;
use crate::source::Position;

/// Something wrong, or doubtful, in a configuration file.
///
/// Displayed as a compiler would: `file:line:column: error: message`, then a line with help.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ConfigProblem {
    /// The file, as it was named.
    pub file: String,
    /// Where in the file.
    pub position: Position,
    /// Whether the file can be used all the same.
    pub severity: Severity,
    /// One sentence: what is wrong.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: String,
}

/// Longer than every message of ours; what exceeds it comes from the file.
const LONGEST_MESSAGE: usize = 600;

impl ConfigProblem {
    /// A problem whose message stays one line of bearable length, whatever the file says.
    pub(super) fn new(
        file: &str,
        position: Position,
        severity: Severity,
        message: &str,
        help: &str,
    ) -> Self {
        let message: String = message.chars().take(LONGEST_MESSAGE).collect();
        Self {
            file: file.to_owned(),
            position,
            severity,
            message: escape::value(&message).into_owned(),
            help: help.to_owned(),
        }
    }
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but may not do what was meant.
    Warning,
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let Self {
            file,
            position,
            message,
            help,
            ..
        } = self;
        let file = escape::value(file);
        write!(f, "{file}:{position}: {severity}: {message}")?;
        if help.is_empty() {
            return Ok(());
        }
        write!(f, "\n  help: {}", escape::value(help))
    }
}

/// Why there is no configuration.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// A file could not be read.
    #[error("failed to read the configuration file `{path}`")]
    ReadFile {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The files have mistakes; all problems, warnings among them, file by file and line by line.
    #[error("{}", list(.0))]
    Mistakes(Vec<ConfigProblem>),
}

fn list(problems: &[ConfigProblem]) -> String {
    let lines: Vec<String> = problems.iter().map(ConfigProblem::to_string).collect();
    lines.join("\n")
}
