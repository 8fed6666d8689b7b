// SPDX-License-Identifier: Apache-2.0
//! Checks of lists of tolerations, shared by Shoots, Projects and the global configuration.

use std::collections::{BTreeSet, HashSet};

use super::lists::list;
use crate::admission::{ErrorType, FieldPath, FindingKind, Findings};
use garden_gate_model::api::{Toleration, TolerationProblemKind, check_tolerations};

/// Checks that the entries of a list of tolerations are well-formed and unique.
pub(crate) fn check_form(
    tolerations: &[Toleration],
    path: &FieldPath,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    for problem in check_tolerations(tolerations) {
        let toleration = &tolerations[problem.index];
        let at = path.index(problem.index);
        let (error, path, value) = match problem.kind {
            TolerationProblemKind::KeyMissing => (ErrorType::Required, at.child("key"), None),
            TolerationProblemKind::KeyMalformed => {
                let key = toleration.key.clone();
                (ErrorType::Invalid, at.child("key"), Some(key))
            }
            TolerationProblemKind::ValueMalformed => {
                let value = toleration.value.clone();
                (ErrorType::Invalid, at.child("value"), value)
            }
            TolerationProblemKind::Repeated => {
                (ErrorType::Duplicate, at, Some(toleration.to_string()))
            }
        };
        findings.report(kind, error, path, problem.message).value(value).help(problem.help);
    }
}

/// A list of what may be tolerated, as keys and values.
pub(crate) struct Whitelist<'a>(HashSet<(&'a str, Option<&'a str>)>);

impl<'a> Whitelist<'a> {
    pub(crate) fn of(entries: &'a [Toleration]) -> Self {
        Self(entries.iter().map(|it| (it.key.as_str(), it.value.as_deref())).collect())
    }

    /// Reports whether an entry covers `toleration`.
    pub(crate) fn covers(&self, toleration: &Toleration) -> bool {
        let (key, value) = (toleration.key.as_str(), toleration.value.as_deref());
        self.0.contains(&(key, None)) || self.0.contains(&(key, value))
    }
}

/// Formats a whitelist for messages: sorted, at most five entries.
pub(crate) fn describe<'a>(whitelist: impl IntoIterator<Item = &'a Toleration>) -> String {
    let entries = whitelist.into_iter().map(ToString::to_string);
    list(entries.collect::<BTreeSet<String>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whitelist_entry_without_value_covers_all_values() {
        let entries = [Toleration::bare("any"), Toleration::with_value("one", "a")];
        let whitelist = Whitelist::of(&entries);
        let covers = |key: &str, value: Option<&str>| {
            let (key, value) = (key.to_owned(), value.map(str::to_owned));
            whitelist.covers(&Toleration { key, value })
        };
        assert!(covers("any", None) && covers("any", Some("a")) && covers("one", Some("a")));
        assert!(!covers("one", None) && !covers("one", Some("b")) && !covers("none", None));
    }
}
