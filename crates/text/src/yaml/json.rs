// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use serde_json::Number;
use serde_json::value::RawValue;

use super::build::Builder;
use super::scalar::Scalar;
use super::{Position, SourceError};
use crate::json::{RawJson, without_position};

/// Error of parsing a text as JSON.
pub(super) enum Failure {
    /// Invalid JSON syntax.
    Syntax(SourceError),
    /// Valid JSON that exceeds a limit or has a duplicate key.
    Content(SourceError),
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        Failure::Content(error)
    }
}

/// Parses one or more JSON values and passes them to `builder`.
///
/// YAML parsers do not accept all JSON, for example pairs of `\u` surrogates.
pub(super) fn read(text: &str, builder: &mut Builder) -> Result<(), Failure> {
    let mut reader = Reader { rest: text, position: Position::START, builder, open: Vec::new() };
    reader.skip_blanks();
    while !reader.rest.is_empty() {
        reader.value()?;
        while let Some(&bracket) = reader.open.last() {
            reader.next_child(bracket)?;
        }
        reader.builder.end_document();
        reader.skip_blanks();
    }
    Ok(())
}

/// Decodes a string; unpaired surrogates become replacement characters, as in Go.
fn text_of(literal: &str) -> serde_json::Result<Cow<'_, str>> {
    let decoded = serde_json::from_str::<String>(literal);
    decoded.map(Cow::Owned).or_else(|error| {
        let is_string = serde_json::from_str::<&RawValue>(literal).is_ok();
        match RawJson::of(literal) {
            RawJson::Text(quoted) if is_string => Ok(quoted.text()),
            _ => Err(error),
        }
    })
}

struct Reader<'a> {
    rest: &'a str,
    position: Position,
    builder: &'a mut Builder,
    /// The open brackets, and whether each has content.
    open: Vec<(Bracket, bool)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Bracket {
    Square,
    Curly,
}

impl<'a> Reader<'a> {
    /// Parses a scalar, or the opening bracket of a list or mapping.
    fn value(&mut self) -> Result<(), Failure> {
        let at = self.position;
        match self.rest.bytes().next() {
            Some(b'{') => {
                self.take(1);
                self.builder.open_mapping(at, None)?;
                self.open.push((Bracket::Curly, false));
            }
            Some(b'[') => {
                self.take(1);
                self.builder.open_sequence(at, None)?;
                self.open.push((Bracket::Square, false));
            }
            Some(b'"') => self.string()?,
            _ => {
                let scalar = self.word()?;
                self.builder.scalar(scalar, at, None)?;
            }
        }
        Ok(())
    }

    /// Parses the next item or entry of the innermost list or mapping, or its end.
    fn next_child(&mut self, (bracket, filled): (Bracket, bool)) -> Result<(), Failure> {
        self.skip_blanks();
        let close = if bracket == Bracket::Curly { '}' } else { ']' };
        if self.accept(close) {
            self.open.pop();
            return Ok(self.builder.close()?);
        }
        if filled {
            self.expect(',', &format!("expected `,` or `{close}`"))?;
            self.skip_blanks();
        }
        if let Some(open) = self.open.last_mut() {
            open.1 = true;
        }
        if bracket == Bracket::Curly {
            if !self.rest.starts_with('"') {
                return Err(self.syntax("expected a key in double quotes"));
            }
            self.string()?;
            self.skip_blanks();
            self.expect(':', "expected `:` after the key")?;
            self.skip_blanks();
        }
        self.value()
    }

    fn string(&mut self) -> Result<(), Failure> {
        let at = self.position;
        let mut escaped = false;
        let end = self.rest.bytes().skip(1).position(|byte| {
            let ends = byte == b'\n' || (byte == b'"' && !escaped);
            escaped = byte == b'\\' && !escaped;
            ends
        });
        let literal = end.and_then(|end| self.rest.get(..end + 2)).unwrap_or(self.rest);
        let text = text_of(literal).map_err(|error| {
            let message = without_position(&error);
            Failure::Syntax(SourceError::new(at, format!("a string is wrong: {message}")))
        })?;
        self.take(literal.len());
        Ok(self.builder.scalar(Scalar::Text(text), at, None)?)
    }

    /// Parses a number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Scalar<'a>, Failure> {
        let is_part = |char: char| char.is_ascii_alphanumeric() || matches!(char, '+' | '-' | '.');
        let end = self.rest.find(|char| !is_part(char)).unwrap_or(self.rest.len());
        let scalar = match &self.rest[..end] {
            "null" => Scalar::Null,
            "true" => Scalar::Bool(true),
            "false" => Scalar::Bool(false),
            word => match serde_json::from_str::<Number>(word) {
                Ok(number) if number.is_f64() => Scalar::Fraction(word),
                Ok(number) => Scalar::Number(number),
                Err(_) if word.is_empty() => return Err(self.syntax("expected a value")),
                // Messages contain no values, which may be credentials.
                Err(_) => return Err(self.syntax("not a value; texts need double quotes")),
            },
        };
        self.take(end);
        Ok(scalar)
    }

    fn skip_blanks(&mut self) {
        let blanks = self.rest.len() - self.rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        self.take(blanks);
    }

    fn accept(&mut self, char: char) -> bool {
        let found = self.rest.starts_with(char);
        if found {
            self.take(char.len_utf8());
        }
        found
    }

    fn expect(&mut self, char: char, otherwise: &str) -> Result<(), Failure> {
        if self.accept(char) { Ok(()) } else { Err(self.syntax(otherwise)) }
    }

    fn take(&mut self, bytes: usize) {
        let (taken, rest) = self.rest.split_at(bytes);
        self.position = self.position.after(taken);
        self.rest = rest;
    }

    fn syntax(&self, message: &str) -> Failure {
        Failure::Syntax(SourceError::new(self.position, message))
    }
}
