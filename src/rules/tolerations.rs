//! What Shoots, Projects and the global configuration share about lists of tolerations.

use std::collections::BTreeSet;

use super::names::list;
use crate::engine::{ErrorType, FieldPath, FindingKind, Findings, Offence};
use crate::model::{Toleration, TolerationProblemKind, check_tolerations};

/// Checks the form of a list of tolerations and that no entry is there twice.
pub(super) fn check_form(
    tolerations: &[Toleration],
    path: &FieldPath,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    for problem in check_tolerations(tolerations) {
        let toleration = &tolerations[problem.index];
        let path = path.index(problem.index);
        let (error, path, value) = match problem.kind {
            TolerationProblemKind::KeyMissing => (ErrorType::Required, path.child("key"), None),
            TolerationProblemKind::KeyMalformed => {
                let key = toleration.key.clone();
                (ErrorType::Invalid, path.child("key"), Some(key))
            }
            TolerationProblemKind::ValueMalformed => {
                let value = toleration.value.clone();
                (ErrorType::Invalid, path.child("value"), value)
            }
            TolerationProblemKind::Repeated => {
                (ErrorType::Duplicate, path, Some(toleration.to_string()))
            }
        };
        let offence = Offence::new(kind, error, path, problem.message).help(problem.help);
        findings.add(match value {
            Some(value) => offence.value(value),
            None => offence,
        });
    }
}

/// Whether `whitelist` covers `toleration`.
pub(super) fn covers(whitelist: &[Toleration], toleration: &Toleration) -> bool {
    whitelist.iter().any(|entry| entry.covers(toleration))
}

/// A whitelist for people: sorted, at most five entries.
pub(super) fn describe<'a>(whitelist: impl IntoIterator<Item = &'a Toleration>) -> String {
    let entries = whitelist.into_iter().map(ToString::to_string);
    list(entries.collect::<BTreeSet<String>>())
}
