// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use garden_gate_text::escape;

use super::secret::Secret;

/// Maximum size of the reason for a failure in bytes.
const SIZE: usize = 300;

/// A message that was not delivered.
#[derive(Debug)]
pub(super) struct Failure {
    /// The reason, escaped and without secrets.
    pub(super) why: String,
    pub(super) remedy: Remedy,
}

/// What to do after a failure.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Remedy {
    /// Retry, not before this time has passed.
    Retry(Duration),
    /// Give this message up.
    GiveUp,
    /// Give all messages to this destination up: it refuses the credentials or does not exist.
    GiveUpAll,
}

impl Failure {
    /// Creates a failure whose reason may contain text from the network.
    pub(super) fn new(why: &str, remedy: Remedy, secrets: &[&Secret]) -> Self {
        let why = secrets.iter().fold(why.to_owned(), |why, secret| secret.redact(&why));
        Self { why: escape::value_within(why, SIZE), remedy }
    }

    /// Creates a failure that may pass.
    pub(super) fn temporary(why: &str, secrets: &[&Secret]) -> Self {
        Self::new(why, Remedy::Retry(Duration::ZERO), secrets)
    }
}

/// Returns an object of an API server, or `None` if it does not exist.
///
/// # Errors
/// Fails for other reasons.
pub(super) fn found<T>(answer: Result<T, kube::Error>) -> Result<Option<T>, kube::Error> {
    match answer {
        Ok(object) => Ok(Some(object)),
        Err(kube::Error::Api(status)) if status.code == 404 => Ok(None),
        Err(error) => Err(error),
    }
}

/// Joins an error and its causes.
pub(super) fn causes(error: &dyn std::error::Error) -> String {
    let chain = std::iter::successors(Some(error), |it| it.source());
    escape::causes(chain.map(ToString::to_string))
}
