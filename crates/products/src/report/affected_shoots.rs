// SPDX-License-Identifier: Apache-2.0
//! The Shoots that a profile change strands or forces earlier.

use schemars::JsonSchema;
use serde::Serialize;

use super::truncation::{and_more, number_of};
use crate::forecast::ProfileEffect;
use garden_gate_text::escape::value_within;

/// Maximum number of Shoots that are named.
const NAMES: usize = 3;
/// Maximum size of a name in bytes.
const LONGEST: usize = 120;

/// The effect of a profile change on Shoots, and how to list them.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ShootEffect {
    /// The effect.
    pub effect: ProfileEffect,
    /// The command that lists the Shoots; empty if none does.
    pub command: String,
}

/// Shoots that a profile change affects.
#[derive(Clone, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AffectedShoots<'a> {
    /// The number of Shoots.
    count: usize,
    /// True if there may be more, since not all Shoots, profiles or rules could be evaluated.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    at_least: bool,
    /// The first of these Shoots, each as `namespace/name`.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    first: &'a [String],
}

impl<'a> AffectedShoots<'a> {
    fn new(shoots: &'a [String], at_least: bool) -> Self {
        let (first, _) = shoots.split_at(shoots.len().min(NAMES));
        Self { count: shoots.len(), at_least, first }
    }
}

impl ShootEffect {
    /// Returns the Shoots that are stranded, for JSON.
    pub(super) fn stranded(&self) -> AffectedShoots<'_> {
        AffectedShoots::new(&self.effect.stranded, self.effect.may_strand_more())
    }

    /// Returns the Shoots that are forced earlier, for JSON.
    pub(super) fn forced_earlier(&self) -> AffectedShoots<'_> {
        AffectedShoots::new(&self.effect.forced_earlier, self.effect.is_partial)
    }

    /// Formats the effect as `strands 2 Shoots (…), forces 3 earlier: … lists them`; `None` if no Shoot is known to be affected.
    ///
    /// Other parts of a report name the users of versions, so that only stranded Shoots are named here.
    pub(super) fn line(&self) -> Option<String> {
        let ProfileEffect { stranded, forced_earlier, is_partial, .. } = &self.effect;
        let shoots = |count| number_of(count, "Shoot", "Shoots");
        let stranded = (!stranded.is_empty()).then(|| {
            let at_least = at_least(self.effect.may_strand_more());
            format!("strands {at_least}{} ({})", shoots(stranded.len()), names(stranded))
        });
        let at_least = at_least(*is_partial);
        let forced = match (forced_earlier.len(), &stranded) {
            (0, _) => None,
            (count, None) => Some(format!("forces {at_least}{} earlier", shoots(count))),
            (count, Some(_)) => Some(format!("forces {at_least}{count} earlier")),
        };
        let parts: Vec<String> = stranded.into_iter().chain(forced).collect();
        let list = match self.command.as_str() {
            "" => String::new(),
            command => format!(": `{command}` lists them"),
        };
        (!parts.is_empty()).then(|| format!("{}{list}", parts.join(", ")))
    }
}

/// Returns the words in front of a count.
pub(super) fn at_least(is_partial: bool) -> &'static str {
    if is_partial { "at least " } else { "" }
}

/// Formats the first names, with the number of the others.
fn names(shoots: &[String]) -> String {
    let first = shoots.iter().take(NAMES).map(|name| value_within(name, LONGEST));
    let mut names: Vec<String> = first.collect();
    if shoots.len() > NAMES {
        names.push(and_more(shoots.len() - NAMES));
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::ShootEffect;
    use crate::forecast::ProfileEffect;

    fn effect(stranded: usize, forced: usize, is_partial: bool, command: &str) -> ShootEffect {
        let names = |count| (0..count).map(|it| format!("garden-a/s{it}")).collect();
        let (stranded, forced_earlier) = (names(stranded), names(forced));
        let effect =
            ProfileEffect { stranded, forced_earlier, is_partial, ..ProfileEffect::default() };
        ShootEffect { effect, command: command.to_owned() }
    }

    #[rstest]
    #[case::nothing(effect(0, 0, true, "c"), None)]
    #[case::one(effect(1, 0, false, "c"), Some("strands 1 Shoot (garden-a/s0): `c` lists them"))]
    #[case::both(
        effect(2, 3, false, "c"),
        Some("strands 2 Shoots (garden-a/s0, garden-a/s1), forces 3 earlier: `c` lists them")
    )]
    #[case::forced_only(effect(0, 1, false, ""), Some("forces 1 Shoot earlier"))]
    #[case::many_and_unknown(
        effect(5000, 2, true, ""),
        Some(
            "strands at least 5000 Shoots (garden-a/s0, garden-a/s1, garden-a/s2, and 4997 more), forces at least 2 earlier"
        )
    )]
    fn line(#[case] effect: ShootEffect, #[case] expected: Option<&str>) {
        assert_eq!(effect.line().as_deref(), expected);
    }

    #[test]
    fn json_names_the_first_shoots_only() {
        let effect = effect(5000, 0, true, "c");
        let json = serde_json::to_string(&effect.stranded()).unwrap();
        assert_eq!(
            json,
            r#"{"count":5000,"atLeast":true,"first":["garden-a/s0","garden-a/s1","garden-a/s2"]}"#
        );
        assert_eq!(
            serde_json::to_string(&effect.forced_earlier()).unwrap(),
            r#"{"count":0,"atLeast":true}"#
        );
    }
}
