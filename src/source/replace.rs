use super::Position;
use super::position::lines;
use super::scalar::{Scalar, scalar};

/// A word in a text, and what is to stand in its place.
#[derive(Clone, Copy, Debug)]
pub struct Replacement<'a> {
    /// Where a [`Document`](super::Document) says that it is.
    pub position: Position,
    /// What it says.
    pub old: &'a str,
    /// What it shall say.
    pub new: &'a str,
}

/// Replaces words of YAML or JSON, and nothing else: quotes, comments and layout stay. Says of each whether that was done; it is not where
/// the word is written in another way than by its letters, as with escapes, or behind a tag or an
/// anchor.
#[must_use]
pub fn replace(text: &str, replacements: &[Replacement<'_>]) -> (String, Vec<bool>) {
    let mut order: Vec<usize> = (0..replacements.len()).collect();
    order.sort_by_key(|index| replacements[*index].position);
    let mut done = vec![false; replacements.len()];
    let mut result = String::with_capacity(text.len());
    // Positions do not count it.
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

/// Inserts fields in front of the first keys of mappings, in block or flow style. Nothing else changes.
///
/// The result has to be read again: positions that a [`Document`](super::Document) takes from an alias are in another mapping.
#[must_use]
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
        result.push_str(&match is_flow {
            true => flow(field),
            false => block(field),
        });
        copied = at;
    }
    result.push_str(&text[copied..]);
    result
}

fn flow(field: &NewFields) -> String {
    let entries = field.entries.iter();
    let entries = entries.map(|(key, value)| format!("{}: {}", quoted(key), quoted(value)));
    let entries = entries.collect::<Vec<_>>().join(", ");
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

/// How many bytes lie between two places of a text that begins at the first; `None` if it has no such place.
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

/// The length of the byte order mark that a text begins with.
fn byte_order_mark(text: &str) -> usize {
    text.len() - text.trim_start_matches('\u{feff}').len()
}

/// A word as it is to be written.
struct Written {
    new: String,
    /// How many bytes it replaces.
    length: usize,
}

/// What a text begins with, written anew; `None` if it does not begin with the word.
fn written(text: &str, replacement: &Replacement<'_>) -> Option<Written> {
    let Replacement { old, new, .. } = replacement;
    let is_simple = |char: char| char.is_ascii_alphanumeric() || "._+-".contains(char);
    // Other characters may be written in another way than they are read: quotes, line breaks, escapes.
    let is_word = |text: &str| !text.is_empty() && text.chars().all(is_simple);
    if !is_word(old) || !is_word(new) {
        return None;
    }
    for quote in ["\"", "'"] {
        let quoted = format!("{quote}{old}{quote}");
        if text.starts_with(&quoted) {
            return Some(Written {
                new: format!("{quote}{new}{quote}"),
                length: quoted.len(),
            });
        }
    }
    let rest = text.strip_prefix(old)?;
    let ends = |char: char| char.is_whitespace() || ",]}".contains(char);
    if !rest.is_empty() && !rest.starts_with(ends) {
        return None;
    }
    // As `15.4`, which would be a number.
    let is_text = matches!(scalar(new, true, None), Ok(Scalar::Text(_)));
    Some(Written {
        new: match is_text {
            true => (*new).to_owned(),
            false => format!("\"{new}\""),
        },
        length: old.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::parse;

    /// The text once what `pointer` names is replaced.
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
            (
                "{\"a\": \"1.2.3\", \"b\": 1}",
                "{\"a\": \"1.10.0\", \"b\": 1}",
            ),
            ("{b: ä, a: 1.2.3}", "{b: ä, a: 1.10.0}"),
            ("\u{feff}a: 1.2.3", "\u{feff}a: 1.10.0"),
            ("a: >-\n  1.2.3", "a: >-\n  1.10.0"),
            ("b: 1\ra: 1.2.3\r", "b: 1\ra: 1.10.0\r"),
            ("b: x\u{85}y\na: 1.2.3", "b: x\u{85}y\na: 1.10.0"),
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
        let of = |line, column, old, new| Replacement {
            position: Position { line, column },
            old,
            new,
        };
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
