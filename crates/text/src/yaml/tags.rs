// SPDX-License-Identifier: Apache-2.0
//! A check in front of the parser, which panics on a tag directly before a comma and on some escapes in tags.

use libyaml_safer::{Error, EventData, Mark};

use super::error::MAX_DEPTH;
use super::parser::parser;

/// Why the tags of a text cannot be read.
pub(super) enum TagError {
    /// A tag such as `!a,` or `!%41`.
    Unsafe,
    /// The text is invalid.
    Syntax(Error),
    /// The text is nested deeper than any document may be, at this mark.
    TooDeep(Mark),
}

/// Checks that a text has no tag such as `!a,` or `!%41`.
///
/// kubectl refuses the first; the second is valid, but unusual. The check parses a copy in which such tags are harmless.
pub(super) fn check_tags(text: &str) -> Result<(), TagError> {
    let Some(harmless) = HarmlessText::of(text) else {
        return Ok(());
    };
    let (mut parser, mut depth) = (parser(&harmless.text), 0);
    loop {
        let event = parser.parse().map_err(TagError::Syntax)?;
        let is_tagged = match &event.data {
            EventData::StreamEnd => return Ok(()),
            EventData::Scalar { tag, .. } => tag.is_some(),
            EventData::SequenceStart { tag, .. } | EventData::MappingStart { tag, .. } => {
                depth += 1;
                tag.is_some()
            }
            EventData::SequenceEnd | EventData::MappingEnd => {
                depth -= 1;
                false
            }
            _ => false,
        };
        let start = usize::try_from(event.start_mark.index).unwrap_or(usize::MAX);
        if is_tagged && harmless.is_changed_in_tag(start) {
            return Err(TagError::Unsafe);
        }
        if depth > MAX_DEPTH {
            return Err(TagError::TooDeep(event.start_mark));
        }
    }
}

/// A text in which a blank is before each `,`, and no `%`, in words with `!`.
struct HarmlessText {
    text: String,
    /// The changed bytes, in order.
    changes: Vec<usize>,
}

impl HarmlessText {
    /// Returns the changed copy of a text; `None` if there is nothing to change, as in nearly all texts.
    fn of(text: &str) -> Option<Self> {
        if !text.contains('!') {
            return None;
        }
        let (mut result, mut changes) = (String::new(), Vec::new());
        let (mut copied, mut may_be_tag) = (0, false);
        for (at, character) in text.char_indices() {
            match character {
                '!' => may_be_tag = true,
                ',' | '%' if may_be_tag => {
                    result.push_str(&text[copied..at]);
                    changes.push(result.len());
                    result.push_str(if character == ',' { " ," } else { "x" });
                    copied = at + 1;
                    may_be_tag = character == '%';
                }
                _ if character.is_whitespace() => may_be_tag = false,
                _ => {}
            }
        }
        if changes.is_empty() {
            return None;
        }
        result.push_str(&text[copied..]);
        let text = result;
        Some(Self { text, changes })
    }

    /// Reports whether the first tag after a byte, or the byte after it, is changed.
    fn is_changed_in_tag(&self, start: usize) -> bool {
        let after = self.text.get(start..).unwrap_or_default();
        let Some(begin) = after.find('!') else {
            return false;
        };
        let length = after[begin..].find(char::is_whitespace);
        let tag = start + begin..=start + begin + length.unwrap_or(after.len());
        let first = self.changes.partition_point(|it| it < tag.start());
        self.changes.get(first).is_some_and(|it| tag.contains(it))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::yaml::parse;

    #[rstest]
    #[case::list("a: [!b,c]")]
    #[case::mapping("a: {b: !c,d: 1}")]
    #[case::after_another("a: [x !b,!c,d]")]
    #[case::after_an_anchor("a: [&x !b,c]")]
    #[case::verbatim("a: [!<b>,c]")]
    #[case::escape("a: !%ED%A0%80 x")]
    #[case::escape_in_list("a: [!b%FF%FF,c]")]
    fn unsafe_tag_is_an_error(#[case] text: &str) {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.contains("write a blank after a tag"), "{error}");
    }

    #[rstest]
    #[case::quoted("a: \"!b,c %41\"")]
    #[case::comment("a: 1 # !b,c")]
    #[case::block("a: |\n  [!has(b.c), !d%41]\n")]
    #[case::plain("a: x!b,c%41")]
    #[case::tag_elsewhere("a: !!str x # !b,c\nd: \"!e,f\"")]
    fn exclamation_mark_without_a_tag_is_none(#[case] text: &str) {
        assert_eq!(parse(text).map(|it| it.len()), Ok(1));
    }
}
