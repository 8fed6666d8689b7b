// SPDX-License-Identifier: Apache-2.0
use crate::admission::{ErrorType, FieldPath, FindingKind};
use garden_gate_model::gardener::extensions::Document;

/// The findings of every extension.
#[derive(Clone, Copy)]
pub(crate) struct CommonFindings {
    /// A configuration cannot be decoded.
    pub(crate) undecodable: &'static FindingKind,
    /// The component fails.
    pub(crate) failure: &'static FindingKind,
}

/// How an extension reports that it cannot decode a configuration.
#[derive(Clone)]
pub(crate) struct Failure {
    /// The type of the error.
    pub(crate) error: ErrorType,
    /// The field that it names; the root if it names none.
    pub(crate) field: FieldPath,
    /// The finding.
    pub(crate) kind: &'static FindingKind,
}

impl Failure {
    /// Returns a failure whose error names no field.
    pub(crate) fn without_field(kind: &'static FindingKind) -> Self {
        Self { error: ErrorType::Decode, field: FieldPath::root(), kind }
    }
}

/// Returns the path of a configuration in its object.
pub(crate) fn path(document: &Document<'_>) -> FieldPath {
    FieldPath::of_pointer(&document.pointer())
}
