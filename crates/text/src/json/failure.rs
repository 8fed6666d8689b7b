// SPDX-License-Identifier: Apache-2.0
//! Errors of decoding, with the texts of `serde_json`.

use std::fmt;

use memchr::memchr_iter;
use serde::de::{Error as _, Expected, IgnoredAny, Unexpected};

use super::syntax::Invalid;

/// The error of a value; small, since all results have room for it.
#[derive(Debug)]
pub(super) struct Failure(Box<Cause>);

#[derive(Debug)]
struct Cause {
    error: serde_json::Error,
    /// The index of the value; `None` until it is known.
    at: Option<usize>,
    is_syntax: bool,
}

impl Failure {
    /// Converts the error to one of `serde_json`, with its position.
    pub(super) fn of_text(self, text: &str) -> serde_json::Error {
        // The text is scanned once more for the reason why it is no JSON.
        let Cause { error, at, is_syntax } = *self.0;
        if is_syntax && let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
            return error;
        }
        let before = text.as_bytes().get(..at.unwrap_or(text.len())).unwrap_or_default();
        let line = before.rsplit(|it| *it == b'\n').next().unwrap_or_default();
        let lines = memchr_iter(b'\n', before).count();
        let (line, column) = (lines + 1, line.len());
        serde_json::Error::custom(format_args!("{error} at line {line} column {column}"))
    }

    fn new(error: serde_json::Error) -> Self {
        Self(Box::new(Cause { error, at: None, is_syntax: false }))
    }

    pub(super) fn at(mut self, at: usize) -> Self {
        self.0.at.get_or_insert(at);
        self
    }
}

impl From<Invalid> for Failure {
    #[cold]
    fn from(_: Invalid) -> Self {
        let mut failure = Self::custom("invalid JSON");
        failure.0.is_syntax = true;
        failure
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.error.fmt(f)
    }
}

impl std::error::Error for Failure {}

impl serde::de::Error for Failure {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(serde_json::Error::custom(message))
    }

    #[cold]
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(serde_json::Error::invalid_type(found, expected))
    }

    #[cold]
    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(serde_json::Error::invalid_value(found, expected))
    }
}
