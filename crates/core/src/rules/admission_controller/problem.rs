// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use crate::admission::{ErrorType, FieldPath, FindingKind, Help};
use crate::rules::shared::reported_path::ReportedPath;

/// An error in a configuration of an API server.
pub(super) struct Problem {
    pub(super) kind: &'static FindingKind,
    pub(super) error: ErrorType,
    /// The field as reported, and its path in the configuration.
    pub(super) place: ReportedPath,
    pub(super) message: Cow<'static, str>,
    pub(super) value: Option<String>,
    pub(super) help: Cow<'static, str>,
}

impl Problem {
    pub(super) fn new(
        (kind, error): (&'static FindingKind, ErrorType),
        place: ReportedPath,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { kind, error, place, message: message.into(), value: None, help: Cow::Borrowed("") }
    }

    /// Returns an error about the configuration as a whole.
    pub(super) fn of_file(
        kind: (&'static FindingKind, ErrorType),
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::new(kind, ReportedPath::same(FieldPath::root()), message)
    }

    pub(super) fn value(self, value: &str) -> Self {
        Self { value: Some(value.to_owned()), ..self }
    }

    /// Sets the help, without its remedy, which would be an edit of the configuration.
    pub(super) fn help(self, help: impl Into<Help>) -> Self {
        Self { help: help.into().text, ..self }
    }
}
