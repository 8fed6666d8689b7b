use thiserror::Error;

use super::Position;

/// What is wrong with a text, and where.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{position}: {message}")]
pub struct SourceError {
    /// Where.
    pub position: Position,
    /// What, in one sentence without the position.
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
