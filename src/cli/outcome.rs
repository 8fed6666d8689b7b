//! How a command ended, and its errors as text.

use std::error::Error;
use std::process::ExitCode;

use crate::config::ConfigError;
use crate::escape;
use crate::garden::directory::DirectoryError;
use crate::server::ServerError;

/// What the command is called, in completions and manuals, too.
pub(super) const PROGRAM: &str = "garden-gate";

/// How a command ended that could do its work.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Outcome {
    /// Nothing to complain about: exit code 0.
    Clean,
    /// What was looked at has problems, which were reported: exit code 1.
    Problems,
    /// Something could not be judged, which was reported: exit code 2.
    Undetermined,
    /// There was nothing to look at: exit code 3.
    Nothing,
    /// The command failed, which it has reported: exit code 2.
    Failed,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Clean => ExitCode::SUCCESS,
            Outcome::Problems => ExitCode::from(1),
            Outcome::Undetermined | Outcome::Failed => ExitCode::from(2),
            Outcome::Nothing => ExitCode::from(3),
        }
    }
}

/// Formats the error of a command, escaped. Mistakes of a configuration or a garden have lines of their own.
#[must_use]
pub fn complaint(error: &anyhow::Error) -> String {
    let causes = error.chain().map(|cause| match is_laid_out(cause) {
        true => cause.to_string(),
        false => escape::value(&cause.to_string()).into_owned(),
    });
    causes.collect::<Vec<_>>().join(": ")
}

fn is_laid_out(cause: &(dyn Error + 'static)) -> bool {
    let (config, garden) = match cause.downcast_ref() {
        Some(ServerError::Config(error)) => (Some(error), None),
        Some(ServerError::Garden(error)) => (None, Some(error)),
        _ => (cause.downcast_ref(), cause.downcast_ref()),
    };
    matches!(config, Some(ConfigError::Mistakes(_))) || garden.is_some_and(DirectoryError::is_list)
}
