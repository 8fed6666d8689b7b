// SPDX-License-Identifier: Apache-2.0
//! The syntax of identifiers. Source: `pkg/apis/*/validation/filter.go` of providers.

use crate::admission::{ErrorType, FindingKind, Findings};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;

/// The syntax of an identifier.
#[derive(Clone, Copy)]
pub(crate) struct Syntax {
    /// The meaning of the identifier.
    pub(crate) name: &'static str,
    /// Reports whether a string that is not empty matches.
    pub(crate) matches: fn(&str) -> bool,
    /// Maximum length in characters.
    pub(crate) longest: usize,
    /// The error of an empty string; `None` if it may be empty.
    pub(crate) empty: Option<ErrorType>,
    /// An example.
    pub(crate) example: &'static str,
}

impl Syntax {
    /// Reports whether a value matches, without reporting it.
    pub(crate) fn accepts(&self, value: &str) -> bool {
        if value.is_empty() {
            self.empty.is_none()
        } else {
            (self.matches)(value) && value.chars().count() <= self.longest
        }
    }

    /// Reports a value that does not match.
    pub(crate) fn check(
        &self,
        value: &str,
        place: &ReportedPath,
        kind: &'static FindingKind,
        findings: &mut Findings,
    ) {
        if self.accepts(value) {
            return;
        }
        let (name, example) = (self.name, self.example);
        if let Some(error) = self.empty.filter(|_| value.is_empty()) {
            let message = format!("the {name} is empty");
            place
                .report((kind, error), message, findings)
                .help(format!("write it like {example}, or remove the field"));
            return;
        }
        let message = if (self.matches)(value) {
            format!("the {name} has more than {} characters", self.longest)
        } else {
            format!("`{}` is not a valid {name}", short(value))
        };
        place
            .report((kind, ErrorType::Invalid), message, findings)
            .value(value)
            .help(format!("write it like {example}"));
    }
}
