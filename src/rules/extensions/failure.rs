use crate::admission::{ErrorType, FieldPath, FindingKind};
use crate::gardener::extensions::Document;

/// The findings of every extension.
#[derive(Clone, Copy)]
pub(in crate::rules) struct CommonFindings {
    /// A configuration cannot be decoded.
    pub(in crate::rules) undecodable: &'static FindingKind,
    /// The component fails.
    pub(in crate::rules) failure: &'static FindingKind,
}

/// How an extension reports that it cannot decode a configuration.
#[derive(Clone)]
pub(in crate::rules) struct Failure {
    /// The type of the error.
    pub(in crate::rules) error: ErrorType,
    /// The field that it names; the root if it names none.
    pub(in crate::rules) field: FieldPath,
    /// The finding.
    pub(in crate::rules) kind: &'static FindingKind,
}

impl Failure {
    /// Returns a failure whose error names no field.
    pub(in crate::rules) fn without_field(kind: &'static FindingKind) -> Self {
        Self { error: ErrorType::Decode, field: FieldPath::root(), kind }
    }
}

/// Returns the path of a configuration in its object.
pub(in crate::rules) fn path(document: &Document<'_>) -> FieldPath {
    FieldPath::of_pointer(&document.pointer())
}
