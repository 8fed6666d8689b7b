// SPDX-License-Identifier: Apache-2.0
use std::cmp::Ordering;
use std::iter::Zip;
use std::slice::Iter;

use super::error::{failed, no_such_overload, undetermined};
use super::meter::Meter;
use super::number::{compare_with_int, compare_with_uint};
use super::value::{Evaluated, Library, Map, Value};

/// The work of a comparison without the contents of strings, in bytes.
const COMPARISON: u64 = 8;

/// Reports whether two values are equal; `null` and other types are different.
///
/// # Errors
/// Values of libraries cannot be compared with other types.
pub(super) fn equal(meter: &mut Meter, a: &Value, b: &Value) -> Evaluated<bool> {
    match equality(meter, a, b)? {
        Some(is_equal) => Ok(is_equal),
        None => no_such_overload(),
    }
}

/// Like [`equal`]; `None` if the values cannot be compared.
///
/// It is not recursive, since JSON may be nested deeply.
pub(super) fn equality(meter: &mut Meter, a: &Value, b: &Value) -> Evaluated<Option<bool>> {
    let mut open: Vec<Pairs<'_>> = Vec::new();
    let (mut a, mut b) = (a, b);
    loop {
        match compared(meter, a, b)? {
            Compared::Pair(inner) => {
                (a, b) = inner;
                continue;
            }
            Compared::Result(Some(false)) => return Ok(Some(false)),
            Compared::Result(is_equal) if open.is_empty() => return Ok(is_equal),
            // As in cel-go, elements that cannot be compared are not different.
            Compared::Result(_) => {}
            Compared::Pairs(pairs) => open.push(pairs),
        }
        (a, b) = loop {
            let next = open.last_mut().map(|it| it.next(meter)).transpose()?;
            match next {
                None => return Ok(Some(true)),
                Some(Next::Pair(a, b)) => break (a, b),
                Some(Next::Missing) => return Ok(Some(false)),
                Some(Next::End) => _ = open.pop(),
            }
        };
    }
}

/// The comparison of two values, without those in them.
enum Compared<'v> {
    /// Whether they are equal; `None` if they cannot be compared.
    Result(Option<bool>),
    /// They are equal if these are.
    Pair((&'v Value, &'v Value)),
    /// They are equal if all of these are.
    Pairs(Pairs<'v>),
}

/// The remaining pairs of elements of two lists, or of entries of two maps.
enum Pairs<'v> {
    Lists(Zip<Iter<'v, Value>, Iter<'v, Value>>),
    Maps(Iter<'v, (Value, Value)>, &'v Map),
}

enum Next<'v> {
    Pair(&'v Value, &'v Value),
    /// The other map does not have the key.
    Missing,
    End,
}

impl<'v> Pairs<'v> {
    fn next(&mut self, meter: &mut Meter) -> Evaluated<Next<'v>> {
        Ok(match self {
            Self::Lists(pairs) => pairs.next().map_or(Next::End, |(a, b)| Next::Pair(a, b)),
            Self::Maps(entries, other) => match entries.next() {
                None => Next::End,
                Some((key, value)) => {
                    meter.key(key)?;
                    other.get(key).map_or(Next::Missing, |other| Next::Pair(value, other))
                }
            },
        })
    }
}

fn compared<'v>(meter: &mut Meter, a: &'v Value, b: &'v Value) -> Evaluated<Compared<'v>> {
    meter.work(COMPARISON)?;
    if let Some(error) = a.unknown().or_else(|| b.unknown()) {
        return Err(error);
    }
    Ok(Compared::Result(Some(match (a, b) {
        (Value::Null, Value::Null) => true,
        (Value::Null, _) | (_, Value::Null) => false,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::String(a), Value::String(b)) => {
            meter.work_of(a.len().min(b.len()))?;
            a == b
        }
        (Value::Bytes(a), Value::Bytes(b)) => {
            meter.work_of(a.len().min(b.len()))?;
            a == b
        }
        (Value::Int(_) | Value::Uint(_) | Value::Double(_), _) => {
            numeric(a, b) == Some(Ordering::Equal)
        }
        (Value::List(a), Value::List(b)) if a.items.len() == b.items.len() => {
            let pairs = a.items.iter().zip(&b.items);
            return Ok(Compared::Pairs(Pairs::Lists(pairs)));
        }
        (Value::Map(a), Value::Map(b)) => {
            // Such a field may be absent, so that the number of fields is not known.
            meter.elements(a.len().saturating_add(b.len()))?;
            let mut unknown = a.iter().chain(b.iter()).filter_map(|(_, it)| it.unknown());
            if let Some(error) = unknown.next() {
                return Err(error);
            }
            if a.len() == b.len() {
                return Ok(Compared::Pairs(Pairs::Maps(a.entries.iter(), b)));
            }
            false
        }
        (Value::Timestamp(a), Value::Timestamp(b)) => a.since_epoch() == b.since_epoch(),
        (Value::Duration(a), Value::Duration(b)) => a == b,
        (Value::Type(a), Value::Type(b)) => a == b,
        (Value::Optional(None), Value::Optional(None)) => true,
        (Value::Optional(Some(a)), Value::Optional(Some(b))) => {
            return Ok(Compared::Pair((a, b)));
        }
        (Value::Library(a), Value::Library(b)) => {
            meter.work_of(a.length().saturating_add(b.length()))?;
            return Ok(Compared::Result(library(a, b)));
        }
        (Value::Constructed(_), _) | (_, Value::Constructed(_)) => {
            return undetermined("constructed objects are not compared");
        }
        (Value::Library(_), _) => return Ok(Compared::Result(None)),
        _ => false,
    })))
}

impl Library {
    /// Returns the number of bytes that operations read.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::Quantity(amount) => amount.length(),
            Self::Url(url) => url.text.len(),
            Self::Semver(version) => version.length(),
            Self::Ip(_) | Self::Cidr(_) | Self::Format(_) => 1,
        }
    }
}

fn library(a: &Library, b: &Library) -> Option<bool> {
    Some(match (a, b) {
        (Library::Quantity(a), Library::Quantity(b)) => a.quantity == b.quantity,
        (Library::Ip(a), Library::Ip(b)) => a == b,
        (Library::Cidr(a), Library::Cidr(b)) => {
            a.address() == b.address() && a.prefix() == b.prefix()
        }
        (Library::Url(a), Library::Url(b)) => a.is_equal(b),
        (Library::Semver(a), Library::Semver(b)) => a.compare(b).is_eq(),
        (Library::Format(a), Library::Format(b)) => a == b,
        _ => return None,
    })
}

/// Compares numbers of any type; `None` for other values and NaN.
fn numeric(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Uint(a), Value::Uint(b)) => Some(a.cmp(b)),
        (Value::Double(a), Value::Double(b)) => a.partial_cmp(b),
        (Value::Int(a), Value::Uint(b)) => Some(i128::from(*a).cmp(&i128::from(*b))),
        (Value::Uint(a), Value::Int(b)) => Some(i128::from(*a).cmp(&i128::from(*b))),
        (Value::Double(a), Value::Int(b)) => compare_with_int(*a, *b),
        (Value::Int(a), Value::Double(b)) => compare_with_int(*b, *a).map(Ordering::reverse),
        (Value::Double(a), Value::Uint(b)) => compare_with_uint(*a, *b),
        (Value::Uint(a), Value::Double(b)) => compare_with_uint(*b, *a).map(Ordering::reverse),
        _ => None,
    }
}

/// Compares two values of a type with an order, or two numbers.
pub(super) fn compare(meter: &mut Meter, a: &Value, b: &Value) -> Evaluated<Ordering> {
    let is_number = |it: &Value| matches!(it, Value::Int(_) | Value::Uint(_) | Value::Double(_));
    meter.work(COMPARISON)?;
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Ok(a.cmp(b)),
        (Value::String(a), Value::String(b)) => {
            meter.work_of(a.len().min(b.len()))?;
            Ok(a.cmp(b))
        }
        (Value::Bytes(a), Value::Bytes(b)) => {
            meter.work_of(a.len().min(b.len()))?;
            Ok(a.cmp(b))
        }
        (Value::Timestamp(a), Value::Timestamp(b)) => Ok(a.since_epoch().cmp(&b.since_epoch())),
        (Value::Duration(a), Value::Duration(b)) => Ok(a.cmp(b)),
        (a, b) if is_number(a) && is_number(b) => match numeric(a, b) {
            Some(order) => Ok(order),
            None => failed("NaN values cannot be ordered"),
        },
        _ => no_such_overload(),
    }
}

/// Orders values of one type with an order; NaN, which has none, comes last.
pub(super) fn total_order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Bytes(a), Value::Bytes(b)) => a.cmp(b),
        (Value::Timestamp(a), Value::Timestamp(b)) => a.since_epoch().cmp(&b.since_epoch()),
        (Value::Duration(a), Value::Duration(b)) => a.cmp(b),
        (Value::Double(a), Value::Double(b)) => {
            let order = a.partial_cmp(b);
            order.unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
        }
        _ => numeric(a, b).unwrap_or(Ordering::Equal),
    }
}

/// Reports whether values of this type have an order.
pub(super) fn is_ordered(value: &Value) -> bool {
    matches!(
        value,
        Value::Bool(_)
            | Value::Int(_)
            | Value::Uint(_)
            | Value::Double(_)
            | Value::String(_)
            | Value::Bytes(_)
            | Value::Timestamp(_)
            | Value::Duration(_)
    )
}

/// Reports whether a list or map contains an element or key, as `in` does.
pub(super) fn contains(meter: &mut Meter, element: &Value, within: &Value) -> Evaluated<bool> {
    match within {
        Value::List(list) => {
            for item in &list.items {
                if equality(meter, element, item)? == Some(true) {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Value::Map(map) => match meter.key(element).map(|()| map.get(element))? {
            Some(value) => value.unknown().map_or(Ok(true), Err),
            None => Ok(false),
        },
        _ => no_such_overload(),
    }
}
