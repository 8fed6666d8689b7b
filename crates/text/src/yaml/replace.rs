// SPDX-License-Identifier: Apache-2.0
use super::Position;
use super::position::lines;
use super::scalar::{Scalar, scalar};

/// A scalar in a text, and its replacement.
#[derive(Clone, Copy, Debug)]
pub struct Replacement<'a> {
    /// The position from a [`Document`](super::Document).
    pub position: Position,
    /// The current value.
    pub old: &'a str,
    /// The new value.
    pub new: &'a str,
}

/// Replaces scalars of YAML or JSON; quotes, comments and layout do not change.
///
/// Returns for each replacement whether it was made. Scalars that are written with escapes, a tag or an anchor are not
/// replaced.
pub fn replace(text: &str, replacements: &[Replacement<'_>]) -> (String, Vec<bool>) {
    let mut order: Vec<usize> = (0..replacements.len()).collect();
    order.sort_by_key(|index| replacements[*index].position);
    let mut done = vec![false; replacements.len()];
    let mut result = String::with_capacity(text.len());
    // Positions do not count the byte order mark.
    let begin = byte_order_mark(text);
    let (mut copied, mut at, mut position) = (0, begin, Position::START);
    for index in order {
        let it = replacements[index];
        let Some(way) = way(&text[at..], position, it.position) else {
            continue;
        };
        (at, position) = (at + way, it.position);
        if let Some(written) = written(&text[at..], &it).filter(|_| copied <= at) {
            result.push_str(&text[copied..at]);
            result.push_str(&written.new);
            copied = at + written.length;
            done[index] = true;
        }
    }
    result.push_str(&text[copied..]);
    (result, done)
}

/// New fields of a mapping, whose values are strings.
#[derive(Clone, Debug)]
pub struct NewFields {
    /// The first key of the mapping.
    pub position: Position,
    /// The mapping that is created for the entries; `None` if they go into the mapping itself.
    pub parent: Option<String>,
    /// Keys and values.
    pub entries: Vec<(String, String)>,
}

/// Inserts fields before the first keys of mappings, in block or flow style.
///
/// Nothing else changes. Parse the result again: a position that a [`Document`](super::Document) takes from an alias is
/// in another mapping.
pub fn insert(text: &str, fields: &[NewFields]) -> String {
    let begin = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut fields: Vec<&NewFields> = fields.iter().collect();
    fields.sort_by_key(|field| field.position);
    let mut result = String::with_capacity(text.len());
    let mut copied = 0;
    for field in fields {
        let way = way(&text[begin..], Position::START, field.position);
        let Some(at) = way.map(|way| begin + way) else {
            continue;
        };
        result.push_str(&text[copied..at]);
        let before = text[..at].trim_end();
        let is_flow = before.ends_with(['{', ',']);
        result.push_str(&if is_flow { flow(field) } else { block(field) });
        copied = at;
    }
    result.push_str(&text[copied..]);
    result
}

fn flow(field: &NewFields) -> String {
    let entries = field
        .entries
        .iter()
        .map(|(key, value)| format!("{}: {}", quoted(key), quoted(value)))
        .collect::<Vec<_>>()
        .join(", ");
    match &field.parent {
        Some(parent) => format!("{}: {{{entries}}}, ", quoted(parent)),
        None => format!("{entries}, "),
    }
}

fn block(field: &NewFields) -> String {
    let indent = " ".repeat(field.position.column - 1);
    let (mut text, inner) = match &field.parent {
        Some(parent) => (format!("{parent}:\n{indent}"), "  "),
        None => (String::new(), ""),
    };
    for (key, value) in &field.entries {
        text += &format!("{inner}{key}: {}\n{indent}", quoted(value));
    }
    text
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns the number of bytes between two positions; `text` begins at `from`.
///
/// Returns `None` if `text` has no such position.
fn way(text: &str, from: Position, to: Position) -> Option<usize> {
    let skipped = to.line.checked_sub(from.line)?;
    let (line, before) = match skipped {
        0 => (0, to.column.checked_sub(from.column)?),
        _ => {
            let line: usize = lines(text).take(skipped).map(str::len).sum();
            let mark = byte_order_mark(&text[line..]);
            (line + mark, to.column.checked_sub(1)?)
        }
    };
    let mut characters = text[line..].char_indices();
    let (column, _) = characters.nth(before)?;
    Some(line + column)
}

/// Formats a string as a scalar: without quotes if it is parsed as the same string.
///
/// A value such as `15.4` would be parsed as a number.
pub fn plain_or_quoted(text: &str) -> String {
    let is_simple = |char: char| char.is_ascii_alphanumeric() || "._+-/".contains(char);
    let is_word =
        text.starts_with(|it: char| it.is_ascii_alphanumeric()) && text.chars().all(is_simple);
    let is_text = matches!(scalar(text, true, None), Ok(Scalar::Text(_)));
    if is_word && is_text { text.to_owned() } else { quoted(text) }
}

/// Returns the length of the byte order mark at the beginning of a text.
fn byte_order_mark(text: &str) -> usize {
    text.len() - text.trim_start_matches('\u{feff}').len()
}

/// A scalar in its new notation.
struct NewText {
    new: String,
    /// The number of bytes that it replaces.
    length: usize,
}

/// Returns the new notation of the scalar at the beginning of a text.
///
/// Returns `None` if `text` does not begin with the old value.
fn written(text: &str, replacement: &Replacement<'_>) -> Option<NewText> {
    let Replacement { old, new, .. } = replacement;
    let is_simple = |char: char| char.is_ascii_alphanumeric() || "._+-".contains(char);
    // Quotes, line breaks and escapes may be written in several ways.
    let is_word = |text: &str| !text.is_empty() && text.chars().all(is_simple);
    if !is_word(old) || !is_word(new) {
        return None;
    }
    for quote in ["\"", "'"] {
        let quoted = format!("{quote}{old}{quote}");
        if text.starts_with(&quoted) {
            return Some(NewText { new: format!("{quote}{new}{quote}"), length: quoted.len() });
        }
    }
    let rest = text.strip_prefix(old)?;
    let ends = |char: char| char.is_whitespace() || ",]}".contains(char);
    if !rest.is_empty() && !rest.starts_with(ends) {
        return None;
    }
    Some(NewText { new: plain_or_quoted(new), length: old.len() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::parse;

    /// Returns the text after the replacement of the value at `pointer`.
    fn replaced(text: &str, pointer: &str, new: &str) -> Option<String> {
        let document = parse(text).unwrap().remove(0);
        let replacement = Replacement {
            position: document.own_position(pointer)?,
            old: &document.text(pointer)?,
            new,
        };
        let (text, done) = replace(text, &[replacement]);
        done[0].then(|| {
            let again = parse(&text).unwrap().remove(0);
            assert_eq!(again.text(pointer).as_deref(), Some(new), "{text}");
            text
        })
    }

    #[test]
    fn only_the_word_changes() {
        for (text, want) in [
            ("a: 1.2.3 # why\nb: 1", "a: 1.10.0 # why\nb: 1"),
            ("# x\r\na:   '1.2.3'\r\n", "# x\r\na:   '1.10.0'\r\n"),
            ("{\"a\": \"1.2.3\", \"b\": 1}", "{\"a\": \"1.10.0\", \"b\": 1}"),
            ("{b: ä, a: 1.2.3}", "{b: ä, a: 1.10.0}"),
            ("\u{feff}a: 1.2.3", "\u{feff}a: 1.10.0"),
            ("b: 1\ra: 1.2.3\r", "b: 1\ra: 1.10.0\r"),
        ] {
            let found = replaced(text, "/a", "1.10.0");
            assert_eq!(found.as_deref(), Some(want), "{text}");
        }
    }

    #[test]
    fn what_would_be_a_number_is_put_in_quotes() {
        let found = replaced("a: 1.2.3", "/a", "15.4");
        assert_eq!(found.as_deref(), Some("a: \"15.4\""));
    }

    #[test]
    fn what_is_shared_tagged_or_escaped_stays() {
        for text in [
            "a: &v 1.2.3\nb: *v",
            "b: &v 1.2.3\na: *v",
            "b: &v {a: 1.2.3}\n<<: *v",
            "a: !!str 1.2.3",
            "a: &unused 1.2.3",
            "a: \"1.2.\\x33\"",
            "a: 1.2.3\n  and more",
            "a: ''''",
            "a: |\n  1.2.3\n",
        ] {
            let found = replaced(text, "/a", "1.10.0");
            assert_eq!(found, None, "{text}");
        }
    }

    #[test]
    fn many_are_replaced_at_once_in_any_order() {
        let text = "{a: x1, b: x2}\nc:\n";
        let of =
            |line, column, old, new| Replacement { position: Position { line, column }, old, new };
        let replacements = [
            of(1, 12, "x2", "longer"),
            of(1, 5, "x1", "y1"),
            of(2, 1, "c", "d"),
            of(9, 1, "c", "d"),
            of(1, 5, "x1", "twice"),
        ];
        let (text, done) = replace(text, &replacements);
        assert_eq!(text, "{a: y1, b: longer}\nc:\n");
        assert_eq!(done, [true, true, false, false, false]);
    }
}
