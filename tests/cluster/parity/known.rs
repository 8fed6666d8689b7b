// SPDX-License-Identifier: Apache-2.0
//! Known differences: `known.yaml`.

use std::fs;

use garden_gate_model::api::extensions::Extension;
use serde::Deserialize;

use crate::parity::compare::{Difference, What};

const FILE: &str = "tests/cluster/parity/known.yaml";

/// A known kind of difference, with its reason.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Retrieval {
    /// The name from [`What::as_str`].
    what: String,
    kind: String,
    /// The pattern of the difference; `*` matches any text.
    about: String,
    reason: String,
    /// The section of docs/reference/differences.md with an explanation.
    see: String,
    /// The extension that answers differently; `None` for Gardener itself.
    #[serde(default)]
    extension: Option<String>,
    /// Whether the difference is so rare that a run may not show it.
    #[serde(default)]
    pub(crate) rare: bool,
}

impl Retrieval {
    fn all() -> Vec<Self> {
        serde_saphyr::from_str(&fs::read_to_string(FILE).unwrap()).unwrap()
    }

    /// Returns the differences from Gardener itself.
    pub(crate) fn of_gardener() -> Vec<Self> {
        let all = Self::all().into_iter();
        all.filter(|it| it.extension.is_none()).collect()
    }

    /// Returns the differences from an extension and from Gardener, of which a run about the extension may show few.
    pub(crate) fn of_extension(name: &str) -> Vec<Self> {
        let mut all = Self::all();
        all.retain(|it| it.extension.as_ref().is_none_or(|it| it == name));
        for known in &mut all {
            known.rare |= known.extension.is_none();
        }
        all
    }

    pub(crate) fn is(&self, difference: &Difference) -> bool {
        self.what == difference.what.as_str()
            && (self.kind == "*" || self.kind == difference.kind)
            && is_like(&difference.about, &self.about)
    }

    /// Formats the entry.
    pub(crate) fn title(&self) -> String {
        format!("{}, {}: {}", self.what, self.kind, self.about)
    }
}

/// Reports whether a text matches a pattern in which `*` matches any text.
fn is_like(text: &str, pattern: &str) -> bool {
    let Some((begin, rest)) = pattern.split_once('*') else {
        return text == pattern;
    };
    let Some(text) = text.strip_prefix(begin) else {
        return false;
    };
    let mut ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    ends.any(|at| is_like(&text[at..], rest))
}

#[test]
fn every_entry_has_a_reason_and_a_place_in_the_documentation() {
    let page = fs::read_to_string("docs/reference/differences.md").unwrap();
    let headings: Vec<String> = page.lines().filter_map(anchor).collect();
    for known in Retrieval::all() {
        let heading = known.see.strip_prefix("docs/reference/differences.md#");
        let is_there = heading.is_some_and(|it| headings.iter().any(|heading| heading == it));
        assert!(is_there, "{}: there is no {}", known.title(), known.see);
        assert!(!known.reason.is_empty(), "{} has no reason", known.title());
        let is_kind_of = What::ALL.iter().any(|what| what.as_str() == known.what);
        assert!(is_kind_of, "{} is of no kind", known.title());
        let name = known.extension.as_deref();
        let is_known = name.is_none_or(|it| Extension::named(it).is_some());
        assert!(is_known, "{}: there is no extension {name:?}", known.title());
    }
}

/// Returns the anchor of a heading.
fn anchor(line: &str) -> Option<String> {
    let heading = line.trim_start_matches('#').strip_prefix(' ')?;
    let is_heading = line.starts_with('#');
    let kept = heading.chars().filter(|it| it.is_alphanumeric() || *it == ' ' || *it == '-');
    let anchor: String = kept.collect::<String>().to_lowercase().replace(' ', "-");
    Some(anchor).filter(|_| is_heading)
}

#[test]
fn star_matches_any_text() {
    for (text, pattern, expected) in [
        ("422 Invalid spec.a", "422 Invalid spec.a", true),
        ("422 Invalid spec.a", "422 * spec.*", true),
        ("422 Invalid spec.a", "422 * status.*", false),
        ("a", "*", true),
        ("", "*", true),
        ("ab", "a", false),
    ] {
        assert_eq!(is_like(text, pattern), expected, "{text} {pattern}");
    }
}
