// SPDX-License-Identifier: Apache-2.0
use crate::admission::{ErrorType, FieldPath, FindingKind, Findings, Reported};

/// The path of a value as an extension reports it, and the real one in the object.
#[derive(Clone, Debug)]
pub(crate) struct ReportedPath {
    /// As the extension reports it.
    pub(crate) own: FieldPath,
    /// In the object.
    pub(crate) real: FieldPath,
}

impl ReportedPath {
    /// Returns a path that the extension reports unchanged.
    pub(crate) fn same(path: FieldPath) -> Self {
        Self { own: path.clone(), real: path }
    }

    pub(crate) fn child(&self, name: &'static str) -> Self {
        Self { own: self.own.child(name), real: self.real.child(name) }
    }

    pub(crate) fn child_called(&self, name: &str) -> Self {
        Self { own: self.own.child_called(name), real: self.real.child_called(name) }
    }

    pub(crate) fn descendant(&self, dotted: &'static str) -> Self {
        Self { own: self.own.descendant(dotted), real: self.real.descendant(dotted) }
    }

    pub(crate) fn index(&self, index: usize) -> Self {
        Self { own: self.own.index(index), real: self.real.index(index) }
    }

    /// Reports that a check at this path is undetermined.
    pub(crate) fn leave_open(&self, message: impl Into<String>, findings: &mut Findings) {
        findings.undetermined(&self.own, message);
    }

    /// Reports an error at this path.
    pub(crate) fn report<'f>(
        &self,
        (kind, error): (&'static FindingKind, ErrorType),
        message: impl Into<String>,
        findings: &'f mut Findings,
    ) -> Reported<'f> {
        findings.report(kind, error, self.own.clone(), message).at(&self.real)
    }
}
