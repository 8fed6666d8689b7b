use crate::admission::{ErrorType, FieldPath, FindingKind, Findings, Reported};

/// The path of a value as an extension reports it, and the real one in the object.
#[derive(Clone, Debug)]
pub(in crate::rules) struct ReportedPath {
    /// As the extension reports it.
    pub(in crate::rules) own: FieldPath,
    /// In the object.
    pub(in crate::rules) real: FieldPath,
}

impl ReportedPath {
    /// Returns a path that the extension reports unchanged.
    pub(in crate::rules) fn same(path: FieldPath) -> Self {
        Self { own: path.clone(), real: path }
    }

    pub(in crate::rules) fn child(&self, name: &'static str) -> Self {
        Self { own: self.own.child(name), real: self.real.child(name) }
    }

    pub(in crate::rules) fn child_called(&self, name: &str) -> Self {
        Self { own: self.own.child_called(name), real: self.real.child_called(name) }
    }

    pub(in crate::rules) fn descendant(&self, dotted: &'static str) -> Self {
        Self { own: self.own.descendant(dotted), real: self.real.descendant(dotted) }
    }

    pub(in crate::rules) fn index(&self, index: usize) -> Self {
        Self { own: self.own.index(index), real: self.real.index(index) }
    }

    /// Reports an error at this path.
    pub(in crate::rules) fn report<'f>(
        &self,
        (kind, error): (&'static FindingKind, ErrorType),
        message: impl Into<String>,
        findings: &'f mut Findings,
    ) -> Reported<'f> {
        findings.report(kind, error, self.own.clone(), message).at(&self.real)
    }
}
