// SPDX-License-Identifier: Apache-2.0
//! Silences: annotations that suppress warnings about an object, with a reason and an optional end date.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Bound;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::Finding;
use crate::config::{Config, Level, Silencing};
use garden_gate_text::go::clip;

/// Prefix of annotations that silence a warning.
///
/// It is followed by the id of the finding, with `.` instead of `/`.
pub const SILENCE_PREFIX: &str = "ignore.garden-gate.dev/";

/// Maximum length of a reason in bytes, so that it fits in a line; longer ones are cut.
const LONGEST_REASON: usize = 200;

/// Suppressed warnings.
#[derive(Clone, Debug, PartialEq)]
pub struct Silenced {
    /// The id of the findings.
    pub id: &'static str,
    /// The reason, on one line.
    pub reason: String,
    /// The last day of the silence in UTC; `None` for unlimited.
    pub until: Option<Date>,
    /// The suppressed warnings; never empty.
    pub findings: Vec<Finding>,
}

/// Formats the silence as `reason, until 2027-01-31`.
impl fmt::Display for Silenced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        match self.until {
            Some(until) => write!(f, ", until {until}"),
            None => Ok(()),
        }
    }
}

/// An annotation that silences a warning.
#[derive(Debug)]
pub struct Silence<'a> {
    /// The name of the annotation.
    pub key: &'a str,
    /// The id of the finding, which may not exist.
    pub id: String,
    /// The parsed value of the annotation.
    pub terms: Terms<'a>,
    /// Whether the silence is unused: a rule could have reported the finding but did not.
    pub is_idle: bool,
    silenced: Vec<Finding>,
}

/// The value of a silencing annotation.
#[derive(Debug, PartialEq)]
pub enum Terms<'a> {
    /// Active, with this reason, until the end of this day.
    Silent(String, Option<Date>),
    /// Expired at the end of this day.
    Ended(Date),
    /// Invalid: the reason is missing.
    NoReason,
    /// Invalid: the end date cannot be parsed.
    NoDay(&'a str),
}

/// The silences of an object, one per id, sorted by id.
#[derive(Debug)]
pub(super) struct Silences<'a>(Vec<Silence<'a>>);

/// Splits findings into reported and silenced ones, for findings outside of a verdict.
pub fn heed(
    annotations: &BTreeMap<String, String>,
    (config, now): (&Config, Timestamp),
    findings: Vec<Finding>,
) -> (Vec<Finding>, Vec<Silenced>) {
    let mut silences = Silences::of(annotations, config, now);
    let kept = silences.heed(findings);
    (kept, silences.into_silenced())
}

impl<'a> Silences<'a> {
    pub(super) fn of(
        annotations: &'a BTreeMap<String, String>,
        config: &Config,
        now: Timestamp,
    ) -> Self {
        let mut silences = Vec::new();
        if config.silencing == Silencing::Ignored {
            return Self(silences);
        }
        let from = (Bound::Included(SILENCE_PREFIX), Bound::Unbounded);
        let from = annotations.range::<str, _>(from);
        for (key, text) in from {
            let Some(name) = key.strip_prefix(SILENCE_PREFIX) else {
                break;
            };
            silences.push(Silence {
                key,
                id: name.replacen('.', "/", 1),
                terms: Terms::of(text, now),
                is_idle: false,
                silenced: Vec::new(),
            });
        }
        silences.sort_by(|a, b| a.id.cmp(&b.id));
        silences.dedup_by(|a, b| a.id == b.id);
        Self(silences)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the findings that are not silenced.
    /// Warnings with an expired silence mention it.
    pub(super) fn heed(&mut self, findings: Vec<Finding>) -> Vec<Finding> {
        let mut kept = Vec::with_capacity(findings.len());
        for mut finding in findings {
            match self.find(&finding) {
                Some(Silence { terms: Terms::Silent(..), silenced, .. }) => silenced.push(finding),
                Some(Silence { terms: Terms::Ended(day), .. }) => {
                    finding.message += &format!("; its silence ended on {day}");
                    kept.push(finding);
                }
                _ => kept.push(finding),
            }
        }
        kept
    }

    fn find(&mut self, finding: &Finding) -> Option<&mut Silence<'a>> {
        let at = self.0.binary_search_by(|silence| silence.id.as_str().cmp(finding.finding));
        let is_warning = finding.level == Level::Warn;
        self.0.get_mut(at.ok().filter(|_| is_warning)?)
    }

    /// Marks unused silences; `could_be` reports whether a finding with an id was possible.
    pub(super) fn mark_idle(&mut self, could_be: impl Fn(&str) -> bool) {
        for silence in &mut self.0 {
            let is_silent = matches!(silence.terms, Terms::Silent(..));
            silence.is_idle = is_silent && silence.silenced.is_empty() && could_be(&silence.id);
        }
    }

    /// Returns all silences.
    pub(super) fn all(&self) -> &[Silence<'a>] {
        &self.0
    }

    /// Returns the silenced findings.
    pub(super) fn into_silenced(self) -> Vec<Silenced> {
        let silenced = self.0.into_iter().filter_map(|silence| {
            let Terms::Silent(reason, until) = silence.terms else {
                return None;
            };
            Some(Silenced {
                id: silence.silenced.first()?.finding,
                reason,
                until,
                findings: silence.silenced,
            })
        });
        silenced.collect()
    }
}

impl<'a> Terms<'a> {
    /// Parses `reason [until 2027-01-31]`.
    fn of(text: &'a str, now: Timestamp) -> Self {
        let (reason, day) = reason_and_day(text);
        let until = match day {
            None => None,
            Some(day) => match read_day(day) {
                None => return Terms::NoDay(day),
                until => until,
            },
        };
        let reason = one_line(reason);
        if reason.is_empty() {
            return Terms::NoReason;
        }
        let today = now.to_zoned(TimeZone::UTC).date();
        match until {
            Some(day) if day < today => Terms::Ended(day),
            until => Terms::Silent(clip(&reason, LONGEST_REASON), until),
        }
    }
}

/// Splits a string into the reason and the word after a trailing `until`.
fn reason_and_day(text: &str) -> (&str, Option<&str>) {
    let is_edge = |it: char| it.is_whitespace() || "()[],.;".contains(it);
    let (rest, day) = last_word(text.trim_end_matches(is_edge));
    let (reason, until) = last_word(rest);
    if until.trim_matches(is_edge).eq_ignore_ascii_case("until") {
        (reason.trim_end_matches(is_edge), Some(day))
    } else {
        (text, None)
    }
}

/// Splits off the last word of a string.
fn last_word(text: &str) -> (&str, &str) {
    let text = text.trim_end();
    let at = text.rfind(char::is_whitespace).unwrap_or_default();
    let (before, word) = text.split_at(at);
    (before, word.trim_start())
}

/// Parses a date in the form `2027-01-31` only.
fn read_day(text: &str) -> Option<Date> {
    let day: Date = text.parse().ok()?;
    (day.to_string() == text).then_some(day)
}

/// Joins the words of a reason with single spaces, since it is printed within a line.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text
        .split(|it: char| it.is_whitespace() || it.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use rstest::rstest;

    use super::Terms;

    #[rstest]
    #[case::no_end("moved by hand", Terms::Silent("moved by hand".to_owned(), None))]
    #[case::today("moved until 2027-01-31", Terms::Silent("moved".to_owned(), Some(date(2027, 1, 31))))]
    #[case::tomorrow("moved until 2027-02-01", Terms::Silent("moved".to_owned(), Some(date(2027, 2, 1))))]
    #[case::yesterday("moved until 2027-01-30", Terms::Ended(date(2027, 1, 30)))]
    #[case::as_in_prose("Moved. (Until 2027-02-01.)", Terms::Silent("Moved".to_owned(), Some(date(2027, 2, 1))))]
    #[case::in_brackets("moved [until 2027-02-01]", Terms::Silent("moved".to_owned(), Some(date(2027, 2, 1))))]
    #[case::after_a_comma("moved, until\t2027-02-01 ", Terms::Silent("moved".to_owned(), Some(date(2027, 2, 1))))]
    #[case::day_in_between("from 2026-01-01 on", Terms::Silent("from 2026-01-01 on".to_owned(), None))]
    #[case::until_in_between("until we move to b, see ticket 12", Terms::Silent("until we move to b, see ticket 12".to_owned(), None))]
    #[case::empty("", Terms::NoReason)]
    #[case::blank(" \t\n", Terms::NoReason)]
    #[case::day_alone("until 2027-02-01", Terms::NoReason)]
    #[case::no_reason_any_more("until 2026-02-01", Terms::NoReason)]
    #[case::no_such_day("moved until 2027-02-29", Terms::NoDay("2027-02-29"))]
    #[case::not_a_day("moved until tomorrow", Terms::NoDay("tomorrow"))]
    #[case::instant("moved until 2027-02-01T00:00:00Z", Terms::NoDay("2027-02-01T00:00:00Z"))]
    #[case::without_hyphens("moved until 20270201", Terms::NoDay("20270201"))]
    #[case::lines("a\n::error::b\u{1b}[31m  c", Terms::Silent("a ::error::b [31m c".to_owned(), None))]
    fn terms(#[case] text: &str, #[case] expected: Terms<'_>) {
        for now in ["2027-01-31T00:00:00Z", "2027-01-31T23:59:59Z"] {
            assert_eq!(Terms::of(text, now.parse().unwrap()), expected, "{now}");
        }
    }
}
