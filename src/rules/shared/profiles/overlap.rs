use jiff::Timestamp;

use crate::admission::{FieldPath, Findings, finding_kinds};
use crate::gardener::version::{Classified, supported_overlaps};

finding_kinds! {
    pub(in crate::rules) OVERLAP = "cloudprofile/supported-overlap": "two versions of one minor version are classified `supported`",
}

/// Checks that at most one version of each minor version is supported; all versions belong to one list.
pub(in crate::rules) fn check_overlaps<T: Classified>(
    versions: &[T],
    now: Timestamp,
    place: impl Fn(usize) -> FieldPath,
    findings: &mut Findings,
) {
    for overlap in supported_overlaps(versions, now) {
        let version = versions[overlap.index].version();
        let others = overlap.others.iter();
        let others = others.map(|index| format!("`{}`", versions[*index].version()));
        let others = super::name_some(others, overlap.count);
        let message = format!(
            "version `{version}` is classified `supported`, and so is {others} of the same minor version"
        );
        let path = place(overlap.index);
        findings
            .forbid(&OVERLAP, path, message)
            .value(version)
            .help("classify all but one of them `deprecated` or `preview`");
    }
}
