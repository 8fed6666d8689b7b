// SPDX-License-Identifier: Apache-2.0
//! Outcome of a command, and its errors as text.

use std::error::Error;
use std::process::ExitCode;

use crate::garden::directory::DirectoryError;
use crate::server::ServerError;
use garden_gate_core::config::ConfigError;
use garden_gate_text::escape;

/// The name of the program, also in completions and man pages.
pub(super) const PROGRAM: &str = "garden-gate";

/// The outcome of a command that completed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Outcome {
    /// No problems: exit code 0.
    Clean,
    /// Problems in the input, which were reported: exit code 1.
    Problems,
    /// Undetermined checks, which were reported: exit code 4.
    Undetermined,
    /// Empty input: exit code 3.
    Nothing,
    /// Failure, which the command has reported: exit code 2.
    Failed,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Clean => ExitCode::SUCCESS,
            Outcome::Problems => ExitCode::from(1),
            Outcome::Failed => ExitCode::from(2),
            Outcome::Nothing => ExitCode::from(3),
            Outcome::Undetermined => ExitCode::from(4),
        }
    }
}

/// Formats the error of a command, escaped.
///
/// Errors of a configuration or a garden keep their line breaks.
pub fn complaint(error: &anyhow::Error) -> String {
    let causes = error.chain().map(|cause| {
        if is_laid_out(cause) {
            cause.to_string()
        } else {
            escape::value(&cause.to_string()).into_owned()
        }
    });
    escape::causes(causes)
}

fn is_laid_out(cause: &(dyn Error + 'static)) -> bool {
    let (config, garden) = match cause.downcast_ref() {
        Some(ServerError::Config(error)) => (Some(error), None),
        Some(ServerError::Garden(error)) => (None, Some(error)),
        _ => (cause.downcast_ref(), cause.downcast_ref()),
    };
    matches!(config, Some(ConfigError::Mistakes(_))) || garden.is_some_and(DirectoryError::is_list)
}
