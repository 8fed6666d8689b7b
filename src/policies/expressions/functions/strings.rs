//! Functions of strings, regular expressions and the conversion to quoted strings.

use crate::policies::expressions::error::{EvaluationError, failed, no_such_overload};
use crate::policies::expressions::meter::Meter;
use crate::policies::expressions::regex::Pattern;
use crate::policies::expressions::value::{Evaluated, Value};

fn out_of_range(index: i64) -> Evaluated {
    failed(format!("index out of range: {index}"))
}

/// Returns the position of a character in bytes; `None` beyond the end.
fn offset(text: &str, characters: i64) -> Option<usize> {
    let characters = usize::try_from(characters).ok()?;
    if text.is_ascii() {
        return (characters <= text.len()).then_some(characters);
    }
    let ends = text.char_indices().map(|(offset, _)| offset);
    ends.chain([text.len()]).nth(characters)
}

/// Returns a number of characters.
fn characters(text: &str) -> i64 {
    let count = if text.is_ascii() {
        text.len()
    } else {
        text.chars().count()
    };
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(super) fn contains(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::String(text), Value::String(part)] => Ok(Value::Bool(text.contains(&**part))),
        _ => no_such_overload(),
    }
}

pub(super) fn starts_with(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::String(text), Value::String(part)] => Ok(Value::Bool(text.starts_with(&**part))),
        _ => no_such_overload(),
    }
}

pub(super) fn ends_with(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::String(text), Value::String(part)] => Ok(Value::Bool(text.ends_with(&**part))),
        _ => no_such_overload(),
    }
}

pub(super) fn char_at(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [Value::String(text), Value::Int(index)] = arguments else {
        return no_such_overload();
    };
    let rest = offset(text, *index).and_then(|it| text.get(it..));
    let Some(rest) = rest else {
        return out_of_range(*index);
    };
    Ok(Value::from(rest.chars().take(1).collect::<String>()))
}

pub(super) fn index_of(_: &mut Meter, text: &str, part: &str, start: Option<i64>) -> Evaluated {
    let start = start.unwrap_or(0);
    if part.is_empty() {
        return Ok(Value::Int(start));
    }
    if start < 0 {
        return out_of_range(start);
    }
    let begin = offset(text, start);
    let found = begin.and_then(|begin| {
        let found = text.get(begin..)?.find(part)?;
        text.get(..begin + found)
    });
    Ok(Value::Int(found.map_or(-1, characters)))
}

pub(super) fn last_index_of(
    _: &mut Meter,
    text: &str,
    part: &str,
    start: Option<i64>,
) -> Evaluated {
    let length = characters(text);
    if part.is_empty() {
        return Ok(Value::Int(start.unwrap_or(length)));
    }
    let Some(start) = start else {
        let found = text.rfind(part).and_then(|it| text.get(..it));
        return Ok(Value::Int(found.map_or(-1, characters)));
    };
    if start < 0 {
        return out_of_range(start);
    }
    if start >= length {
        return Ok(Value::Int(-1));
    }
    // The match may begin at `start`, so the end of the search is one match later.
    let end = start.saturating_add(characters(part)).min(length);
    let searched = offset(text, end).and_then(|end| text.get(..end));
    let found = searched.and_then(|it| it.get(..it.rfind(part)?));
    Ok(Value::Int(found.map_or(-1, characters)))
}

pub(super) fn lower_ascii(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::String(text)] => meter.string(text.to_ascii_lowercase()),
        _ => no_such_overload(),
    }
}

pub(super) fn upper_ascii(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::String(text)] => meter.string(text.to_ascii_uppercase()),
        _ => no_such_overload(),
    }
}

pub(super) fn trim(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::String(text)] => meter.string(text.trim()),
        _ => no_such_overload(),
    }
}

pub(super) fn replace(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let (text, old, new, count) = match arguments {
        [Value::String(text), Value::String(old), Value::String(new)] => (text, old, new, -1),
        [
            Value::String(text),
            Value::String(old),
            Value::String(new),
            Value::Int(count),
        ] => (text, old, new, *count),
        _ => return no_such_overload(),
    };
    let most = usize::try_from(count).unwrap_or(usize::MAX);
    // At most one replacement before each byte and at the end.
    let possible = match old.len() {
        0 => text.len().saturating_add(1),
        length => text.len() / length,
    };
    let added = new.len().saturating_mul(possible.min(most));
    meter.work_of(text.len().saturating_add(added))?;
    meter.string(match most {
        usize::MAX => text.replace(&**old, new),
        most => text.replacen(&**old, new, most),
    })
}

pub(super) fn split(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let (text, separator, count) = match arguments {
        [Value::String(text), Value::String(separator)] => (text, separator, -1),
        [
            Value::String(text),
            Value::String(separator),
            Value::Int(count),
        ] => (text, separator, *count),
        _ => return no_such_overload(),
    };
    meter.elements(text.len().saturating_add(1))?;
    let most = usize::try_from(count).unwrap_or(usize::MAX);
    let parts: Vec<Value> = if most == 0 {
        Vec::new()
    } else if separator.is_empty() {
        let mut parts = Vec::new();
        let mut rest = &**text;
        while let Some(first) = rest.chars().next() {
            let end = if parts.len() + 1 >= most {
                rest.len()
            } else {
                first.len_utf8()
            };
            let (part, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            parts.push(Value::from(part));
            rest = after;
        }
        parts
    } else {
        text.splitn(most, &**separator).map(Value::from).collect()
    };
    meter.list(parts)
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
    let Some(begin) = offset(text, start) else {
        return out_of_range(start);
    };
    let Some(stop) = end.map_or(Some(text.len()), |end| offset(text, end)) else {
        return out_of_range(end.unwrap_or_default());
    };
    meter.string(text.get(begin..stop).unwrap_or_default())
}

pub(super) fn quote(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [Value::String(text)] = arguments else {
        return no_such_overload();
    };
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
    meter.string(quoted)
}

/// Calls a function whose second argument is a regular expression that was compiled before.
pub(in crate::policies::expressions) fn with_pattern(
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
    meter.work_of(text.len())?;
    match name {
        "matches" => Ok(Value::Bool(pattern.is_match(text))),
        "find" => meter.string(pattern.find(text).unwrap_or_default()),
        _ => {
            meter.elements(text.len())?;
            let most = usize::try_from(count).unwrap_or(usize::MAX);
            let found = pattern.find_all(text).take(most).map(Value::from);
            meter.list(found.collect())
        }
    }
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
