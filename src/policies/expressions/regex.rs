use std::sync::Arc;

use regex::{Regex, RegexBuilder};

use crate::go::is_regexp;

use super::error::{CompileError, EvaluationError};

/// A compiled regular expression with the meaning that it has in Go.
#[derive(Clone, Debug)]
pub(super) struct Pattern(Arc<Regex>);

/// Maximum size of a compiled expression, in bytes.
const SIZE_LIMIT: usize = 1 << 20;

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
                EvaluationError::Failed(format!("error parsing regexp: `{text}`"))
            }
            PatternError::NotPortable => EvaluationError::Undetermined(not_portable(text)),
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
            Err(PatternError::NotPortable) => Err(CompileError::Unsupported {
                name: not_portable(text),
            }),
        }
    }

    fn of(text: &str) -> Result<Self, PatternError> {
        match is_regexp(text) {
            Some(true) => {}
            Some(false) => return Err(PatternError::Invalid),
            None => return Err(PatternError::NotPortable),
        }
        let text = in_ascii(text).ok_or(PatternError::NotPortable)?;
        let mut builder = RegexBuilder::new(&text);
        match builder.size_limit(SIZE_LIMIT).build() {
            Ok(regex) => Ok(Self(Arc::new(regex))),
            Err(_) => Err(PatternError::NotPortable),
        }
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// Returns the first match.
    pub(super) fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.0.find(text).map(|it| it.as_str())
    }

    /// Returns all matches without overlap.
    pub(super) fn find_all<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        self.0.find_iter(text).map(|it| it.as_str())
    }
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
