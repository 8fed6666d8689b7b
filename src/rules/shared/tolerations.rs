//! What Shoots, Projects and the global configuration share about lists of tolerations.

use std::collections::{BTreeSet, HashSet};

use super::lists::list;
use crate::engine::{ErrorType, FieldPath, FindingKind, Findings, Offence};
use crate::model::{Toleration, TolerationProblemKind, check_tolerations};

/// Checks the form of a list of tolerations and that no entry is there twice.
pub(in crate::rules) fn check_form(
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

/// Up to so many entries, looking through a whitelist is quicker than an index of it.
const FEW: usize = 16;

/// A list of what may be tolerated.
pub(in crate::rules) struct Whitelist<'a> {
    entries: &'a [Toleration],
    index: Option<HashSet<(&'a str, Option<&'a str>)>>,
}

impl<'a> Whitelist<'a> {
    pub(in crate::rules) fn of(entries: &'a [Toleration]) -> Self {
        let index = (entries.len() > FEW).then(|| {
            let entries = entries.iter();
            entries
                .map(|it| (it.key.as_str(), it.value.as_deref()))
                .collect()
        });
        Self { entries, index }
    }

    /// Whether an entry covers `toleration`.
    pub(in crate::rules) fn covers(&self, toleration: &Toleration) -> bool {
        let Some(index) = &self.index else {
            return self.entries.iter().any(|it| it.covers(toleration));
        };
        let key = toleration.key.as_str();
        index.contains(&(key, None)) || index.contains(&(key, toleration.value.as_deref()))
    }
}

/// A whitelist for people: sorted, at most five entries.
pub(in crate::rules) fn describe<'a>(
    whitelist: impl IntoIterator<Item = &'a Toleration>,
) -> String {
    let entries = whitelist.into_iter().map(ToString::to_string);
    list(entries.collect::<BTreeSet<String>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_whitelists_cover_the_same() {
        let entries = [Toleration::bare("any"), Toleration::with_value("one", "a")];
        for others in [0, 100] {
            let others = (0..others).map(|number| Toleration::bare(&format!("other-{number}")));
            let entries: Vec<Toleration> = entries.iter().cloned().chain(others).collect();
            let whitelist = Whitelist::of(&entries);
            let covers = |key, value: Option<&str>| {
                let value = value.map(str::to_owned);
                let key = str::to_owned(key);
                whitelist.covers(&Toleration { key, value })
            };
            assert!(covers("any", None) && covers("any", Some("a")) && covers("one", Some("a")));
            assert!(!covers("one", None) && !covers("one", Some("b")) && !covers("none", None));
        }
    }
}
