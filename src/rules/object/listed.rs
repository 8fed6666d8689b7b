use crate::engine::{FieldPath, FindingKind, Findings};
use crate::fields::{Listed, Step};
use crate::rules::shared::lists::short;

/// Where a mistake is; a name without end is left out, so that the place is what it stands in.
pub(super) fn path(steps: &[Step<'_>]) -> FieldPath {
    steps
        .iter()
        .fold(FieldPath::root(), |path, step| match step {
            Step::Field(name) => path.child(name),
            Step::Unknown(name) if short(name) == *name => path.child_called(name),
            Step::Key(name) if short(name) == *name => path.key(name),
            Step::Unknown(_) | Step::Key(_) => path,
            Step::Index(index) => path.index(*index),
        })
}

/// Tells how many mistakes there are, if not all are listed.
pub(super) fn tell<T>(
    mistakes: &Listed<'_, T>,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    let (count, listed) = (mistakes.count, mistakes.first.len());
    if count > listed {
        let message = format!("there are {count} of these; only the first {listed} are listed");
        findings
            .invalid(kind, FieldPath::root(), message)
            .help("correct these first; the others are listed then");
    }
}
