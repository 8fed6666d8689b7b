use std::fmt::Write as _;
use std::io;

use serde::Serialize;
use serde_json::{Map, Number, Value};

use crate::escape;
use crate::report::json_document;

/// Longer names of fields may be written otherwise.
const LONGEST_NAME: usize = 60;
/// Longer texts may be folded.
const LONGEST: usize = 80;
/// So much room is made at once, in bytes: for a Shoot with its defaults.
const USUAL: usize = 4096;
/// Words that YAML takes for something else than texts, or that somebody might; by how long they are.
const WORDS: [&[&str]; 10] = [
    &[],
    &["y", "n"],
    &["no", "on"],
    &["yes", "off", "nan", "inf"],
    &["true", "null", "none"],
    &["false"],
    &[],
    &[],
    &["infinity"],
    &["undefined"],
];
/// Which bytes mean nothing in a text but themselves.
const HARMLESS: [bool; 256] = {
    let mut harmless = [false; 256];
    let mut byte: u8 = 0;
    while byte < u8::MAX {
        harmless[byte as usize] =
            byte.is_ascii_alphanumeric() || matches!(byte, b'-'..=b'/' | b'_');
        byte += 1;
    }
    harmless
};

/// The object as a YAML document, with its `---`. Objects with unsafe characters are written as JSON, a subset of YAML in which every character can be
/// escaped.
///
/// # Errors
/// When it cannot be written as YAML.
pub fn yaml_document(object: &Value) -> io::Result<String> {
    let yaml = yaml(object).map_err(io::Error::other)?;
    let text = match escape::is_clean(&yaml) {
        true => yaml,
        false => json_document(object)?,
    };
    Ok(format!("---\n{text}"))
}

/// The object as YAML.
///
/// # Errors
/// When it cannot be written as YAML.
fn yaml(object: &Value) -> Result<String, serde_saphyr::SerializeError> {
    let mut text = String::new();
    match write(&mut text, object, 0) {
        Some(()) => Ok(text),
        None => serde_saphyr::to_string(object),
    }
}

/// Two objects as YAML; what they have in common is written once.
///
/// # Errors
/// When one cannot be written as YAML.
pub(super) fn yaml_of_both(
    old: &Value,
    new: &Value,
) -> Result<[String; 2], serde_saphyr::SerializeError> {
    let mut texts = [(); 2].map(|()| String::with_capacity(USUAL));
    if let (Value::Object(own), Value::Object(other)) = (old, new)
        && write_both(&mut texts, own, other, 0).is_some()
        && !own.is_empty()
        && !other.is_empty()
    {
        return Ok(texts);
    }
    Ok([yaml(old)?, yaml(new)?])
}

fn write_both(
    texts: &mut [String; 2],
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    indent: usize,
) -> Option<()> {
    let mut added = new
        .iter()
        .filter(|(name, _)| !old.contains_key(*name))
        .peekable();
    for (name, own) in old {
        while let Some((name, value)) = added.next_if(|(added, _)| *added < name) {
            field(&mut texts[1], name, value, indent)?;
        }
        match new.get(name) {
            None => field(&mut texts[0], name, own, indent)?,
            Some(other) if own == other => {
                let begin = texts[0].len();
                field(&mut texts[0], name, own, indent)?;
                let [old, new] = texts;
                new.push_str(&old[begin..]);
            }
            Some(Value::Object(other))
                if !other.is_empty() && own.as_object().is_some_and(|it| !it.is_empty()) =>
            {
                for text in &mut *texts {
                    pad(text, indent);
                    key(text, name)?;
                    text.push('\n');
                }
                write_both(texts, own.as_object()?, other, indent + 2)?;
            }
            Some(other) => {
                field(&mut texts[0], name, own, indent)?;
                field(&mut texts[1], name, other, indent)?;
            }
        }
    }
    added.try_for_each(|(name, value)| field(&mut texts[1], name, value, indent))
}

/// Writes a field on lines of its own.
fn field(out: &mut String, name: &str, value: &Value, indent: usize) -> Option<()> {
    pad(out, indent);
    key(out, name)?;
    inside(out, value, indent)
}

/// Writes what `serde_saphyr` would, ten times as fast; `None` for names in quotes, and for texts in a list that are not of one line.
fn write(out: &mut String, value: &Value, indent: usize) -> Option<()> {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (index, (name, value)) in fields.iter().enumerate() {
                if index > 0 {
                    pad(out, indent);
                }
                key(out, name)?;
                inside(out, value, indent)?;
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    pad(out, indent);
                }
                out.push('-');
                out.push(' ');
                write(out, item, indent + 2)?;
            }
        }
        _ => leaf(out, value, None)?,
    }
    Some(())
}

/// Writes the value of a field, behind its name; lists begin in the column of the name.
fn inside(out: &mut String, value: &Value, indent: usize) -> Option<()> {
    let indent = match value {
        Value::Object(fields) if !fields.is_empty() => indent + 2,
        Value::Array(items) if !items.is_empty() => indent,
        _ => {
            out.push(' ');
            return leaf(out, value, Some(indent));
        }
    };
    out.push('\n');
    pad(out, indent);
    write(out, value, indent)
}

/// The name of a field; those that need quotes are quoted by rules of their own.
fn key(out: &mut String, name: &str) -> Option<()> {
    out.push_str(Some(name).filter(|it| it.len() <= LONGEST_NAME && is_plain(it))?);
    out.push(':');
    Some(())
}

fn pad(out: &mut String, indent: usize) {
    const BLANKS: &str = "                                                                ";
    let mut left = indent;
    while left > 0 {
        let blanks = &BLANKS[..left.min(BLANKS.len())];
        out.push_str(blanks);
        left -= blanks.len();
    }
}

/// A value that holds no others, and the end of the line; `indent` is that of the field whose value it is.
fn leaf(out: &mut String, value: &Value, indent: Option<usize>) -> Option<()> {
    match value {
        Value::String(text) => scalar(out, text, indent)?,
        Value::Number(number) => amount(out, number)?,
        Value::Bool(true) => *out += "true",
        Value::Bool(false) => *out += "false",
        Value::Null => *out += "null",
        Value::Array(_) => *out += "[]",
        Value::Object(_) => *out += "{}",
    }
    out.push('\n');
    Some(())
}

/// Only what has an exponent is written otherwise than in JSON.
fn amount(out: &mut String, number: &Number) -> Option<()> {
    let begin = out.len();
    write!(out, "{number}").ok()?;
    if number.is_f64() && out[begin..].contains(['e', 'E']) {
        out.truncate(begin);
        library(out, number)?;
    }
    Some(())
}

fn scalar(out: &mut String, text: &str, indent: Option<usize>) -> Option<()> {
    if text.len() > LONGEST {
        return match is_list(text) {
            true => unfolded(out, text, indent?),
            false => folded(out, text, indent?),
        };
    }
    if is_plain(text) || is_amount(text) {
        *out += text;
    } else if is_version(text) || ["", "false", "true"].contains(&text) {
        out.push('"');
        *out += text;
        out.push('"');
    } else if text.contains(char::is_control) {
        folded(out, text, indent?)?;
    } else {
        library(out, &text)?;
    }
    Some(())
}

/// A text of a field that may take several lines; those behind the first are indented further than the field.
fn folded(out: &mut String, text: &str, indent: usize) -> Option<()> {
    let begin = out.len();
    library(out, &text)?;
    if out[begin..].contains('\n') {
        let written = out.split_off(begin);
        let mut lines = written.split('\n');
        *out += lines.next()?;
        for line in lines {
            out.push('\n');
            if !line.is_empty() {
                pad(out, indent);
            }
            *out += line;
        }
    }
    Some(())
}

/// As [`folded`], a text that has nothing in it at which it could be folded.
fn unfolded(out: &mut String, text: &str, indent: usize) -> Option<()> {
    out.push_str(">-\n");
    pad(out, indent + 2);
    out.push_str(text);
    Some(())
}

/// What the library writes, without the end of the line.
fn library(out: &mut String, value: &impl Serialize) -> Option<()> {
    let written = serde_saphyr::to_string(value).ok()?;
    *out += written.strip_suffix('\n').unwrap_or(&written);
    Some(())
}

/// Whether a text is certainly itself without quotes.
fn is_plain(text: &str) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
    let is_word = |word: &&str| text.eq_ignore_ascii_case(word);
    let words = WORDS.get(text.len()).copied().unwrap_or_default();
    text.as_bytes().first().is_some_and(is_letter)
        && is_harmless(text)
        && !words.iter().any(is_word)
}

/// Whether a text is made of words that need no quotes, with commas between them.
fn is_list(text: &str) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
    let mut words = text.split(',');
    text.as_bytes().first().is_some_and(is_letter) && words.all(is_harmless)
}

/// Whether a text begins like a number, and has something in it that is in no number and no date: `1h0m0s`, `10.0.0.0/8`.
fn is_amount(text: &str) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let tells =
        |byte: u8| byte == b'/' || (byte.is_ascii_lowercase() && !b"abcdefotxz".contains(&byte));
    text.as_bytes().first().is_some_and(is_digit) && is_harmless(text) && text.bytes().any(tells)
}

/// Whether a text consists of digits and dots, so that YAML takes it for a number: `1.34.7`.
fn is_version(text: &str) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let is_inside = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    text.as_bytes().first().is_some_and(is_digit) && text.bytes().all(is_inside)
}

/// Whether no byte of a text means anything in YAML but itself.
fn is_harmless(text: &str) -> bool {
    // Most are, and it is quicker not to ask at each byte whether to go on.
    let bytes = text.bytes().map(|byte| HARMLESS[usize::from(byte)]);
    bytes.fold(true, |all, one| all & one)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::{yaml, yaml_of_both};

    fn text() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-zA-Z0-9/_.:+#, -]{0,8}",
            "[0-9]{1,3}[.eE+x/][0-9a-f]{0,3}",
            "[0-9]{1,3}[a-zA-Z./:-][0-9]{0,2}[a-z.]?[0-9]?[a-z]?",
            "[0-9.]{1,6}",
            "(?i)(y|n|yes|no|on|off|true|false|null|nan|inf|infinity|e1|none|undefined)",
            "[a-z]{50,90}",
            "[a-z ]{50,90}",
            "\\PC{0,5}",
            "[a-z\n\t\"'\\\\]{0,8}",
            "([a-z: ]{0,50}\n){1,3} ?[a-z]{0,5}",
            "[a-z0-9, ]{70,200}",
            "[a-zA-Z0-9,/_.-]{75,120}",
            "[0-9]{4}-[0-9]{2}-[0-9]{2}",
        ]
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            (-1000..1000_i32, 0..12).prop_map(|(n, e)| Value::from(f64::from(n) / 10_f64.powi(e))),
            text().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((text(), inner), 0..4)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn it_is_what_the_library_writes(value in value()) {
            prop_assert_eq!(yaml(&value).unwrap(), serde_saphyr::to_string(&value).unwrap());
        }

        #[test]
        fn two_are_written_as_each_by_itself(common in value(), own in value(), other in value()) {
            let [mut old, mut new] = [common.clone(), common];
            merge(&mut old, own);
            merge(&mut new, other);
            prop_assert_eq!(yaml_of_both(&old, &new).unwrap(), [yaml(&old).unwrap(), yaml(&new).unwrap()]);
        }
    }

    /// Puts one value into another: below the first field, where both are objects.
    fn merge(value: &mut Value, more: Value) {
        match (value, more) {
            (Value::Object(fields), Value::Object(more)) => {
                if let Some(first) = fields.values_mut().next() {
                    merge(first, Value::Object(more.clone()));
                }
                fields.extend(more);
            }
            (value, more) => *value = more,
        }
    }
}
