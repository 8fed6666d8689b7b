// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use regex::{Regex, RegexBuilder};

use garden_gate_text::go::is_regexp;

use super::error::{CompileError, EvaluationError};
use super::excerpt::excerpt;

/// A compiled regular expression with the meaning that it has in Go.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    regex: Arc<Regex>,
    /// The work of a search for each byte of the text.
    weight: usize,
}

/// A regular expression of a schema, with the meaning that it has in Go.
#[derive(Clone, Debug)]
pub struct GoPattern(Pattern);

impl GoPattern {
    /// Compiles an expression; `None` if it is unknown how Go treats it, or Go refuses it.
    ///
    /// Unlike in policies, letters beyond ASCII are supported outside of classes and groups with flags.
    pub fn compile(text: &str) -> Option<Self> {
        if text.is_ascii() {
            return Pattern::of(text).ok().map(Self);
        }
        // For the syntax, such a letter is like any other one.
        let syntax: String = text.chars().map(|it| if it.is_ascii() { it } else { 'x' }).collect();
        if !is_plain_beyond_ascii(text) || is_regexp(&syntax) != Some(true) {
            return None;
        }
        let regex = RegexBuilder::new(&in_ascii(text)?).size_limit(SIZE_LIMIT).build().ok()?;
        Some(Self(Pattern { regex: Arc::new(regex), weight: 1 + states(text) / STATES_OF_WORK }))
    }

    /// Reports whether a string contains a match.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

/// Reports whether all letters beyond ASCII are outside of classes and not escaped, and no group has flags.
fn is_plain_beyond_ascii(text: &str) -> bool {
    if text.contains("(?") {
        return false;
    }
    let (mut is_in_class, mut is_escaped) = (false, false);
    for next in text.chars() {
        if !next.is_ascii() && (is_in_class || is_escaped) {
            return false;
        }
        match next {
            '[' if !is_escaped => is_in_class = true,
            ']' if !is_escaped => is_in_class = false,
            _ => {}
        }
        is_escaped = next == '\\' && !is_escaped;
    }
    true
}

/// Maximum size of a compiled expression, in bytes.
const SIZE_LIMIT: usize = 1 << 20;

/// Maximum length of an expression that is not refused at once, in bytes.
const LONGEST_EXPRESSION: usize = 1024;
/// The number of states of an expression that take as much time for each byte of a text as copying it.
const STATES_OF_WORK: usize = 4;
/// The work of compiling any expression, in bytes.
const COMPILING: u64 = 16 << 10;
/// The work of compiling a state, in bytes.
const COMPILING_A_STATE: u64 = 64;

/// The reason why there is no pattern.
enum PatternError {
    /// Go refuses it.
    Invalid,
    /// Go and the crate `regex` may treat it differently.
    NotPortable,
}

impl Pattern {
    /// Compiles an expression during an evaluation.
    pub(super) fn compile(text: &str) -> Result<Self, EvaluationError> {
        Self::of(text).map_err(|error| match error {
            PatternError::Invalid => {
                EvaluationError::Failed(format!("error parsing regexp: `{}`", excerpt(&text)))
            }
            PatternError::NotPortable => {
                EvaluationError::Undetermined(not_portable(&excerpt(&text)))
            }
        })
    }

    /// Compiles an expression in the text of a policy; `None` if Go refuses it.
    ///
    /// # Errors
    /// Fails if it is unknown how Go treats the expression.
    pub(super) fn of_constant(text: &str) -> Result<Option<Self>, CompileError> {
        match Self::of(text) {
            Ok(pattern) => Ok(Some(pattern)),
            Err(PatternError::Invalid) => Ok(None),
            Err(PatternError::NotPortable) => {
                Err(CompileError::Unsupported { name: not_portable(text) })
            }
        }
    }

    fn of(text: &str) -> Result<Self, PatternError> {
        match is_regexp(text) {
            Some(true) => {}
            Some(false) => return Err(PatternError::Invalid),
            None => return Err(PatternError::NotPortable),
        }
        let weight = 1 + states(text) / STATES_OF_WORK;
        let text = in_ascii(text).ok_or(PatternError::NotPortable)?;
        let mut builder = RegexBuilder::new(&text);
        match builder.size_limit(SIZE_LIMIT).build() {
            Ok(regex) => Ok(Self { regex: Arc::new(regex), weight }),
            Err(_) => Err(PatternError::NotPortable),
        }
    }

    /// Returns the work of compiling an expression in bytes.
    pub(super) fn work_of_compiling(text: &str) -> u64 {
        // A longer expression is refused at once.
        let states = if text.len() <= LONGEST_EXPRESSION { states(text) } else { 0 };
        COMPILING.saturating_add(u64::try_from(states).unwrap_or(u64::MAX) * COMPILING_A_STATE)
    }

    /// Returns the work of a search in a text, in bytes.
    pub(super) fn work_of_search(&self, text: &str) -> usize {
        text.len().saturating_add(1).saturating_mul(self.weight)
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// Returns the first match.
    pub(super) fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.regex.find(text).map(|it| it.as_str())
    }

    /// Returns each match without overlap, and the text after it.
    ///
    /// Each search may read the text to its end, for example for the first alternative of `a.*b|a`.
    pub(super) fn matches<'t>(&self, text: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
        let matches = self.regex.find_iter(text);
        matches.map(move |it| (it.as_str(), text.get(it.end()..).unwrap_or_default()))
    }
}

/// Returns an upper bound of the states of an expression, regardless of how many bytes a character has.
fn states(text: &str) -> usize {
    // A repeated group is as long as the whole expression at most, and only one may have a count.
    let repeated = if text.contains("){") { text.len() } else { 2 };
    let counts = text.split('{').skip(1).filter_map(|it| it.split('}').next());
    let most = |counts: &str| {
        counts.split(',').filter_map(|it| it.parse::<usize>().ok()).max().unwrap_or(0)
    };
    counts.fold(text.len(), |sum, it| sum.saturating_add(most(it).saturating_mul(repeated)))
}

fn not_portable(text: &str) -> String {
    format!("the regular expression `{text}`")
}

/// Replaces the classes that are of ASCII in Go, but of Unicode in the crate; `None` if that is impossible.
fn in_ascii(text: &str) -> Option<String> {
    let mut ascii = String::with_capacity(text.len());
    let mut is_in_class = false;
    let mut characters = text.chars().peekable();
    while let Some(next) = characters.next() {
        match next {
            '\\' => match (characters.next()?, is_in_class) {
                ('d', true) => ascii.push_str("0-9"),
                ('w', true) => ascii.push_str("0-9A-Za-z_"),
                ('s', true) => ascii.push_str(r"\t\n\f\r "),
                ('D' | 'W' | 'S', true) | ('B', _) => return None,
                ('d', false) => ascii.push_str("[0-9]"),
                ('w', false) => ascii.push_str("[0-9A-Za-z_]"),
                ('s', false) => ascii.push_str(r"[\t\n\f\r ]"),
                ('D', false) => ascii.push_str("[^0-9]"),
                ('W', false) => ascii.push_str("[^0-9A-Za-z_]"),
                ('S', false) => ascii.push_str(r"[^\t\n\f\r ]"),
                ('b', _) => ascii.push_str(r"(?-u:\b)"),
                (other, _) => ascii.extend(['\\', other]),
            },
            '[' if !is_in_class => {
                is_in_class = true;
                ascii.push(next);
                if characters.next_if_eq(&'^').is_some() {
                    ascii.push('^');
                }
                if characters.next_if_eq(&']').is_some() {
                    ascii.push_str(r"\]");
                }
            }
            // A class in a class, such as `[[:digit:]]`, is of ASCII in both.
            '[' => {
                ascii.push(next);
                for next in characters.by_ref() {
                    ascii.push(next);
                    if next == ']' {
                        break;
                    }
                }
            }
            ']' => {
                is_in_class = false;
                ascii.push(next);
            }
            _ => ascii.push(next),
        }
    }
    Some(ascii)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::GoPattern;

    #[rstest]
    #[case::letter("^(us|µs)+$", "1µs", Some(false))]
    #[case::letter_alone("^[0-9]+(us|µs)$", "1µs", Some(true))]
    #[case::not_anchored("[0-2]0", "a10b", Some(true))]
    #[case::end_is_that_of_the_text("^a$", "a\n", Some(false))]
    #[case::digit_is_of_ascii(r"^\d$", "٣", Some(false))]
    #[case::class("^[a-µ]$", "b", None)]
    #[case::flags("(?i)µ", "µ", None)]
    #[case::invalid("(", "", None)]
    fn pattern_of_a_schema(
        #[case] pattern: &str,
        #[case] text: &str,
        #[case] expected: Option<bool>,
    ) {
        assert_eq!(GoPattern::compile(pattern).map(|it| it.is_match(text)), expected);
    }
}
