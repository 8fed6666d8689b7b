// SPDX-License-Identifier: Apache-2.0
use crate::admission::{FieldPath, FindingKind, Findings};
use crate::rules::shared::lists::short;
use garden_gate_model::api::{Listed, Step};

/// Converts steps to a path; a very long name is omitted, so that the path is that of its parent.
pub(super) fn path(steps: &[Step<'_>]) -> FieldPath {
    path_below(FieldPath::root(), steps)
}

/// Converts steps from an object at `place` to a path, as [`path`].
pub(crate) fn path_below(place: FieldPath, steps: &[Step<'_>]) -> FieldPath {
    steps.iter().fold(place, |path, step| match step {
        Step::Field(name) => path.child(name),
        Step::Unknown(name) if short(name) == *name => path.child_called(name),
        Step::Key(name) if short(name) == *name => path.key(name),
        Step::Unknown(_) | Step::Key(_) => path,
        Step::Index(index) => path.index(*index),
    })
}

/// Reports the total number of mistakes, if not all are listed.
pub(super) fn report<T>(
    mistakes: &Listed<'_, T>,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    report_rest(mistakes.count, mistakes.first.len(), kind, findings);
}

/// Reports the total number of mistakes, if more than the listed ones.
pub(crate) fn report_rest(
    count: usize,
    listed: usize,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    if count > listed {
        let message = format!("there are {count} of these; only the first {listed} are listed");
        findings
            .invalid(kind, FieldPath::root(), message)
            .help("correct these first; the others are listed then");
    }
}
