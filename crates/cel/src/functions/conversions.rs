// SPDX-License-Identifier: Apache-2.0
//! Conversions between types, and times.

use crate::error::{failed, no_such_overload, undetermined};
use crate::meter::Meter;
use crate::number::{parse, truncate_to_int, truncate_to_uint};
use crate::time::Timestamp;
use crate::value::{Evaluated, Library, Value};
use garden_gate_text::go::{parse_bool, parse_duration};

const INT: &str = "integer overflow";
const UINT: &str = "unsigned integer overflow";
/// The work of searching a time zone, in bytes.
const TIME_ZONE: usize = 256;

fn cannot(value: &Value, wanted: &str) -> Evaluated {
    let given = value.type_name();
    failed(format!("type conversion error from '{given}' to '{wanted}'"))
}

fn unknown(name: &str, arguments: &[Value]) -> Evaluated {
    let types: Vec<&str> = arguments.iter().map(Value::type_name).collect();
    failed(format!("no such overload: {name}({})", types.join(", ")))
}

/// Adds the work of parsing strings, once for the value and once for an error.
fn read(meter: &mut Meter, arguments: &[Value]) -> Evaluated<()> {
    let mut texts = arguments.iter().chain(arguments);
    texts.try_for_each(|it| meter.key(it))
}

pub(super) fn int(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    let converted = match arguments {
        [Value::Int(it)] => Some(*it),
        [Value::Uint(it)] => i64::try_from(*it).ok(),
        [Value::Double(it)] => truncate_to_int(*it),
        [Value::Duration(it)] => Some(*it),
        [Value::Timestamp(it)] => Some(it.seconds),
        [value @ Value::String(text)] => match text.parse() {
            Ok(number) => Some(number),
            Err(_) => return cannot(value, "int"),
        },
        _ => return unknown("int", arguments),
    };
    converted.map_or_else(|| failed(INT), |it| Ok(Value::Int(it)))
}

pub(super) fn uint(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    let converted = match arguments {
        [Value::Uint(it)] => Some(*it),
        [Value::Int(it)] => u64::try_from(*it).ok(),
        [Value::Double(it)] => truncate_to_uint(*it),
        [value @ Value::String(text)] => match text.parse() {
            Ok(number) if !text.starts_with('+') => Some(number),
            _ => return cannot(value, "uint"),
        },
        _ => return unknown("uint", arguments),
    };
    converted.map_or_else(|| failed(UINT), |it| Ok(Value::Uint(it)))
}

pub(super) fn double(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    Ok(Value::Double(match arguments {
        [Value::Double(it)] => *it,
        [Value::Int(it)] => *it as f64,
        [Value::Uint(it)] => *it as f64,
        [value @ Value::String(text)] => match parse(text)? {
            Some(number) => number,
            None => return cannot(value, "double"),
        },
        _ => return unknown("double", arguments),
    }))
}

pub(super) fn bool(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    match arguments {
        [Value::Bool(it)] => Ok(Value::Bool(*it)),
        [value @ Value::String(text)] => match parse_bool(text) {
            Some(it) => Ok(Value::Bool(it)),
            None => cannot(value, "bool"),
        },
        _ => unknown("bool", arguments),
    }
}

pub(super) fn bytes(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::Bytes(it)] => Ok(Value::Bytes(it.clone())),
        [Value::String(text)] => {
            meter.work_of(text.len())?;
            Ok(Value::Bytes(text.as_bytes().into()))
        }
        _ => unknown("bytes", arguments),
    }
}

pub(super) fn string(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [value] = arguments else {
        return unknown("string", arguments);
    };
    match value {
        Value::String(text) => Ok(Value::String(text.clone())),
        Value::Bytes(bytes) => {
            meter.work_of(bytes.len())?;
            match std::str::from_utf8(bytes) {
                Ok(text) => meter.string(text),
                Err(_) => failed("invalid UTF-8 in bytes, cannot convert to string"),
            }
        }
        Value::Bool(_)
        | Value::Int(_)
        | Value::Uint(_)
        | Value::Double(_)
        | Value::Timestamp(_)
        | Value::Duration(_) => Ok(Value::from(value.to_string())),
        Value::Library(inner) if matches!(**inner, Library::Ip(_) | Library::Cidr(_)) => {
            Ok(Value::from(value.to_string()))
        }
        _ => unknown("string", arguments),
    }
}

pub(super) fn dynamic(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    arguments.first().cloned().map_or_else(no_such_overload, Ok)
}

pub(super) fn type_of(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::Constructed(_)] => {
            undetermined("the type of a constructed object is not evaluated")
        }
        [value] => Ok(Value::Type(value.type_name())),
        _ => no_such_overload(),
    }
}

pub(super) fn timestamp(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    match arguments {
        [Value::Timestamp(time)] => Ok(Value::Timestamp(*time)),
        [Value::Int(seconds)] => Timestamp::of_seconds(*seconds)
            .map_or_else(|| failed("timestamp overflow"), |it| Ok(Value::Timestamp(it))),
        [Value::String(text)] => Timestamp::parse(text).map(Value::Timestamp),
        _ => unknown("timestamp", arguments),
    }
}

pub(super) fn duration(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    match arguments {
        [Value::Duration(it)] => Ok(Value::Duration(*it)),
        [value @ Value::String(text)] => {
            let nanoseconds = parse_duration(text).ok();
            match nanoseconds.and_then(|it| i64::try_from(it.as_nanos()).ok()) {
                Some(nanoseconds) => Ok(Value::Duration(nanoseconds)),
                None => cannot(value, "google.protobuf.Duration"),
            }
        }
        [value @ Value::Int(_)] => cannot(value, "google.protobuf.Duration"),
        _ => unknown("duration", arguments),
    }
}

pub(super) fn size(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [value] = arguments else {
        return no_such_overload();
    };
    match value {
        Value::String(_) | Value::Bytes(_) | Value::List(_) | Value::Map(_) => {
            Ok(Value::Int(i64::try_from(value.size()).unwrap_or(i64::MAX)))
        }
        _ => failed("no such overload: size"),
    }
}

/// Declares the functions that return a part of a time.
macro_rules! parts {
    ($($function:ident: $name:literal),*) => {$(
        pub(super) fn $function(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
            part(meter, $name, arguments)
        }
    )*};
}

parts! {
    full_year: "getFullYear",
    month: "getMonth",
    day_of_year: "getDayOfYear",
    day_of_month: "getDayOfMonth",
    date: "getDate",
    day_of_week: "getDayOfWeek",
    hours: "getHours",
    minutes: "getMinutes",
    seconds: "getSeconds",
    milliseconds: "getMilliseconds"
}

fn part(meter: &mut Meter, function: &'static str, arguments: &[Value]) -> Evaluated {
    match arguments {
        [Value::Timestamp(time)] => time.part(function, None).map(Value::Int),
        [Value::Timestamp(time), Value::String(zone)] => {
            meter.work_of(zone.len().saturating_add(TIME_ZONE))?;
            time.part(function, Some(zone)).map(Value::Int)
        }
        [Value::Duration(nanoseconds)] => {
            let unit = match function {
                "getHours" => 3_600_000_000_000,
                "getMinutes" => 60_000_000_000,
                "getSeconds" => 1_000_000_000,
                "getMilliseconds" => 1_000_000,
                _ => return no_such_overload(),
            };
            Ok(Value::Int(nanoseconds / unit))
        }
        _ => no_such_overload(),
    }
}
