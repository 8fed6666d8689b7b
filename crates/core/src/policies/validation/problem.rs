// SPDX-License-Identifier: Apache-2.0
use crate::admission::FieldPath;
use crate::policies::policy_document::{LONGEST_MESSAGE, PolicyError};
use garden_gate_text::go::clip;
use garden_gate_text::yaml::Document;

/// An error in a field of a policy.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) path: FieldPath,
    /// The error, as the predicate of a sentence about the field.
    message: String,
    /// The remedy; may be empty.
    help: String,
    /// Whether it is about the name of the field.
    is_about_key: bool,
}

impl Problem {
    pub(super) fn new(
        path: &FieldPath,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { path: path.clone(), message: message.into(), help: help.into(), is_about_key: false }
    }

    /// Returns the error, about the name of the field instead of its value.
    pub(super) fn about_key(self) -> Self {
        Self { is_about_key: true, ..self }
    }

    /// Returns the error as a sentence that begins with the field in backticks.
    pub(super) fn sentence(&self) -> String {
        let sentence = format!("`{}` {}", self.path, self.message);
        clip(sentence, LONGEST_MESSAGE)
    }

    /// Returns the error with the position, and the title of the policy.
    pub(super) fn placed(self, document: &Document, title: &str) -> PolicyError {
        let pointer = self.path.pointer();
        PolicyError {
            position: if self.is_about_key {
                document.key_position(&pointer)
            } else {
                document.position(&pointer)
            },
            message: clip(format!("{title}: {}", self.sentence()), LONGEST_MESSAGE),
            help: self.help,
        }
    }
}
