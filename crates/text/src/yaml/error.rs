// SPDX-License-Identifier: Apache-2.0
use thiserror::Error;

use super::Position;

/// Maximum nesting depth: far beyond any manifest, and small enough for recursion over the tree.
pub(super) const MAX_DEPTH: usize = 100;

/// An error in a text, with its position.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{position}: {message}")]
pub struct SourceError {
    /// The position.
    pub position: Position,
    /// The message, one sentence without the position.
    pub message: String,
    /// Whether the text is not valid YAML; otherwise, a value is not as expected.
    pub is_syntax: bool,
}

impl SourceError {
    /// Returns an error of a value.
    pub fn new(position: Position, message: impl Into<String>) -> Self {
        Self { position, message: message.into(), is_syntax: false }
    }
}

/// Returns the error for a value below the maximum depth.
pub(super) fn too_deep(position: Position) -> SourceError {
    SourceError::new(position, format!("nested more than {MAX_DEPTH} levels deep"))
}
