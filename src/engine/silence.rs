//! Warnings that an object asks not to be told, with a reason, and until a day if it names one.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Bound;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::Finding;
use crate::compat::clip;
use crate::config::{Config, Level, Silencing};

/// What the name of an annotation begins with that silences a warning; behind it stands the id of the finding, with `.` for `/`.
pub const SILENCE_PREFIX: &str = "ignore.garden-gate.dev/";

/// Longer reasons are cut; bytes. Somebody is to read them in a line.
const LONGEST_REASON: usize = 200;

/// Warnings that an object silenced.
#[derive(Clone, Debug, PartialEq)]
pub struct Silenced {
    /// The id of the findings.
    pub id: &'static str,
    /// Why, on one line.
    pub reason: String,
    /// The last day of the silence, which ends with it in UTC; `None` if it does not end.
    pub until: Option<Date>,
    /// What would have been said; at least one.
    pub findings: Vec<Finding>,
}

/// `reason, until 2027-01-31`.
impl fmt::Display for Silenced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        match self.until {
            Some(until) => write!(f, ", until {until}"),
            None => Ok(()),
        }
    }
}

/// An annotation that is to silence a warning.
#[derive(Debug)]
pub struct Silence<'a> {
    /// The name of the annotation.
    pub key: &'a str,
    /// The id of the finding, whether or not there is such a finding.
    pub id: String,
    /// What the annotation says.
    pub terms: Terms<'a>,
    /// Whether there could have been such a finding, as far as can be told, and there was none.
    pub is_idle: bool,
    silenced: Vec<Finding>,
}

/// What an annotation that is to silence a warning says.
#[derive(Debug, PartialEq)]
pub enum Terms<'a> {
    /// It silences, for this reason, until this day has ended.
    Silent(String, Option<Date>),
    /// It did until this day had ended.
    Ended(Date),
    /// It gives no reason, and so silences nothing.
    NoReason,
    /// What it calls its last day is none, and so it silences nothing.
    NoDay(&'a str),
}

/// The silences of an object, one for an id, in the order of the ids.
#[derive(Debug)]
pub(super) struct Silences<'a>(Vec<Silence<'a>>);

/// What is to be said of findings about an object with such annotations, and what it silences: for those that are made besides a verdict.
#[must_use]
pub fn heed(
    annotations: &BTreeMap<String, String>,
    (config, now): (&Config, Timestamp),
    findings: Vec<Finding>,
) -> (Vec<Finding>, Vec<Silenced>) {
    let mut silences = Silences::of(annotations, config, now);
    let said = silences.heed(findings);
    (said, silences.into_silenced())
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

    /// What is to be said of `findings`. Warnings whose silence has ended say so.
    pub(super) fn heed(&mut self, findings: Vec<Finding>) -> Vec<Finding> {
        let mut said = Vec::with_capacity(findings.len());
        for mut finding in findings {
            match self.find(&finding) {
                Some(Silence {
                    terms: Terms::Silent(..),
                    silenced,
                    ..
                }) => silenced.push(finding),
                Some(Silence {
                    terms: Terms::Ended(day),
                    ..
                }) => {
                    finding.message += &format!("; its silence ended on {day}");
                    said.push(finding);
                }
                _ => said.push(finding),
            }
        }
        said
    }

    fn find(&mut self, finding: &Finding) -> Option<&mut Silence<'a>> {
        let at = self
            .0
            .binary_search_by(|silence| silence.id.as_str().cmp(finding.finding));
        let is_warning = finding.level == Level::Warn;
        self.0.get_mut(at.ok().filter(|_| is_warning)?)
    }

    /// Marks those that silence nothing although there could have been something, as `could_be` says of the id of a finding.
    pub(super) fn mark_idle(&mut self, could_be: impl Fn(&str) -> bool) {
        for silence in &mut self.0 {
            let is_silent = matches!(silence.terms, Terms::Silent(..));
            silence.is_idle = is_silent && silence.silenced.is_empty() && could_be(&silence.id);
        }
    }

    /// All of them.
    pub(super) fn all(&self) -> &[Silence<'a>] {
        &self.0
    }

    /// What they silenced.
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
    /// Reads `reason [until 2027-01-31]`.
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

/// A text, and what stands behind an `until` that is its last word but one.
fn reason_and_day(text: &str) -> (&str, Option<&str>) {
    let is_edge = |it: char| it.is_whitespace() || "()[],.;".contains(it);
    let (rest, day) = last_word(text.trim_end_matches(is_edge));
    let (reason, until) = last_word(rest);
    match until.trim_matches(is_edge).eq_ignore_ascii_case("until") {
        true => (reason.trim_end_matches(is_edge), Some(day)),
        false => (text, None),
    }
}

/// What stands before the last word, and that word.
fn last_word(text: &str) -> (&str, &str) {
    let text = text.trim_end();
    let at = text.rfind(char::is_whitespace).unwrap_or_default();
    let (before, word) = text.split_at(at);
    (before, word.trim_start())
}

/// `2027-01-31`, and nothing shorter or longer that means the same.
fn read_day(text: &str) -> Option<Date> {
    let day: Date = text.parse().ok()?;
    (day.to_string() == text).then_some(day)
}

/// Reasons are printed beside other things: a word follows another with a space, whatever is between them.
fn one_line(text: &str) -> String {
    let words = text.split(|it: char| it.is_whitespace() || it.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
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
    #[case::instant(
        "moved until 2027-02-01T00:00:00Z",
        Terms::NoDay("2027-02-01T00:00:00Z")
    )]
    #[case::without_hyphens("moved until 20270201", Terms::NoDay("20270201"))]
    #[case::lines("a\n::error::b\u{1b}[31m  c", Terms::Silent("a ::error::b [31m c".to_owned(), None))]
    fn terms(#[case] text: &str, #[case] expected: Terms<'_>) {
        for now in ["2027-01-31T00:00:00Z", "2027-01-31T23:59:59Z"] {
            assert_eq!(Terms::of(text, now.parse().unwrap()), expected, "{now}");
        }
    }
}
