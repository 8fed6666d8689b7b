// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::io;

use thiserror::Error;

use garden_gate_text::escape;
use garden_gate_text::yaml::Position;

/// An error or warning about a configuration file.
///
/// Displayed like a compiler message: `file:line:column: error: message`, then a line with the remedy.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ConfigProblem {
    /// The file name as given.
    pub file: String,
    /// The position in the file.
    pub position: Position,
    /// Whether the file can be used nevertheless.
    pub severity: Severity,
    /// The problem in one sentence.
    pub message: String,
    /// The remedy; may be empty.
    pub help: String,
}

/// Maximum length of a message; longer ones contain text from the file.
const LONGEST_MESSAGE: usize = 600;

impl ConfigProblem {
    /// Creates a problem with a message of limited length on one line.
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

/// The severity of a problem.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but probably does not have the intended effect.
    Warning,
    /// The file can be used, and something in it is not checked.
    Note,
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let Self { file, position, message, help, .. } = self;
        let file = escape::value(file);
        write!(f, "{file}:{position}: {severity}: {message}")?;
        if help.is_empty() {
            return Ok(());
        }
        write!(f, "\n  help: {}", escape::value(help))
    }
}

/// An error that prevents loading the configuration.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// A file could not be read.
    #[error("failed to read the configuration file `{path}`")]
    ReadFile {
        /// The file.
        path: String,
        /// The cause.
        source: io::Error,
    },
    /// The files contain errors.
    /// Includes all problems and warnings, by file and line.
    #[error("{}", list(.0))]
    Mistakes(Vec<ConfigProblem>),
}

fn list(problems: &[ConfigProblem]) -> String {
    let lines: Vec<String> = problems.iter().map(ConfigProblem::to_string).collect();
    lines.join("\n")
}
