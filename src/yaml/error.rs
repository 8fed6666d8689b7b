use thiserror::Error;

use super::Position;

/// An error in a text, with its position.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{position}: {message}")]
pub struct SourceError {
    /// The position.
    pub position: Position,
    /// The message, one sentence without the position.
    pub message: String,
}

impl SourceError {
    pub(super) fn new(position: Position, message: impl Into<String>) -> Self {
        Self {
            position,
            message: message.into(),
        }
    }
}
