// SPDX-License-Identifier: Apache-2.0
//! Problems that the other manifests of a directory cause.

use garden_gate_core::admission::{ErrorType, FieldPath, FindingKind};
use garden_gate_text::yaml::Text;

/// A problem that the rule `gardenadm/directory` reports.
#[derive(Clone, Debug)]
pub(in crate::review) struct DirectoryProblem {
    pub(in crate::review) kind: &'static FindingKind,
    pub(in crate::review) error: ErrorType,
    pub(in crate::review) field: FieldPath,
    pub(in crate::review) message: String,
    pub(in crate::review) help: String,
}

/// A document that is not judged: its text, its number in the file from 1, and its `kind`, namespace and name.
pub(in crate::review) struct RefusedDocument<'a> {
    pub(in crate::review) text: Text,
    pub(in crate::review) number: usize,
    pub(in crate::review) identity: [&'a str; 3],
}
