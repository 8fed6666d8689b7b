// SPDX-License-Identifier: Apache-2.0
//! The function `format` of strings.

use std::fmt::Write as _;
use std::mem;
use std::slice::Iter;

use crate::error::{EvaluationError, failed, no_such_overload};
use crate::meter::Meter;
use crate::value::{Evaluated, Value};

/// The default number of decimals.
const PRECISION: usize = 6;
/// Maximum number of decimals; API servers print more ones in an unspecified way.
const MOST_PRECISE: usize = 100;

/// A clause of a format string, such as `%.2f`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clause {
    pub(crate) verb: char,
    precision: Option<usize>,
}

/// Formats a string: `print` formats the argument of an index, of which there are `count`.
///
/// # Errors
/// Returns errors of `print`, and those of a clause.
pub(crate) fn walk<E: From<String>>(
    text: &str,
    count: usize,
    mut print: impl FnMut(usize, Clause) -> Result<String, E>,
) -> Result<String, E> {
    let mut printed = String::with_capacity(text.len());
    let mut rest = text;
    let mut index = 0;
    while let Some((before, after)) = rest.split_once('%') {
        printed.push_str(before);
        if let Some(after) = after.strip_prefix('%') {
            printed.push('%');
            rest = after;
            continue;
        }
        if after.is_empty() {
            return Err("unexpected end of string".to_owned().into());
        }
        if index >= count {
            return Err(format!("index {index} out of range").into());
        }
        let (clause, after) = clause(after)
            .map_err(|reason| format!("could not parse formatting clause: {reason}"))?;
        printed.push_str(&print(index, clause)?);
        index += 1;
        rest = after;
    }
    printed.push_str(rest);
    Ok(printed)
}

/// Parses a clause after `%`.
fn clause(text: &str) -> Result<(Clause, &str), String> {
    let (precision, rest) = match text.strip_prefix('.') {
        None => (None, text),
        Some(digits) => {
            let end = digits.find(|it: char| !it.is_ascii_digit());
            let Some((number, rest)) = end.and_then(|end| digits.split_at_checked(end)) else {
                return Err(
                    "error while parsing precision: could not find end of precision specifier"
                        .to_owned(),
                );
            };
            let number = number.parse().map_err(|_| {
                let reason = if number.is_empty() { "invalid syntax" } else { "value out of range" };
                format!("error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing {number:?}: {reason}")
            })?;
            (Some(number), rest)
        }
    };
    let mut characters = rest.chars();
    match characters.next() {
        Some(verb) if "sdfebxXo".contains(verb) => {
            Ok((Clause { verb, precision }, characters.as_str()))
        }
        Some(verb) => Err(format!("unrecognized formatting clause \"{verb}\"")),
        None => Err("unexpected end of string".to_owned()),
    }
}

impl Clause {
    /// Returns the error for an argument of a wrong type.
    pub(crate) fn mismatch(self, given: &str) -> String {
        let expected = match self.verb {
            'd' => "decimal clause can only be used on integers",
            'f' => "fixed-point clause can only be used on doubles",
            'e' => "scientific clause can only be used on doubles",
            'b' => "only integers and bools can be formatted as binary",
            'x' | 'X' => "only integers, byte buffers, and strings can be formatted as hex",
            'o' => "octal clause can only be used on integers",
            _ => {
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps"
            }
        };
        format!("error during formatting: {expected}, was given {given}")
    }

    /// Reports whether arguments of a type are valid.
    pub(crate) fn accepts(self, type_name: &str) -> bool {
        match self.verb {
            'd' | 'o' => matches!(type_name, "int" | "uint"),
            'f' | 'e' => matches!(type_name, "double" | "string"),
            'b' => matches!(type_name, "int" | "uint" | "bool"),
            'x' | 'X' => matches!(type_name, "int" | "uint" | "string" | "bytes"),
            _ => {
                !matches!(type_name, "optional_type") && !type_name.contains('.')
                    || type_name.starts_with("google.")
            }
        }
    }

    fn print(self, meter: &mut Meter, value: &Value) -> Evaluated<String> {
        let wrong = || failed(self.mismatch(value.type_name()));
        if !self.accepts(value.type_name()) {
            return wrong();
        }
        match (self.verb, value) {
            ('s', Value::List(_) | Value::Map(_)) => {
                let mut printed = String::new();
                literal(meter, value, &mut printed)?;
                Ok(printed)
            }
            ('s', value) => {
                meter.key(value)?;
                Ok(value.to_string())
            }
            ('f' | 'e', value) => {
                let number = match value {
                    Value::Double(number) => *number,
                    Value::String(text) => match &**text {
                        "NaN" => f64::NAN,
                        "Infinity" => f64::INFINITY,
                        "-Infinity" => f64::NEG_INFINITY,
                        _ => return wrong(),
                    },
                    _ => return wrong(),
                };
                let precision = self.precision.unwrap_or(PRECISION);
                if precision > MOST_PRECISE {
                    let message = format!("a precision of {precision} in `format`");
                    return Err(EvaluationError::Undetermined(message));
                }
                Ok(match self.verb {
                    'f' => fixed(number, precision),
                    _ => scientific(number, precision),
                })
            }
            ('d', value) => Ok(value.to_string()),
            ('b', Value::Bool(value)) => Ok(u8::from(*value).to_string()),
            (_, Value::Int(number)) => {
                let sign = if *number < 0 { "-" } else { "" };
                Ok(format!("{sign}{}", self.digits(number.unsigned_abs())))
            }
            (_, Value::Uint(number)) => Ok(self.digits(*number)),
            (_, Value::String(text)) => self.bytes(meter, text.as_bytes()),
            (_, Value::Bytes(bytes)) => self.bytes(meter, bytes),
            _ => wrong(),
        }
    }

    fn digits(self, number: u64) -> String {
        match self.verb {
            'b' => format!("{number:b}"),
            'o' => format!("{number:o}"),
            'X' => format!("{number:X}"),
            _ => format!("{number:x}"),
        }
    }

    fn bytes(self, meter: &mut Meter, bytes: &[u8]) -> Evaluated<String> {
        meter.work_of(bytes.len().saturating_mul(2))?;
        let mut printed = String::with_capacity(bytes.len().saturating_mul(2));
        for byte in bytes {
            // Writing to a string cannot fail.
            let _ = match self.verb {
                'X' => write!(printed, "{byte:02X}"),
                _ => write!(printed, "{byte:02x}"),
            };
        }
        Ok(printed)
    }
}

impl From<String> for EvaluationError {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

pub(super) fn format(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [Value::String(text), Value::List(list)] = arguments else {
        return no_such_overload();
    };
    meter.work_of(text.len())?;
    let printed = walk(text, list.items.len(), |index, clause| match list.items.get(index) {
        Some(value) => clause.print(meter, value),
        None => failed(format!("index {index} out of range")),
    })?;
    meter.string(&printed)
}

/// Prints a number with thousands separators.
fn fixed(number: f64, precision: usize) -> String {
    if !number.is_finite() {
        return infinite(number);
    }
    let printed = format!("{number:.precision$}");
    let (sign, digits) = match printed.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", &*printed),
    };
    let (whole, fraction) = match digits.find('.') {
        Some(point) => digits.split_at_checked(point).unwrap_or((digits, "")),
        None => (digits, ""),
    };
    let mut grouped = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + fraction
}

/// Prints a number with an exponent: always with six decimals, since cel-go takes the precision for a width.
fn scientific(number: f64, width: usize) -> String {
    const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let printed = if number.is_finite() {
        let printed = format!("{number:.PRECISION$e}");
        let (mantissa, exponent) = printed.split_once('e').unwrap_or((&printed, "0"));
        let mut printed = format!("{mantissa}×10");
        let digits = match exponent.strip_prefix('-') {
            Some(digits) => {
                printed.push('⁻');
                digits
            }
            None => exponent,
        };
        for digit in format!("{digits:0>2}").chars() {
            let value = digit.to_digit(10).and_then(|it| usize::try_from(it).ok());
            printed.extend(value.and_then(|it| SUPERSCRIPTS.get(it)));
        }
        printed
    } else {
        infinite(number)
    };
    let missing = width.saturating_sub(printed.chars().count());
    " ".repeat(missing) + &printed
}

fn infinite(number: f64) -> String {
    match number {
        f64::INFINITY => "∞",
        f64::NEG_INFINITY => "-∞",
        _ => "NaN",
    }
    .to_owned()
}

/// Prints a value in a list or map as a literal.
///
/// It is not recursive, since JSON may be nested deeply.
fn literal(meter: &mut Meter, value: &Value, printed: &mut String) -> Evaluated<()> {
    let mut open: Vec<Printing<'_>> = Vec::new();
    let mut next = Some(value);
    loop {
        meter.visit(1)?;
        match next {
            Some(Value::List(list)) => {
                printed.push('[');
                open.push(Printing::List(list.items.iter(), true));
            }
            Some(Value::Map(map)) => open.push(Printing::Map {
                rest: map.entries.iter(),
                start: printed.len(),
                entries: Vec::with_capacity(map.len()),
            }),
            Some(scalar) => scalar_literal(meter, scalar, printed)?,
            None => {}
        }
        let Some(innermost) = open.last_mut() else {
            return Ok(());
        };
        next = innermost.next(meter, printed)?;
        if next.is_none() {
            open.pop();
        }
    }
}

/// A list or a map whose end is not printed yet.
enum Printing<'v> {
    /// The remaining elements, and whether the next one is the first.
    List(Iter<'v, Value>, bool),
    Map {
        rest: Iter<'v, (Value, Value)>,
        /// The offset of its first entry in the text.
        start: usize,
        /// The offsets of the key and the value of each printed entry.
        entries: Vec<[usize; 2]>,
    },
}

impl<'v> Printing<'v> {
    /// Returns the next value to print; prints the end if there is none.
    fn next(&mut self, meter: &mut Meter, printed: &mut String) -> Evaluated<Option<&'v Value>> {
        match self {
            Self::List(items, is_first) => {
                let item = items.next();
                match (&item, mem::take(is_first)) {
                    (None, _) => printed.push(']'),
                    (Some(_), true) => {}
                    (Some(_), false) => printed.push_str(", "),
                }
                meter.elements(usize::from(item.is_none()))?;
                Ok(item)
            }
            Self::Map { rest, start, entries } => {
                let Some((key, value)) = rest.next() else {
                    sort_entries(printed, *start, entries);
                    meter.work_of(printed.len().saturating_sub(*start))?;
                    return Ok(None);
                };
                if matches!(key, Value::Double(_)) {
                    return failed(
                        "error during formatting: no formatting function for map key of type double",
                    );
                }
                let begin = printed.len();
                scalar_literal(meter, key, printed)?;
                entries.push([begin, printed.len()]);
                Ok(Some(value))
            }
        }
    }
}

/// Replaces the printed entries from `start` on by a map with sorted entries.
fn sort_entries(printed: &mut String, start: usize, entries: &[[usize; 2]]) {
    let text = printed.split_off(start);
    let part = |from: usize, to: usize| text.get(from - start..to - start).unwrap_or_default();
    let ends = entries.iter().skip(1).map(|[begin, _]| *begin).chain([start + text.len()]);
    let mut parts: Vec<(&str, &str)> = entries
        .iter()
        .zip(ends)
        .map(|([key, value], end)| (part(*key, *value), part(*value, end)))
        .collect();
    parts.sort_unstable();
    let parts: Vec<String> = parts.iter().map(|(key, it)| format!("{key}:{it}")).collect();
    printed.push('{');
    printed.push_str(&parts.join(", "));
    printed.push('}');
}

fn scalar_literal(meter: &mut Meter, value: &Value, printed: &mut String) -> Evaluated<()> {
    let start = printed.len();
    meter.key(value)?;
    match value {
        Value::String(text) => quote(text, printed),
        Value::Bytes(_) => {
            printed.push('b');
            quote(&value.to_string(), printed);
        }
        Value::Double(number) if number.is_finite() => {
            printed.push_str(&format!("{number:.PRECISION$}"));
        }
        Value::Double(_) => quote(&value.to_string(), printed),
        Value::Timestamp(_) => printed.push_str(&format!("timestamp(\"{value}\")")),
        Value::Duration(_) => printed.push_str(&format!("duration(\"{value}\")")),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Type(_) => {
            printed.push_str(&value.to_string());
        }
        Value::List(_)
        | Value::Map(_)
        | Value::Optional(_)
        | Value::Library(_)
        | Value::Constructed(_)
        | Value::Unknown(_)
        | Value::Unreadable(_) => {
            return failed(format!(
                "error during formatting: no formatting function for {}",
                value.type_name()
            ));
        }
    }
    meter.work_of(printed.len().saturating_sub(start))
}

/// Quotes a string as Go's `%q`.
fn quote(text: &str, printed: &mut String) {
    printed.push('"');
    for character in text.chars() {
        match character {
            '"' => printed.push_str("\\\""),
            '\\' => printed.push_str("\\\\"),
            '\u{7}' => printed.push_str("\\a"),
            '\u{8}' => printed.push_str("\\b"),
            '\u{c}' => printed.push_str("\\f"),
            '\n' => printed.push_str("\\n"),
            '\r' => printed.push_str("\\r"),
            '\t' => printed.push_str("\\t"),
            '\u{b}' => printed.push_str("\\v"),
            ' '..='~' => printed.push(character),
            '\0'..='\u{7f}' => printed.push_str(&format!("\\x{:02x}", u32::from(character))),
            // The crate's idea of printable characters is that of Unicode, as Go's.
            _ if character.escape_debug().len() == 1 => printed.push(character),
            '\0'..='\u{ffff}' => printed.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => printed.push_str(&format!("\\U{:08x}", u32::from(character))),
        }
    }
    printed.push('"');
}
