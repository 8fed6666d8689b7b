// SPDX-License-Identifier: Apache-2.0
//! Functions of strings, regular expressions and the conversion to quoted strings.

use crate::error::{EvaluationError, failed, no_such_overload};
use crate::meter::Meter;
use crate::regex::Pattern;
use crate::text::Text;
use crate::value::{Evaluated, Value};

fn out_of_range(index: i64) -> Evaluated {
    failed(format!("index out of range: {index}"))
}

/// Returns the position of a character in bytes; `None` beyond the end.
fn offset(meter: &mut Meter, text: &Text, characters: i64) -> Evaluated<Option<usize>> {
    let Ok(characters) = usize::try_from(characters) else {
        return Ok(None);
    };
    meter.work_of(text.scanned(characters))?;
    Ok(text.offset(characters))
}

/// Returns a number of characters.
fn int(characters: usize) -> i64 {
    i64::try_from(characters).unwrap_or(i64::MAX)
}

/// Returns the number of characters before a position in bytes.
fn characters_before(text: &Text, end: usize) -> i64 {
    if text.is_ascii() {
        int(end)
    } else {
        int(text.get(..end).unwrap_or_default().chars().count())
    }
}

/// Adds the work of reading both strings.
fn read(meter: &mut Meter, text: &str, part: &str) -> Evaluated<()> {
    meter.work_of(text.len().saturating_add(part.len()))
}

pub(super) fn contains(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::String(text), Value::String(part)] => {
            read(meter, text, part)?;
            Ok(Value::Bool(text.contains(&**part)))
        }
        _ => no_such_overload(),
    }
}

pub(super) fn starts_with(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::String(text), Value::String(part)] => {
            meter.work_of(text.len().min(part.len()))?;
            Ok(Value::Bool(text.starts_with(&**part)))
        }
        _ => no_such_overload(),
    }
}

pub(super) fn ends_with(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::String(text), Value::String(part)] => {
            meter.work_of(text.len().min(part.len()))?;
            Ok(Value::Bool(text.ends_with(&**part)))
        }
        _ => no_such_overload(),
    }
}

pub(super) fn char_at(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [Value::String(text), Value::Int(index)] = arguments else {
        return no_such_overload();
    };
    let rest = offset(meter, text, *index)?.and_then(|it| text.get(it..));
    let Some(rest) = rest else {
        return out_of_range(*index);
    };
    Ok(Value::from(rest.chars().take(1).collect::<String>()))
}

pub(super) fn index_of(
    meter: &mut Meter,
    text: &Text,
    part: &Text,
    start: Option<i64>,
) -> Evaluated {
    let start = start.unwrap_or(0);
    if part.is_empty() {
        return Ok(Value::Int(start));
    }
    if start < 0 {
        return out_of_range(start);
    }
    let begin = offset(meter, text, start)?;
    // The characters before the match are counted.
    read(meter, text, part)?;
    let found = begin.and_then(|begin| Some(begin + text.get(begin..)?.find(&**part)?));
    Ok(Value::Int(found.map_or(-1, |end| characters_before(text, end))))
}

pub(super) fn last_index_of(
    meter: &mut Meter,
    text: &Text,
    part: &Text,
    start: Option<i64>,
) -> Evaluated {
    let length = int(text.characters());
    if part.is_empty() {
        return Ok(Value::Int(start.unwrap_or(length)));
    }
    read(meter, text, part)?;
    let Some(start) = start else {
        let found = text.rfind(&**part);
        return Ok(Value::Int(found.map_or(-1, |end| characters_before(text, end))));
    };
    if start < 0 {
        return out_of_range(start);
    }
    if start >= length {
        return Ok(Value::Int(-1));
    }
    // The match may begin at `start`, so the end of the search is one match later.
    let end = start.saturating_add(int(part.characters())).min(length);
    let searched = offset(meter, text, end)?.and_then(|end| text.get(..end));
    let found = searched.and_then(|it| it.rfind(&**part));
    Ok(Value::Int(found.map_or(-1, |end| characters_before(text, end))))
}

pub(super) fn lower_ascii(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::String(text)] => {
            meter.work_of(text.len())?;
            Ok(Value::from(text.to_ascii_lowercase()))
        }
        _ => no_such_overload(),
    }
}

/// Escapes a key for the path of a JSON patch.
pub(super) fn escape_key(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::String(text)] => {
            meter.work_of(text.len())?;
            Ok(Value::from(text.replace('~', "~0").replace('/', "~1")))
        }
        _ => no_such_overload(),
    }
}

pub(super) fn upper_ascii(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::String(text)] => {
            meter.work_of(text.len())?;
            Ok(Value::from(text.to_ascii_uppercase()))
        }
        _ => no_such_overload(),
    }
}

pub(super) fn trim(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::String(text)] => {
            meter.work_of(text.len())?;
            Ok(Value::from(text.trim()))
        }
        _ => no_such_overload(),
    }
}

pub(super) fn replace(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let (text, old, new, count) = match arguments {
        [Value::String(text), Value::String(old), Value::String(new)] => (text, old, new, -1),
        [Value::String(text), Value::String(old), Value::String(new), Value::Int(count)] => {
            (text, old, new, *count)
        }
        _ => return no_such_overload(),
    };
    let most = usize::try_from(count).unwrap_or(usize::MAX);
    // At most one replacement before each byte and at the end.
    let possible = match old.len() {
        0 => text.len().saturating_add(1),
        length => text.len() / length,
    };
    let added = new.len().saturating_mul(possible.min(most));
    read(meter, text, old)?;
    meter.work_of(added)?;
    Ok(Value::from(match most {
        usize::MAX => text.replace(&**old, new),
        most => text.replacen(&**old, new, most),
    }))
}

pub(super) fn split(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let (text, separator, count) = match arguments {
        [Value::String(text), Value::String(separator)] => (text, separator, -1),
        [Value::String(text), Value::String(separator), Value::Int(count)] => {
            (text, separator, *count)
        }
        _ => return no_such_overload(),
    };
    let most = usize::try_from(count).unwrap_or(usize::MAX);
    read(meter, text, separator)?;
    let parts = match (most, separator.is_empty()) {
        (0, _) => Vec::new(),
        (_, true) => characters_of(meter, text, most)?,
        (_, false) => {
            let parts = text.splitn(most, &**separator).map(|it| part(meter, it));
            parts.collect::<Evaluated<Vec<Value>>>()?
        }
    };
    meter.list(parts)
}

/// Returns an element of a new list.
fn part(meter: &mut Meter, text: &str) -> Evaluated {
    meter.elements(1)?;
    meter.string(text)
}

/// Returns the characters in at most `most` parts, of which the last one has the rest.
fn characters_of(meter: &mut Meter, text: &str, most: usize) -> Evaluated<Vec<Value>> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let end = if parts.len() + 1 >= most { rest.len() } else { first.len_utf8() };
        let (next, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        parts.push(part(meter, next)?);
        rest = after;
    }
    Ok(parts)
}

pub(super) fn substring(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let (text, start, end) = match arguments {
        [Value::String(text), Value::Int(start)] => (text, *start, None),
        [Value::String(text), Value::Int(start), Value::Int(end)] => (text, *start, Some(*end)),
        _ => return no_such_overload(),
    };
    if let Some(end) = end.filter(|end| start > *end) {
        let message = format!("invalid substring range. start: {start}, end: {end}");
        return failed(message);
    }
    let Some(begin) = offset(meter, text, start)? else {
        return out_of_range(start);
    };
    let end = end.unwrap_or_else(|| int(text.characters()));
    let Some(stop) = offset(meter, text, end)? else {
        return out_of_range(end);
    };
    meter.string(text.get(begin..stop).unwrap_or_default())
}

pub(super) fn quote(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [Value::String(text)] = arguments else {
        return no_such_overload();
    };
    // Each character may become two.
    meter.work_of(text.len().saturating_mul(2))?;
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '\u{7}' => quoted.push_str("\\a"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{b}' => quoted.push_str("\\v"),
            '\\' => quoted.push_str("\\\\"),
            '"' => quoted.push_str("\\\""),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    Ok(Value::from(quoted))
}

/// Calls a function whose second argument is a regular expression that was compiled before.
pub(crate) fn with_pattern(
    meter: &mut Meter,
    name: &str,
    pattern: &Pattern,
    arguments: &[Value],
) -> Evaluated {
    let (text, count) = match arguments {
        [Value::String(text), _] => (text, -1),
        [Value::String(text), _, Value::Int(count)] => (text, *count),
        _ => return no_such_overload(),
    };
    match name {
        "matches" => {
            meter.work_of(pattern.work_of_search(text))?;
            Ok(Value::Bool(pattern.is_match(text)))
        }
        "find" => {
            meter.work_of(pattern.work_of_search(text))?;
            meter.string(pattern.find(text).unwrap_or_default())
        }
        _ => {
            let most = usize::try_from(count).unwrap_or(usize::MAX);
            all_matches(meter, pattern, text, most)
        }
    }
}

/// Returns no more than `most` matches.
fn all_matches(meter: &mut Meter, pattern: &Pattern, text: &str, most: usize) -> Evaluated {
    let mut matches = pattern.matches(text);
    let (mut found, mut rest) = (Vec::new(), text);
    while found.len() < most {
        meter.work_of(pattern.work_of_search(rest))?;
        let Some((next, after)) = matches.next() else {
            break;
        };
        meter.elements(1)?;
        found.push(meter.string(next)?);
        rest = after;
    }
    meter.list(found)
}

fn with_text(meter: &mut Meter, name: &str, arguments: &[Value]) -> Evaluated {
    let [Value::String(_), Value::String(expression), ..] = arguments else {
        return no_such_overload();
    };
    let pattern = meter.pattern(expression);
    // Only the functions of Kubernetes add a prefix.
    let pattern = match pattern {
        Err(EvaluationError::Failed(reason)) if name != "matches" => {
            return failed(format!("Illegal regex: {reason}"));
        }
        other => other?,
    };
    with_pattern(meter, name, &pattern, arguments)
}

pub(super) fn matches(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    with_text(meter, "matches", arguments)
}

pub(super) fn find(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    with_text(meter, "find", arguments)
}

pub(super) fn find_all(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    with_text(meter, "findAll", arguments)
}
