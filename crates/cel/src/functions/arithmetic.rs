// SPDX-License-Identifier: Apache-2.0
//! Operators.

use std::cmp::Ordering;

use crate::equality::{compare, contains, equal};
use crate::error::{failed, no_such_overload};
use crate::meter::Meter;
use crate::value::{Evaluated, Value};

const INT: &str = "integer overflow";
const UINT: &str = "unsigned integer overflow";

fn int(value: Option<i64>) -> Evaluated {
    value.map_or_else(|| failed(INT), |it| Ok(Value::Int(it)))
}

fn uint(value: Option<u64>) -> Evaluated {
    value.map_or_else(|| failed(UINT), |it| Ok(Value::Uint(it)))
}

fn duration(value: Option<i64>) -> Evaluated {
    value.map_or_else(|| failed(INT), |it| Ok(Value::Duration(it)))
}

pub(super) fn add(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [a, b] = arguments else {
        return no_such_overload();
    };
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => int(a.checked_add(*b)),
        (Value::Uint(a), Value::Uint(b)) => uint(a.checked_add(*b)),
        (Value::Double(a), Value::Double(b)) => Ok(Value::Double(a + b)),
        (Value::String(a), Value::String(b)) => {
            meter.work_of(a.len().saturating_add(b.len()))?;
            Ok(Value::from([&**a, &**b].concat()))
        }
        (Value::Bytes(a), Value::Bytes(b)) => {
            meter.work_of(a.len().saturating_add(b.len()))?;
            Ok(Value::Bytes([&**a, &**b].concat().into()))
        }
        (Value::List(a), Value::List(b)) => {
            meter.elements(a.items.len().saturating_add(b.items.len()))?;
            meter.list([a.items.as_slice(), b.items.as_slice()].concat())
        }
        (Value::Duration(a), Value::Duration(b)) => duration(a.checked_add(*b)),
        (Value::Timestamp(time), Value::Duration(length))
        | (Value::Duration(length), Value::Timestamp(time)) => {
            time.add(i128::from(*length)).map(Value::Timestamp)
        }
        _ => no_such_overload(),
    }
}

pub(super) fn subtract(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [a, b] = arguments else {
        return no_such_overload();
    };
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => int(a.checked_sub(*b)),
        (Value::Uint(a), Value::Uint(b)) => uint(a.checked_sub(*b)),
        (Value::Double(a), Value::Double(b)) => Ok(Value::Double(a - b)),
        (Value::Duration(a), Value::Duration(b)) => duration(a.checked_sub(*b)),
        (Value::Timestamp(time), Value::Duration(length)) => {
            time.add(-i128::from(*length)).map(Value::Timestamp)
        }
        (Value::Timestamp(a), Value::Timestamp(b)) => {
            duration(i64::try_from(a.since_epoch() - b.since_epoch()).ok())
        }
        _ => no_such_overload(),
    }
}

pub(super) fn multiply(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::Int(a), Value::Int(b)] => int(a.checked_mul(*b)),
        [Value::Uint(a), Value::Uint(b)] => uint(a.checked_mul(*b)),
        [Value::Double(a), Value::Double(b)] => Ok(Value::Double(a * b)),
        _ => no_such_overload(),
    }
}

pub(super) fn divide(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::Int(_), Value::Int(0)] | [Value::Uint(_), Value::Uint(0)] => {
            failed("division by zero")
        }
        [Value::Int(a), Value::Int(b)] => int(a.checked_div(*b)),
        [Value::Uint(a), Value::Uint(b)] => uint(a.checked_div(*b)),
        [Value::Double(a), Value::Double(b)] => Ok(Value::Double(a / b)),
        _ => no_such_overload(),
    }
}

pub(super) fn modulo(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::Int(_), Value::Int(0)] | [Value::Uint(_), Value::Uint(0)] => {
            failed("modulus by zero")
        }
        [Value::Int(a), Value::Int(b)] => int(a.checked_rem(*b)),
        [Value::Uint(a), Value::Uint(b)] => uint(a.checked_rem(*b)),
        _ => no_such_overload(),
    }
}

pub(super) fn negate(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::Int(it)] => int(it.checked_neg()),
        [Value::Double(it)] => Ok(Value::Double(-it)),
        [Value::Duration(it)] => duration(it.checked_neg()),
        _ => no_such_overload(),
    }
}

pub(super) fn not(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::Bool(it)] => Ok(Value::Bool(!it)),
        _ => no_such_overload(),
    }
}

pub(super) fn equals(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [a, b] => equal(meter, a, b).map(Value::Bool),
        _ => no_such_overload(),
    }
}

pub(super) fn not_equals(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [a, b] => equal(meter, a, b).map(|it| Value::Bool(!it)),
        _ => no_such_overload(),
    }
}

fn ordered(
    meter: &mut Meter,
    arguments: &[Value],
    is_right: impl Fn(Ordering) -> bool,
) -> Evaluated {
    match arguments {
        [a, b] => compare(meter, a, b).map(|it| Value::Bool(is_right(it))),
        _ => no_such_overload(),
    }
}

pub(super) fn less(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    ordered(meter, arguments, Ordering::is_lt)
}

pub(super) fn less_equals(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    ordered(meter, arguments, Ordering::is_le)
}

pub(super) fn greater(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    ordered(meter, arguments, Ordering::is_gt)
}

pub(super) fn greater_equals(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    ordered(meter, arguments, Ordering::is_ge)
}

pub(super) fn is_in(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [element, within] => contains(meter, element, within).map(Value::Bool),
        _ => no_such_overload(),
    }
}
