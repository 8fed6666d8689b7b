// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use crate::api::Toleration;
use garden_gate_text::go::{label_value_error, qualified_name_error};

/// A violation in a list of tolerations.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TolerationProblem {
    /// The index in the list.
    pub index: usize,
    /// The kind of the violation.
    pub kind: TolerationProblemKind,
    /// The message, one sentence.
    pub message: String,
    /// The remedy.
    pub help: &'static str,
}

/// The violations of a toleration.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TolerationProblemKind {
    /// The key is empty.
    KeyMissing,
    /// The key is not a label key.
    KeyMalformed,
    /// The value is not a label value.
    ValueMalformed,
    /// An earlier entry has the same key and value, or the same key and no value.
    Repeated,
}

/// Checks that the entries of a list of tolerations are well-formed and unique.
///
/// Mirrors ValidateTolerations in `pkg/api/core/validation/project.go`. An entry is a duplicate if an earlier one has
/// the same key and value, or the same key and no value. So the order matters.
pub fn check_tolerations(tolerations: &[Toleration]) -> Vec<TolerationProblem> {
    let mut seen: BTreeSet<&Toleration> = BTreeSet::new();
    let mut problems = Vec::new();
    for (index, toleration) in tolerations.iter().enumerate() {
        let bare = Toleration::bare(&toleration.key);
        let repeated = seen.contains(&bare) || !seen.insert(toleration);
        let found = [
            check_key(&toleration.key),
            toleration.value.as_deref().and_then(check_value),
            repeated.then(|| repetition(toleration)),
        ]
        .into_iter()
        .flatten();
        problems.extend(found.map(|(kind, message, help)| TolerationProblem {
            index,
            kind,
            message,
            help,
        }));
    }
    problems
}

type Problem = (TolerationProblemKind, String, &'static str);

fn check_key(key: &str) -> Option<Problem> {
    if key.is_empty() {
        return Some((
            TolerationProblemKind::KeyMissing,
            "a toleration needs a key".to_owned(),
            "name the key of the seed taint that is to be tolerated",
        ));
    }
    let why = qualified_name_error(key)?;
    Some((
        TolerationProblemKind::KeyMalformed,
        format!("toleration key `{key}` is not a label key: {why}"),
        "use `name` or `dns.prefix/name`, as in `seed.gardener.cloud/protected`",
    ))
}

fn check_value(value: &str) -> Option<Problem> {
    let why = label_value_error(value)?;
    Some((
        TolerationProblemKind::ValueMalformed,
        format!("toleration value `{value}` is not a label value: {why}"),
        "use the value of the seed taint, or leave `value` out",
    ))
}

fn repetition(toleration: &Toleration) -> Problem {
    (
        TolerationProblemKind::Repeated,
        format!("toleration `{toleration}` repeats an earlier entry of the list"),
        "remove one of the two; an earlier entry without a value already covers every value of its key",
    )
}

#[cfg(test)]
mod tests {
    use super::TolerationProblemKind::{KeyMalformed, KeyMissing, Repeated, ValueMalformed};
    use super::{Toleration, check_tolerations};

    #[test]
    fn each_mistake_is_found_at_its_entry() {
        let (foo, foo_x) = (Toleration::bare("foo"), Toleration::with_value("foo", "x"));
        let bad = Toleration::with_value("-", "-");
        let cases = [
            (vec![], vec![]),
            (vec![foo_x.clone(), foo.clone()], vec![]),
            (vec![foo_x.clone(), Toleration::with_value("foo", "")], vec![]),
            (vec![foo.clone(), foo_x.clone()], vec![(1, Repeated)]),
            (vec![foo_x.clone(), foo, foo_x.clone()], vec![(2, Repeated)]),
            (vec![foo_x.clone(), foo_x.clone(), foo_x], vec![(1, Repeated), (2, Repeated)]),
            (
                vec![Toleration::bare(""), Toleration::bare("")],
                vec![(0, KeyMissing), (1, KeyMissing), (1, Repeated)],
            ),
            (vec![bad], vec![(0, KeyMalformed), (0, ValueMalformed)]),
        ];
        for (list, expected) in cases {
            let found: Vec<_> = check_tolerations(&list)
                .into_iter()
                .map(|problem| (problem.index, problem.kind))
                .collect();
            assert_eq!(found, expected, "{list:?}");
        }
    }
}
