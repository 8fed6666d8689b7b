// SPDX-License-Identifier: Apache-2.0
//! Events of the documents of a YAML text, as kubectl reads them.
//!
//! kubectl splits a text at lines that begin with `---`, and reads the first document of each part with a port of
//! libyaml. The parser here is another port of it.
//!
//! Sources: `pkg/util/yaml/decoder.go` of k8s.io/apimachinery, and `yaml.go` of sigs.k8s.io/yaml.

use std::ops::Range;

use libyaml_safer::{
    Error, ErrorKind, EventData, MappingStyle, Mark, Parser, ScalarStyle, SequenceStyle,
};

use super::error::too_deep;
use super::parser::{Lines, parser};
use super::split::split_yaml;
use super::tags::{TagError, check_tags};
use super::{Position, SourceError, whitespace};

/// Characters that end a line for kubectl, but not in YAML 1.2 and not in editors.
const OLD_LINE_BREAKS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// A part of a YAML text, with at most one document.
pub(super) struct Part<'t> {
    whole: &'t str,
    text: &'t str,
    /// The byte at which it begins.
    start: usize,
    lines_before: usize,
    /// The position of its end, in the part.
    end: Position,
}

/// Splits a YAML text into its parts.
///
/// # Errors
/// Fails where kubectl reads a text in another way than other programs.
pub(super) fn parts(text: &str) -> Result<Vec<Part<'_>>, SourceError> {
    refuse_differences(text)?;
    let ranges = split_yaml(text).into_iter();
    let parts = ranges.map(|(lines_before, range)| Part {
        whole: text,
        start: range.start,
        lines_before,
        end: Position::START.after(&text[range.clone()]),
        text: &text[range],
    });
    parts.map(Part::checked).collect()
}

/// Fails on what kubectl reads in another way than other programs, or not at all, even in a comment or a text.
fn refuse_differences(text: &str) -> Result<(), SourceError> {
    let directive = ["\n%", "\r%"]
        .iter()
        .filter_map(|it| Some(text.find(it)? + 1))
        .min()
        .filter(|_| !text.starts_with('%'));
    let begin = &text[..text.len() - text.trim_start().len()];
    let found = [
        begin.find(|it: char| !it.is_ascii()),
        text.starts_with('%').then_some(0).or(directive),
        text.find(OLD_LINE_BREAKS),
        text.find('\u{feff}'),
    ];
    let Some(offset) = found.into_iter().flatten().min() else {
        return Ok(());
    };
    let message = match text[offset..].chars().next() {
        Some('%') => {
            "a line begins with `%`: kubectl reads no directives; delete it, or indent the line"
                .to_owned()
        }
        Some('\u{feff}') => {
            "a byte order mark inside of a text; delete it, or write `\\ufeff` in double quotes"
                .to_owned()
        }
        other if other.is_some_and(|it| !OLD_LINE_BREAKS.contains(&it)) => {
            let code = other.map_or(0, u32::from);
            format!(
                "U+{code:04X} at the beginning looks like a space, but is none in YAML; delete it"
            )
        }
        other => {
            let code = other.map_or(0, u32::from);
            format!(
                "the character U+{code:04X} ends a line for kubectl, but not for other programs; replace it by a line break or a blank, or write `\\u{code:04x}` in double quotes"
            )
        }
    };
    let position = Position::START.after(&text[..offset]);
    Err(SourceError::new(position, message))
}

impl<'t> Part<'t> {
    /// Checks that only a comment follows `---`, and that the parser can read all tags.
    fn checked(self) -> Result<Self, SourceError> {
        let refuse = |message: &str| Err(SourceError::new(self.below(Position::START), message));
        let first = self.text.lines().next().unwrap_or_default();
        let after = first.strip_prefix("---").unwrap_or_default();
        let comment = after.trim_start_matches([' ', '\t', '\r']);
        if !comment.is_empty() && (comment == after || !comment.starts_with('#')) {
            return refuse(
                "a line that begins with `---` separates documents, and only a blank and a comment may follow on it for kubectl; begin the document on the next line",
            );
        }
        match check_tags(self.text) {
            Ok(()) => Ok(self),
            Err(TagError::Syntax(error)) => Err(self.syntax_error(&error)),
            Err(TagError::TooDeep(mark)) => Err(too_deep(self.position(mark))),
            Err(TagError::Unsafe) => refuse(
                "a tag in this document, such as `!!str`, is directly before a comma or has escapes; write a blank after a tag, and no `%` in it",
            ),
        }
    }

    /// Returns the events of the document.
    pub(super) fn events(&self) -> Events<'_, 't> {
        Events { part: self, parser: parser(self.text), in_flow: Vec::new() }
    }

    /// Returns the byte of the whole text at a mark.
    fn byte(&self, mark: Mark) -> usize {
        self.start + number(mark.index).min(self.text.len())
    }

    /// Returns the position of a mark in the whole text.
    ///
    /// The parser reports the end of a text as a separate line, even without a line break before it.
    fn position(&self, mark: Mark) -> Position {
        let position = Position {
            line: number(mark.line).saturating_add(1),
            column: number(mark.column).saturating_add(1),
        };
        self.below(position.min(self.end))
    }

    /// Converts a position in the part to that in the whole text.
    fn below(&self, position: Position) -> Position {
        Position { line: position.line + self.lines_before, ..position }
    }

    fn syntax_error(&self, error: &Error) -> SourceError {
        let position = match error.kind() {
            ErrorKind::Reader => {
                let before = self.text.split(is_control).next().unwrap_or_default();
                self.below(Position::START.after(before))
            }
            _ => self.position(place(error)),
        };
        let message = match error.context() {
            Some(context) => format!("{context}, {}", error.problem()),
            None => error.problem().to_owned(),
        };
        let error = whitespace::blame(SourceError::new(position, message), self.whole);
        SourceError { is_syntax: true, ..error }
    }
}

/// Returns the mark of an error: where an unfinished scalar begins, else where the error was noticed.
fn place(error: &Error) -> Mark {
    let is_end = error.problem() == "found unexpected end of stream";
    let began = error.context_mark().filter(|_| is_end);
    began.or(error.problem_mark()).unwrap_or_default()
}

/// Reports whether a text in double quotes has the escape `\/`.
fn has_escaped_slash(quoted: &str) -> bool {
    let is_slash = |(at, _)| {
        let before = quoted[..at].bytes().rev();
        before.take_while(|it| *it == b'\\').count() % 2 == 0
    };
    quoted.match_indices("\\/").any(is_slash)
}

/// Reports whether YAML does not allow a character.
fn is_control(character: char) -> bool {
    let is_allowed = matches!(character, '\t' | '\n' | '\r') || !character.is_control();
    !is_allowed || matches!(character, '\u{fffe}' | '\u{ffff}')
}

fn number(mark: u64) -> usize {
    usize::try_from(mark).unwrap_or(usize::MAX)
}

/// The events of a document.
pub(super) struct Events<'p, 't> {
    part: &'p Part<'t>,
    parser: Parser<Lines<'t>>,
    /// Whether each open collection has the flow style.
    in_flow: Vec<bool>,
}

/// An event with its place in the whole text.
pub(super) struct Event {
    pub(super) data: EventData,
    pub(super) position: Position,
    pub(super) bytes: Range<usize>,
}

impl Events<'_, '_> {
    /// Returns the next event of a value; `None` at the end of the document.
    ///
    /// # Errors
    /// Fails on invalid syntax, and if something that kubectl ignores follows the document.
    pub(super) fn next(&mut self) -> Result<Option<Event>, SourceError> {
        loop {
            let event = self.event()?;
            match event.data {
                EventData::StreamStart { .. } | EventData::DocumentStart { .. } => {}
                EventData::StreamEnd => return Ok(None),
                EventData::DocumentEnd { .. } => return self.end().map(|()| None),
                _ => {
                    self.refuse_difference(&event)?;
                    return Ok(Some(event));
                }
            }
        }
    }

    /// Fails on `?` in a plain scalar of a flow collection, where the scalar ends for kubectl, and on `\/`, which it does
    /// not know.
    fn refuse_difference(&mut self, event: &Event) -> Result<(), SourceError> {
        match &event.data {
            EventData::SequenceStart { style, .. } => {
                self.in_flow.push(*style == SequenceStyle::Flow);
            }
            EventData::MappingStart { style, .. } => {
                self.in_flow.push(*style == MappingStyle::Flow);
            }
            EventData::SequenceEnd | EventData::MappingEnd => drop(self.in_flow.pop()),
            EventData::Scalar { style: ScalarStyle::Plain, value, .. }
                if value.contains('?') && self.in_flow.last() == Some(&true) =>
            {
                let message = "for kubectl, a text without quotes ends at `?` inside of `[]` or `{}`; put it in quotes";
                return Err(SourceError::new(event.position, message));
            }
            EventData::Scalar { style: ScalarStyle::DoubleQuoted, .. }
                if self.part.whole.get(event.bytes.clone()).is_some_and(has_escaped_slash) =>
            {
                let message = "kubectl does not know `\\/` in YAML; write `/`";
                return Err(SourceError::new(event.position, message));
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), SourceError> {
        let message = "this is no part of the document above, and kubectl ignores it; indent it like that document, or begin another one with `---`";
        let position = match self.event() {
            Ok(event) if matches!(event.data, EventData::StreamEnd) => return Ok(()),
            Ok(event) => event.position,
            Err(error) => error.position,
        };
        Err(SourceError::new(position, message))
    }

    fn event(&mut self) -> Result<Event, SourceError> {
        let event = self.parser.parse().map_err(|error| self.part.syntax_error(&error))?;
        Ok(Event {
            position: self.part.position(event.start_mark),
            bytes: self.part.byte(event.start_mark)..self.part.byte(event.end_mark),
            data: event.data,
        })
    }
}
