// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Number;

use super::tree;
use crate::go::whole;

/// A parsed scalar.
#[derive(Debug)]
pub(super) enum Scalar<'t> {
    Null,
    Bool(bool),
    Number(Number),
    /// A number with a fraction or exponent, in the notation of JSON.
    Fraction(&'t str),
    Text(Cow<'t, str>),
    /// A plain `<<`.
    Merge,
}

/// Parses a scalar.
///
/// Mirrors `resolve.go` of go-yaml v2, which `sigs.k8s.io/yaml` and therefore kubectl use.
pub(super) fn scalar<'t>(
    text: &'t str,
    plain: bool,
    tag: Option<&str>,
) -> Result<Scalar<'t>, String> {
    let Some(tag) = tag else {
        return if plain { resolve(text) } else { Ok(as_text(text)) };
    };
    let Some(kind) = tag.strip_prefix("tag:yaml.org,2002:") else {
        return Ok(as_text(text));
    };
    // Messages contain no values, which may be credentials.
    let no_match = || format!("a value is tagged `!!{kind}`, but is none");
    match (kind, kind_of(kind)) {
        ("binary", _) => binary(text).map(|text| Scalar::Text(text.into())).ok_or_else(no_match),
        ("merge" | "timestamp", _) => {
            Err(format!("the tag `!!{kind}` is not supported; write the value without it"))
        }
        (_, Some(fits)) => Some(resolve(text)?).filter(fits).ok_or_else(no_match),
        _ => Ok(as_text(text)),
    }
}

/// Returns a predicate for the scalars that a tag accepts; `None` for tags that do not affect the type.
fn kind_of(kind: &str) -> Option<fn(&Scalar<'_>) -> bool> {
    match kind {
        "bool" => Some(|scalar| matches!(scalar, Scalar::Bool(_))),
        "null" => Some(|scalar| matches!(scalar, Scalar::Null)),
        "float" => Some(|scalar| matches!(scalar, Scalar::Number(_) | Scalar::Fraction(_))),
        "int" => Some(|scalar| matches!(scalar, Scalar::Number(number) if !number.is_f64())),
        _ => None,
    }
}

fn as_text(text: &str) -> Scalar<'_> {
    Scalar::Text(text.into())
}

fn resolve(text: &str) -> Result<Scalar<'_>, String> {
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Scalar::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Scalar::Bool(false)
        }
        ".nan" | ".NaN" | ".NAN" | ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF"
        | "-.inf" | "-.Inf" | "-.INF" => {
            return Err(format!(
                "`{text}` has no form in JSON; put it in quotes if it is meant as text"
            ));
        }
        "<<" => Scalar::Merge,
        _ => match number(text) {
            None => as_text(text),
            Some(number) if number.is_f64() && tree::number(text).is_some() => {
                Scalar::Fraction(text)
            }
            Some(number) => Scalar::Number(number),
        },
    })
}

fn number(text: &str) -> Option<Number> {
    match text.bytes().next()? {
        b'.' => float(text),
        b'+' | b'-' | b'0'..=b'9' => {
            let plain = text.replace('_', "");
            integer(&plain).or_else(|| float(&plain))
        }
        _ => None,
    }
}

/// Mirrors ParseInt and ParseUint of Go with base 0.
fn integer(text: &str) -> Option<Number> {
    let (negative, unsigned) = match text.strip_prefix(['-', '+']) {
        Some(unsigned) => (text.starts_with('-'), unsigned),
        None => (false, text),
    };
    let (digits, base) = match unsigned.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&unsigned[2..], 16),
        [b'0', b'o' | b'O', ..] => (&unsigned[2..], 8),
        [b'0', b'b' | b'B', ..] => (&unsigned[2..], 2),
        [b'0', _, ..] => (&unsigned[1..], 8),
        _ => (unsigned, 10),
    };
    if digits.starts_with(['-', '+']) {
        return None;
    }
    let magnitude = u64::from_str_radix(digits, base).ok()?;
    if negative {
        return Some(0i64.checked_sub_unsigned(magnitude)?.into());
    }
    // An unsigned number has no sign in Go.
    (i64::try_from(magnitude).is_ok() || unsigned.len() == text.len()).then(|| magnitude.into())
}

/// Parses a float; integral values lose their fraction in JSON, as in Go.
fn float(text: &str) -> Option<Number> {
    if !text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-'))
    {
        return None;
    }
    let float: f64 = text.parse().ok()?;
    whole(float).map(Number::from).or_else(|| Number::from_f64(float))
}

/// Decodes base64; the result must be UTF-8 to be a JSON string.
fn binary(text: &str) -> Option<String> {
    let digits = text.replace(['\r', '\n'], "");
    String::from_utf8(STANDARD.decode(digits).ok()?).ok()
}
