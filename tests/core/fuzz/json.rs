// SPDX-License-Identifier: Apache-2.0
//! Syntax-aware mutations of JSON text; the result need not be valid JSON.

use std::ops::Range;

use crate::random::Random;

/// Maximum length of a case; longer ones are truncated.
const LONGEST: usize = 256 << 10;

/// Values that implementations may not expect.
const ODD: &[&str] = &[
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "0",
    "-0",
    "-1",
    "1.5",
    "1e999",
    "-1e-999",
    "1E400",
    "2147483648",
    "-2147483649",
    "18446744073709551616",
    "9007199254740993",
    "0.1e1",
    "\"\\ud800\"",
    "\"\\udc00\\ud800\"",
    "\"\\u0000\"",
    "\"\\n\"",
    "\"%\"",
    "\"100%\"",
    "\"-5%\"",
    "\"1.2.3\"",
    "\"1.34\"",
    "\"v1\"",
    "\"99999999999999999999.0.0\"",
    "\">= 1.2, < 9 || 1.x\"",
    "\"* * * * *\"",
    "\"0 0 31 2 *\"",
    "\"1h30m\"",
    "\"9223372036854775807ns\"",
    "\"1e99Gi\"",
    "\"-1m\"",
    "\"10.0.0.0/8\"",
    "\"::/0\"",
    "\"1.2.3.4/99\"",
    "\"2026-01-01T00:00:00Z\"",
    "\"0000-00-00\"",
    "\"220000+0100\"",
    "\"Europe/Berlin\"",
    "\"In\"",
    "\"Exists\"",
    "\"true\"",
    "\"Migrate\"",
    "\"Processing\"",
    "\"Manual\"",
    "\"a/b/c\"",
    "\"\u{feff}\"",
    "\"ünïcödé\u{1f600}\"",
    "[null]",
    "[[]]",
    "[{}]",
    "{\"\":0}",
    "{\"a\":null}",
    "[\"\",\"\"]",
    "\"UPDATE\"",
    "\"DELETE\"",
    "\"CREATE\"",
    "\"shoots\"",
    "\"status\"",
    "\"v1beta1\"",
    "\"garden\"",
    "nul",
    "\u{0}",
    ",",
    "}",
    "\"",
];

/// Names for fields.
const NAMES: &[&str] = &[
    "spec",
    "metadata",
    "object",
    "oldObject",
    "request",
    "kubernetes",
    "version",
    "workers",
    "name",
    "tolerations",
    "annotations",
    "labels",
    "status",
    "deletionTimestamp",
    "finalizers",
    "machineImages",
    "",
    "Spec",
    "\\u0073pec",
    "expirationDate",
    "lifecycle",
    "providerConfig",
    "seedName",
    "providerType",
];

/// Mutates a text one to four times; parts of `other` may be inserted.
pub(crate) fn mutated(random: &mut Random, text: &str, other: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        let Some(place) = place(random, &bytes) else {
            break;
        };
        bytes = mutate(random, bytes, place, other.as_bytes());
        bytes.truncate(LONGEST);
    }
    bytes
}

/// Returns a random value in the text.
fn place(random: &mut Random, bytes: &[u8]) -> Option<Range<usize>> {
    let values = values(bytes);
    (!values.is_empty()).then(|| random.pick(&values).clone())
}

fn mutate(random: &mut Random, mut bytes: Vec<u8>, at: Range<usize>, other: &[u8]) -> Vec<u8> {
    let value = bytes[at.clone()].to_vec();
    match random.below(40) {
        0 => bytes.truncate(at.start + random.below(value.len() + 1)),
        1 => {
            let here = at.start + random.below(value.len());
            bytes[here] = u8::try_from(random.below(256)).unwrap();
        }
        2..8 => cut(&mut bytes, at),
        8..16 => drop(bytes.splice(at, random.pick(ODD).bytes())),
        16..20 => swap(random, &mut bytes, at),
        20..23 => drop(bytes.splice(at, nested(random, &value))),
        23..29 => {
            let taken = place(random, other).map_or(&b"null"[..], |place| &other[place]);
            bytes.splice(at, taken.iter().copied());
        }
        29..34 => repeat(random, &mut bytes, at, &value),
        _ => name(random, &mut bytes, at, &value),
    }
    bytes
}

/// Removes a value, with its field's name and a comma.
fn cut(bytes: &mut Vec<u8>, at: Range<usize>) {
    let mut range = field_name(bytes, at.start).unwrap_or(at.start)..at.end;
    if bytes.get(range.end) == Some(&b',') {
        range.end += 1;
    } else if bytes[..range.start].ends_with(b",") {
        range.start -= 1;
    }
    bytes.drain(range);
}

/// Repeats an item of a list, or converts another value to a list.
fn repeat(random: &mut Random, bytes: &mut Vec<u8>, at: Range<usize>, value: &[u8]) {
    let most = 64.min(LONGEST / value.len());
    let items = vec![value; 1 + random.below(most.max(1))].join(&b',');
    let is_field = bytes[..at.start].ends_with(b":");
    let new = if is_field { [b"[", &items[..], b"]"].concat() } else { items };
    bytes.splice(at, new);
}

fn swap(random: &mut Random, bytes: &mut Vec<u8>, at: Range<usize>) {
    let Some(second) = place(random, bytes) else {
        return;
    };
    let (first, second) = if at.start <= second.start { (at, second) } else { (second, at) };
    if first.end > second.start {
        return;
    }
    let [one, two] = [&first, &second].map(|range| bytes[range.clone()].to_vec());
    bytes.splice(second, one);
    bytes.splice(first, two);
}

fn nested(random: &mut Random, value: &[u8]) -> Vec<u8> {
    let levels = *random.pick(&[1, 2, 126, 128, 200, 2_000, 20_000]);
    let (open, close) = *random.pick(&[("[", "]"), ("{\"a\":", "}")]);
    let mut nested = open.repeat(levels).into_bytes();
    nested.extend(value);
    nested.extend(close.repeat(levels).bytes());
    nested
}

/// Renames the field of a value, or duplicates it, with the same or an unusual value.
fn name(random: &mut Random, bytes: &mut Vec<u8>, at: Range<usize>, value: &[u8]) {
    let Some(start) = field_name(bytes, at.start) else {
        return;
    };
    let own = bytes[start..at.start].to_vec();
    let another = format!("\"{}\":", random.pick(NAMES)).into_bytes();
    let new = match random.below(3) {
        0 => [&another, value].concat(),
        1 => [&own, value, b",", &own, value].concat(),
        _ => [&own, value, b",", &own, random.pick(ODD).as_bytes()].concat(),
    };
    bytes.splice(start..at.end, new);
}

/// Returns the start of the field name whose value begins at `value`.
fn field_name(bytes: &[u8], value: usize) -> Option<usize> {
    let before = bytes[..value].strip_suffix(b":")?.strip_suffix(b"\"")?;
    before.iter().rposition(|byte| *byte == b'"')
}

/// Returns the ranges of values in text that is almost JSON, without whitespace.
fn values(bytes: &[u8]) -> Vec<Range<usize>> {
    let (mut values, mut open) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'{' | b'[' => open.push(start),
            b'}' | b']' => values.extend(open.pop().map(|start| start..at)),
            b'"' => {
                at = end_of_string(bytes, at);
                if bytes.get(at) != Some(&b':') {
                    values.push(start..at);
                }
            }
            b',' | b':' => {}
            _ => {
                let rest = &bytes[start..];
                let ends = |byte: &u8| b",:]}\"".contains(byte);
                at = start + rest.iter().position(ends).unwrap_or(rest.len());
                values.push(start..at);
            }
        }
    }
    values
}

fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[test]
fn values_are_found() {
    let text = br#"{"a":[1,"x\"y",{}],"b":null}"#;
    let found = values(text).into_iter();
    let mut found: Vec<&str> = found.map(|it| str::from_utf8(&text[it]).unwrap()).collect();
    found.sort_unstable();
    let whole = str::from_utf8(text).unwrap();
    let mut expected = [r#""x\"y""#, "1", r#"[1,"x\"y",{}]"#, "null", "{}", whole];
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(field_name(text, 5), Some(1));
}
