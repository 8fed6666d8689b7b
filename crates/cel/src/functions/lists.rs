// SPDX-License-Identifier: Apache-2.0
//! Functions of lists, sets and optional values.

use super::strings;
use crate::equality::{compare, contains, equality, is_ordered, total_order};
use crate::error::{failed, no_such_overload};
use crate::excerpt::excerpt;
use crate::meter::{Meter, length};
use crate::value::{Evaluated, Value};

fn items(value: &Value) -> Evaluated<&[Value]> {
    match value {
        Value::List(list) => Ok(&list.items),
        _ => no_such_overload(),
    }
}

fn no_overload_of(name: &str, arguments: &[Value]) -> Evaluated {
    let types: Vec<&str> = arguments.iter().map(Value::type_name).collect();
    failed(format!("no such overload: {name}({})", types.join(", ")))
}

pub(super) fn index_of(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::String(text), Value::String(part)] => strings::index_of(meter, text, part, None),
        [Value::String(text), Value::String(part), Value::Int(start)] => {
            strings::index_of(meter, text, part, Some(*start))
        }
        [Value::List(list), item] => {
            for (index, candidate) in list.items.iter().enumerate() {
                if equality(meter, candidate, item)? == Some(true) {
                    return Ok(Value::Int(i64::try_from(index).unwrap_or(i64::MAX)));
                }
            }
            Ok(Value::Int(-1))
        }
        _ => no_overload_of("indexOf", arguments),
    }
}

pub(super) fn last_index_of(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::String(text), Value::String(part)] => {
            strings::last_index_of(meter, text, part, None)
        }
        [Value::String(text), Value::String(part), Value::Int(start)] => {
            strings::last_index_of(meter, text, part, Some(*start))
        }
        [Value::List(list), item] => {
            for (index, candidate) in list.items.iter().enumerate().rev() {
                if equality(meter, candidate, item)? == Some(true) {
                    return Ok(Value::Int(i64::try_from(index).unwrap_or(i64::MAX)));
                }
            }
            Ok(Value::Int(-1))
        }
        _ => no_overload_of("lastIndexOf", arguments),
    }
}

/// Reports whether an element is greater; elements of different types are not, as in cel-go.
fn is_greater(meter: &mut Meter, a: &Value, b: &Value) -> Evaluated<bool> {
    if !is_ordered(a) || !is_ordered(b) {
        return no_such_overload();
    }
    match compare(meter, a, b) {
        Ok(order) => Ok(order.is_gt()),
        Err(error) if error.is_absorbable() => Ok(false),
        Err(error) => Err(error),
    }
}

/// Reports whether an element is less; see [`is_greater`].
fn is_less(meter: &mut Meter, a: &Value, b: &Value) -> Evaluated<bool> {
    if !is_ordered(a) || !is_ordered(b) {
        return no_such_overload();
    }
    match compare(meter, a, b) {
        Ok(order) => Ok(order.is_lt()),
        Err(error) if error.is_absorbable() => Ok(false),
        Err(error) => Err(error),
    }
}

pub(super) fn is_sorted(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [Value::List(list)] = arguments else {
        return no_overload_of("isSorted", arguments);
    };
    if list.items.first().is_some_and(|it| !is_ordered(it)) {
        return no_overload_of("isSorted", arguments);
    }
    for pair in list.items.windows(2) {
        let [a, b] = pair else { continue };
        if is_greater(meter, a, b)? {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

pub(super) fn sum(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [Value::List(list)] = arguments else {
        return no_overload_of("sum", arguments);
    };
    let Some((first, rest)) = list.items.split_first() else {
        return Ok(Value::Int(0));
    };
    let is_number =
        matches!(first, Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::Duration(_));
    if !is_number {
        return no_overload_of("sum", arguments);
    }
    rest.iter().try_fold(first.clone(), |sum, item| {
        meter.visit(1)?;
        super::arithmetic::add(meter, &[sum, item.clone()])
    })
}

/// Returns the element that is preferred to all before it.
fn extreme(
    meter: &mut Meter,
    arguments: &[Value],
    name: &str,
    is_preferred: impl Fn(&mut Meter, &Value, &Value) -> Evaluated<bool>,
) -> Evaluated {
    let [Value::List(list)] = arguments else {
        return no_overload_of(name, arguments);
    };
    let Some((first, rest)) = list.items.split_first() else {
        return failed(format!("{name} called on empty list"));
    };
    if !is_ordered(first) {
        return no_overload_of(name, arguments);
    }
    let mut best = first;
    for item in rest {
        if is_preferred(meter, item, best)? {
            best = item;
        }
    }
    Ok(best.clone())
}

pub(super) fn min(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    extreme(meter, arguments, "min", |meter, item, best| is_greater(meter, best, item))
}

pub(super) fn max(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    extreme(meter, arguments, "max", |meter, item, best| is_less(meter, best, item))
}

pub(super) fn slice(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [Value::List(list), Value::Int(start), Value::Int(end)] = arguments else {
        return no_such_overload();
    };
    let cannot = |reason: &str| failed(format!("cannot slice({start}, {end}), {reason}"));
    if *start < 0 || *end < 0 {
        return cannot("negative indexes not supported");
    }
    if start > end {
        return cannot("start index must be less than or equal to end index");
    }
    match list.items.get(length(*start)?..length(*end)?) {
        Some(part) => {
            meter.elements(part.len())?;
            meter.list(part.to_vec())
        }
        None => cannot(&format!("list is length {}", list.items.len())),
    }
}

pub(super) fn flatten(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let (list, depth) = match arguments {
        [Value::List(list)] => (list, 1),
        [Value::List(list), Value::Int(depth)] => (list, *depth),
        [other, ..] => {
            return failed(format!("no such overload: {}.flatten()", other.type_name()));
        }
        [] => return no_such_overload(),
    };
    if depth < 0 {
        return failed("level must be non-negative");
    }
    let mut flat = Vec::new();
    flatten_into(meter, &list.items, depth, &mut flat)?;
    meter.list(flat)
}

fn flatten_into(
    meter: &mut Meter,
    items: &[Value],
    depth: i64,
    flat: &mut Vec<Value>,
) -> Evaluated<()> {
    meter.elements(items.len())?;
    let mut open = vec![(items.iter(), depth)];
    while let Some((items, depth)) = open.last_mut() {
        match (items.next(), *depth) {
            (Some(Value::List(inner)), depth) if depth > 0 => {
                meter.elements(inner.items.len())?;
                open.push((inner.items.iter(), depth - 1));
            }
            (Some(item), _) => flat.push(item.clone()),
            (None, _) => _ = open.pop(),
        }
    }
    Ok(())
}

pub(super) fn sort(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [list] => sort_by_keys(meter, list, list),
        _ => no_such_overload(),
    }
}

/// Returns a list in the order of its keys. Equal keys keep their order, which is not defined in Kubernetes.
pub(crate) fn sort_by_keys(meter: &mut Meter, list: &Value, keys: &Value) -> Evaluated {
    let (items, keys) = (items(list)?, items(keys)?);
    let Some(first) = keys.first() else {
        return Ok(list.clone());
    };
    if !is_ordered(first) {
        return failed("list elements must be comparable");
    }
    meter.visit(keys.len())?;
    if keys.iter().any(|it| it.type_name() != first.type_name()) {
        return failed("list elements must have the same type");
    }
    // Each key is compared several times.
    meter.elements(items.len().saturating_mul(4))?;
    let comparisons = items.len().checked_ilog2().unwrap_or(0) + 1;
    for _ in 0..comparisons {
        keys.iter().try_for_each(|it| meter.key(it))?;
    }
    let mut pairs: Vec<(&Value, &Value)> = keys.iter().zip(items).collect();
    pairs.sort_by(|(a, _), (b, _)| total_order(a, b));
    meter.list(pairs.into_iter().map(|(_, item)| item.clone()).collect())
}

pub(super) fn distinct(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [Value::List(list)] = arguments else {
        return no_such_overload();
    };
    let mut unique: Vec<Value> = Vec::new();
    for item in &list.items {
        let mut is_known = false;
        for known in &unique {
            if equality(meter, item, known)? == Some(true) {
                is_known = true;
                break;
            }
        }
        if !is_known {
            unique.push(item.clone());
        }
    }
    meter.list(unique)
}

pub(super) fn reverse(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::List(list)] => {
            meter.elements(list.items.len())?;
            meter.list(list.items.iter().rev().cloned().collect())
        }
        _ => no_such_overload(),
    }
}

pub(super) fn range(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::Int(end)] => {
            meter.elements(usize::try_from(*end).unwrap_or(0))?;
            meter.list((0..*end).map(Value::Int).collect())
        }
        _ => no_such_overload(),
    }
}

pub(super) fn join(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let (list, separator) = match arguments {
        [Value::List(list)] => (list, ""),
        [Value::List(list), Value::String(separator)] => (list, &**separator),
        _ => return no_overload_of("join", arguments),
    };
    let mut joined = String::new();
    for (index, item) in list.items.iter().enumerate() {
        let Value::String(text) = item else {
            return match index {
                0 => no_overload_of("join", arguments),
                _ => failed(format!("join: invalid input: {}", excerpt(item))),
            };
        };
        meter.work_of(text.len().saturating_add(separator.len()))?;
        joined.push_str(if index == 0 { "" } else { separator });
        joined.push_str(text);
    }
    Ok(Value::from(joined))
}

pub(super) fn first(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    end(meter, arguments, <[Value]>::first)
}

pub(super) fn last(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    end(meter, arguments, <[Value]>::last)
}

fn end(
    meter: &mut Meter,
    arguments: &[Value],
    get: impl Fn(&[Value]) -> Option<&Value>,
) -> Evaluated {
    let [list] = arguments else {
        return no_such_overload();
    };
    match get(items(list)?) {
        Some(item) => meter.some(item.clone()),
        None => Ok(Value::Optional(None)),
    }
}

pub(super) fn set_contains(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [set, subset] => is_superset(meter, set, subset).map(Value::Bool),
        _ => no_such_overload(),
    }
}

pub(super) fn set_equivalent(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [a, b] => {
            let is_equivalent = is_superset(meter, a, b)? && is_superset(meter, b, a)?;
            Ok(Value::Bool(is_equivalent))
        }
        _ => no_such_overload(),
    }
}

pub(super) fn set_intersects(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [a, b] = arguments else {
        return no_such_overload();
    };
    items(b)?;
    for item in items(a)? {
        if contains(meter, item, b)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn is_superset(meter: &mut Meter, set: &Value, subset: &Value) -> Evaluated<bool> {
    items(set)?;
    for item in items(subset)? {
        if !contains(meter, item, set)? {
            return Ok(false);
        }
    }
    Ok(true)
}

pub(super) fn optional_of(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [value] => meter.some(value.clone()),
        _ => no_such_overload(),
    }
}

pub(super) fn optional_none(_: &mut Meter, _: &[Value]) -> Evaluated {
    Ok(Value::Optional(None))
}

pub(super) fn optional_of_non_zero(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [value] = arguments else {
        return no_such_overload();
    };
    let is_zero = match value {
        Value::Null | Value::Optional(None) => true,
        Value::Bool(it) => !it,
        Value::Int(it) | Value::Duration(it) => *it == 0,
        Value::Uint(it) => *it == 0,
        Value::Double(it) => *it == 0.0,
        Value::String(it) => it.is_empty(),
        Value::Bytes(it) => it.is_empty(),
        Value::List(it) => it.items.is_empty(),
        Value::Map(it) => it.len() == 0,
        Value::Constructed(it) => it.is_zero(),
        _ => false,
    };
    if is_zero { Ok(Value::Optional(None)) } else { meter.some(value.clone()) }
}

pub(super) fn optional_value(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::Optional(Some(value))] => Ok((**value).clone()),
        [Value::Optional(None)] => failed("optional.none() dereference"),
        _ => no_such_overload(),
    }
}

pub(super) fn optional_has_value(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::Optional(value)] => Ok(Value::Bool(value.is_some())),
        _ => no_such_overload(),
    }
}

pub(super) fn optional_unwrap(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [list] = arguments else {
        return no_such_overload();
    };
    let mut unwrapped = Vec::new();
    for item in items(list)? {
        meter.visit(1)?;
        match item {
            Value::Optional(Some(value)) => unwrapped.push((**value).clone()),
            Value::Optional(None) => {}
            other => return failed(format!("value {} is not optional", excerpt(other))),
        }
    }
    meter.list(unwrapped)
}
