// SPDX-License-Identifier: Apache-2.0
use garden_gate_text::go::{Constraint, Version, VersionError, compare_versions};

/// Maximum length of a constraint that can be doubled without exceeding the limit.
const LONGEST: usize = 200;
/// Maximum number of alternatives that can be doubled.
const MOST_ALTERNATIVES: usize = 15;

/// Parses a constraint and two versions, one per line.
pub(crate) fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let mut lines = text.split('\n');
    let [constraint, a, b] = [(); 3].map(|()| lines.next().unwrap_or_default());
    let [a, b] = [a, b].map(|version| Version::parse(version).ok());
    for version in [&a, &b].into_iter().flatten() {
        round_trip(version);
    }
    if let (Some(a), Some(b)) = (&a, &b) {
        assert_eq!(a.cmp(b), b.cmp(a).reverse());
        assert_eq!(a == b, a.cmp(b).is_eq());
        ordered(a, b);
    }
    if let Ok(parsed) = Constraint::parse(constraint) {
        for version in [&a, &b].into_iter().flatten() {
            doubled(constraint, &parsed, version);
        }
    }
}

fn round_trip(version: &Version) {
    let printed = version.to_string();
    // `1.0-a` is printed with all three numbers, so that the longest versions exceed the limit.
    let again = match Version::parse(&printed) {
        Err(VersionError::TooLong) => return,
        again => again.unwrap(),
    };
    assert_eq!(again.to_string(), printed);
    assert_eq!(&again, version);
}

/// Comparisons of two versions agree in both orders.
fn ordered(a: &Version, b: &Version) {
    let [a, b] = [a, b].map(ToString::to_string);
    let holds = |operator| compare_versions(&a, operator, &b);
    let all = ["<", "<=", "=", ">=", ">", "!="].map(holds);
    if let [Ok(less), Ok(at_most), Ok(equal), Ok(at_least), Ok(greater), Ok(differ)] = all {
        let relations = [less, equal, greater].map(usize::from);
        assert_eq!(relations.iter().sum::<usize>(), 1, "{a} {b}");
        assert_eq!(at_most, less || equal, "{a} <= {b}");
        assert_eq!(at_least, greater || equal, "{a} >= {b}");
        assert_eq!(differ, !equal, "{a} != {b}");
    }
}

/// The same constraint twice, as alternatives or together, allows the same versions.
fn doubled(text: &str, constraint: &Constraint, version: &Version) {
    if text.len() > LONGEST || text.matches("||").count() > MOST_ALTERNATIVES {
        return;
    }
    let expected = constraint.matches(version);
    // Whitespace is necessary, since `|` next to a number is a part of it in a range such as `1 - 2`.
    let either = Constraint::parse(&format!("{text} || {text}")).unwrap();
    assert_eq!(either.matches(version), expected);
    if !text.contains("||") {
        let both = Constraint::parse(&format!("{text},{text}")).unwrap();
        assert_eq!(both.matches(version), expected);
    }
}
