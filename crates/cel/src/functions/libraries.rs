// SPDX-License-Identifier: Apache-2.0
//! Kubernetes' libraries for addresses, URLs, quantities, versions and formats.

use core::net::IpAddr;
use std::cmp::Ordering;

use crate::amount::Amount;
use crate::error::{EvaluationError, failed, no_such_overload};
use crate::meter::Meter;
use crate::semver::Semver;
use crate::url::ParsedUrl;
use crate::value::{Evaluated, Library, Value};
use garden_gate_text::go::{
    Network, dns_label_error, dns_subdomain_error, label_value_error, parse_local_time,
    qualified_name_error,
};

/// The number of times that a string is read or copied when it is parsed.
const PASSES: usize = 4;

/// Returns the value of a library.
fn inner(value: &Value) -> Option<&Library> {
    match value {
        Value::Library(inner) => Some(inner),
        _ => None,
    }
}

/// Adds the work of parsing strings: a few passes, one of them for the message of an error.
fn read(meter: &mut Meter, arguments: &[Value]) -> Evaluated<()> {
    arguments.iter().try_for_each(|it| match it {
        Value::String(text) => meter.work_of(text.len().saturating_mul(PASSES)),
        _ => Ok(()),
    })
}

/// Adds the work of reading values of libraries.
fn inspect(meter: &mut Meter, arguments: &[Value]) -> Evaluated<()> {
    arguments.iter().try_for_each(|it| match inner(it) {
        Some(library) => meter.work_of(library.length()),
        None => Ok(()),
    })
}

fn address(text: &str) -> Result<IpAddr, String> {
    if text.contains('%') {
        return Err(format!("IP address {text:?} with zone value is not allowed"));
    }
    match text.parse() {
        Ok(IpAddr::V6(address)) if address.to_ipv4_mapped().is_some() => {
            Err(format!("IPv4-mapped IPv6 address {text:?} is not allowed"))
        }
        Ok(address) => Ok(address),
        Err(_) => Err(format!(
            "IP Address {text:?} parse error during conversion from string: ParseAddr({text:?}): unable to parse IP"
        )),
    }
}

fn network(text: &str) -> Result<Network, String> {
    const PREFIX: &str = "network address parse error during conversion from string";
    let refused = || format!("{PREFIX}: {PREFIX}: netip.ParsePrefix({text:?}): invalid CIDR");
    let (written, bits) = text.split_once('/').ok_or_else(refused)?;
    // Unlike `net.ParseCIDR`, `netip.ParsePrefix` refuses leading zeros.
    if bits.len() > 1 && bits.starts_with('0') {
        return Err(refused());
    }
    let is_mapped = |it: IpAddr| matches!(it, IpAddr::V6(it) if it.to_ipv4_mapped().is_some());
    if written.parse().is_ok_and(is_mapped) {
        return Err(format!("{PREFIX}: IPv4-mapped IPv6 address {text:?} is not allowed"));
    }
    Network::read(text).ok_or_else(refused)
}

fn ip_of(value: &Value) -> Evaluated<IpAddr> {
    match inner(value) {
        Some(Library::Ip(ip)) => Ok(*ip),
        _ => no_such_overload(),
    }
}

fn cidr_of(value: &Value) -> Evaluated<&Network> {
    match inner(value) {
        Some(Library::Cidr(cidr)) => Ok(cidr),
        _ => no_such_overload(),
    }
}

pub(super) fn ip(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    match arguments {
        [Value::String(text)] => match address(text) {
            Ok(ip) => Ok(Value::library(Library::Ip(ip))),
            Err(message) => failed(message),
        },
        _ => no_such_overload(),
    }
}

pub(super) fn is_ip(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    match arguments {
        [Value::String(text)] => Ok(Value::Bool(address(text).is_ok())),
        _ => no_such_overload(),
    }
}

pub(super) fn ip_is_canonical(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    match arguments {
        [Value::String(text)] => match address(text) {
            Ok(ip) => Ok(Value::Bool(ip.to_string() == **text)),
            Err(message) => failed(message),
        },
        _ => no_such_overload(),
    }
}

/// Declares functions of one address.
macro_rules! addresses {
    ($($function:ident: |$ip:ident| $result:expr;)*) => {$(
        pub(super) fn $function(_: &mut Meter, arguments: &[Value]) -> Evaluated {
            match arguments {
                [value] => ip_of(value).map(|$ip| Value::from($result)),
                _ => no_such_overload(),
            }
        }
    )*};
}

addresses! {
    family: |ip| if ip.is_ipv4() { 4_i64 } else { 6 };
    is_unspecified: |ip| ip.is_unspecified();
    is_loopback: |ip| ip.is_loopback();
    is_link_local_multicast: |ip| is_link_local_multicast_address(ip);
    is_link_local_unicast: |ip| is_link_local_unicast_address(ip);
    is_global_unicast: |ip| {
        let is_broadcast = matches!(ip, IpAddr::V4(ip) if ip.is_broadcast());
        !ip.is_unspecified()
            && !ip.is_loopback()
            && !ip.is_multicast()
            && !is_link_local_unicast_address(ip)
            && !is_broadcast
    };
}

fn is_link_local_multicast_address(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip.octets().starts_with(&[224, 0, 0]),
        IpAddr::V6(ip) => {
            let [first, second, ..] = ip.octets();
            first == 0xff && second & 0x0f == 0x02
        }
    }
}

fn is_link_local_unicast_address(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_unicast_link_local(),
    }
}

pub(super) fn cidr(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    match arguments {
        [Value::String(text)] => match network(text) {
            Ok(cidr) => Ok(Value::library(Library::Cidr(cidr))),
            Err(message) => failed(message),
        },
        _ => no_such_overload(),
    }
}

pub(super) fn is_cidr(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    match arguments {
        [Value::String(text)] => Ok(Value::Bool(network(text).is_ok())),
        _ => no_such_overload(),
    }
}

/// Returns the network of one address.
fn single(ip: IpAddr) -> Option<Network> {
    let bits = if ip.is_ipv4() { 32 } else { 128 };
    Network::read(&format!("{ip}/{bits}"))
}

pub(super) fn contains_ip(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    let [cidr, ip] = arguments else {
        return no_such_overload();
    };
    let cidr = cidr_of(cidr)?;
    let ip = match ip {
        Value::String(text) => match address(text) {
            Ok(ip) => ip,
            Err(_) => return no_such_overload(),
        },
        other => ip_of(other)?,
    };
    Ok(Value::Bool(single(ip).is_some_and(|it| cidr.contains(&it))))
}

pub(super) fn contains_cidr(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    let [cidr, other] = arguments else {
        return no_such_overload();
    };
    let cidr = cidr_of(cidr)?;
    let contains = |other: &Network| Ok(Value::Bool(cidr.contains(other)));
    match other {
        Value::String(text) => match network(text) {
            Ok(other) => contains(&other),
            Err(message) => failed(message),
        },
        other => contains(cidr_of(other)?),
    }
}

pub(super) fn cidr_ip(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [cidr] => cidr_of(cidr).map(|it| Value::library(Library::Ip(it.address()))),
        _ => no_such_overload(),
    }
}

pub(super) fn prefix_length(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    match arguments {
        [cidr] => cidr_of(cidr).map(|it| Value::Int(i64::from(it.prefix()))),
        _ => no_such_overload(),
    }
}

pub(super) fn masked(_: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [cidr] = arguments else {
        return no_such_overload();
    };
    let cidr = cidr_of(cidr)?;
    match Network::read(&format!("{}/{}", cidr.first(), cidr.prefix())) {
        Some(masked) => Ok(Value::library(Library::Cidr(masked))),
        None => no_such_overload(),
    }
}

pub(super) fn url(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [Value::String(text)] = arguments else {
        return no_such_overload();
    };
    read(meter, arguments)?;
    match ParsedUrl::parse(text) {
        Ok(url) => Ok(Value::library(Library::Url(url))),
        Err(message) => failed(message),
    }
}

pub(super) fn is_url(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    match arguments {
        [Value::String(text)] => Ok(Value::Bool(ParsedUrl::parse(text).is_ok())),
        _ => no_such_overload(),
    }
}

/// Declares accessors of URLs.
macro_rules! urls {
    ($($function:ident: |$url:ident| $result:expr;)*) => {$(
        pub(super) fn $function(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
            match arguments {
                [value] => match inner(value) {
                    Some(Library::Url($url)) => {
                        meter.work_of($url.text.len().saturating_mul(PASSES))?;
                        Ok(Value::from($result))
                    }
                    _ => no_such_overload(),
                },
                _ => no_such_overload(),
            }
        }
    )*};
}

urls! {
    get_scheme: |url| url.scheme();
    get_host: |url| url.host();
    get_hostname: |url| url.host_and_port().0;
    get_port: |url| url.host_and_port().1;
    get_escaped_path: |url| url.escaped_path();
}

pub(super) fn get_query(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [value] = arguments else {
        return no_such_overload();
    };
    let Some(Library::Url(url)) = inner(value) else {
        return no_such_overload();
    };
    meter.work_of(url.text.len().saturating_mul(PASSES))?;
    meter.elements(url.parameters().saturating_mul(2))?;
    let mut entries = Vec::new();
    for (name, values) in url.query() {
        let listed = values.into_iter().map(Value::from).collect();
        entries.push((Value::from(name), meter.list(listed)?));
    }
    meter.map(entries)
}

fn amount_of(value: &Value) -> Evaluated<&Amount> {
    match inner(value) {
        Some(Library::Quantity(amount)) => Ok(amount),
        _ => no_such_overload(),
    }
}

pub(super) fn quantity(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    match arguments {
        [Value::String(text)] => match Amount::parse(text) {
            Ok(amount) => Ok(Value::library(Library::Quantity(amount))),
            Err(message) => failed(message),
        },
        _ => no_such_overload(),
    }
}

pub(super) fn is_quantity(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    match arguments {
        [Value::String(text)] => Ok(Value::Bool(Amount::parse(text).is_ok())),
        _ => no_such_overload(),
    }
}

pub(super) fn is_integer(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    inspect(meter, arguments)?;
    match arguments {
        [value] => amount_of(value).map(|it| Value::Bool(it.as_integer().is_some())),
        _ => no_such_overload(),
    }
}

pub(super) fn as_integer(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    inspect(meter, arguments)?;
    match arguments {
        [value] => match amount_of(value)?.as_integer() {
            Some(number) => Ok(Value::Int(number)),
            None => failed("cannot convert value to integer"),
        },
        _ => no_such_overload(),
    }
}

pub(super) fn as_approximate_float(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    inspect(meter, arguments)?;
    match arguments {
        [value] => {
            // `<digits>e<exponent>` is a number in Rust, too.
            let number = amount_of(value)?.quantity.number();
            let number = if number.trim_start_matches('-').starts_with('e') {
                0.0
            } else {
                number.parse().unwrap_or(f64::NAN)
            };
            Ok(Value::Double(number))
        }
        _ => no_such_overload(),
    }
}

pub(super) fn sign(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    inspect(meter, arguments)?;
    match arguments {
        [value] => amount_of(value).map(|it| Value::Int(it.quantity.nanos().signum() as i64)),
        _ => no_such_overload(),
    }
}

fn order_of(arguments: &[Value]) -> Evaluated<Ordering> {
    let [a, b] = arguments else {
        return no_such_overload();
    };
    match (inner(a), inner(b)) {
        (Some(Library::Quantity(a)), Some(Library::Quantity(b))) => Ok(a.quantity.cmp(&b.quantity)),
        (Some(Library::Semver(a)), Some(Library::Semver(b))) => Ok(a.compare(b)),
        _ => no_such_overload(),
    }
}

pub(super) fn is_greater_than(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    inspect(meter, arguments)?;
    order_of(arguments).map(|it| Value::Bool(it.is_gt()))
}

pub(super) fn is_less_than(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    inspect(meter, arguments)?;
    order_of(arguments).map(|it| Value::Bool(it.is_lt()))
}

pub(super) fn compare_to(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    inspect(meter, arguments)?;
    order_of(arguments).map(|it| Value::Int(it as i64))
}

fn sum_of(arguments: &[Value], is_negative: bool) -> Evaluated {
    let [a, b] = arguments else {
        return no_such_overload();
    };
    let a = amount_of(a)?;
    let sum = match b {
        Value::Int(number) => {
            Amount::of_int(*number).and_then(|number| a.plus(&number, is_negative))
        }
        other => a.plus(amount_of(other)?, is_negative),
    };
    match sum {
        Some(sum) => Ok(Value::library(Library::Quantity(sum))),
        None => {
            Err(EvaluationError::Undetermined("a sum of quantities beyond 128 bits".to_owned()))
        }
    }
}

pub(super) fn add(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    inspect(meter, arguments)?;
    sum_of(arguments, false)
}

pub(super) fn sub(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    inspect(meter, arguments)?;
    sum_of(arguments, true)
}

fn parse_semver(arguments: &[Value]) -> Evaluated<Result<Semver, String>> {
    match arguments {
        [Value::String(text)] | [Value::String(text), Value::Bool(false)] => {
            Ok(Semver::parse(text))
        }
        [Value::String(text), Value::Bool(true)] => Ok(Semver::parse_normalized(text)),
        _ => no_such_overload(),
    }
}

pub(super) fn semver(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    match parse_semver(arguments)? {
        Ok(version) => Ok(Value::library(Library::Semver(version))),
        Err(message) => failed(message),
    }
}

pub(super) fn is_semver(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    read(meter, arguments)?;
    parse_semver(arguments).map(|it| Value::Bool(it.is_ok()))
}

/// Declares accessors of versions.
macro_rules! versions {
    ($($function:ident: $field:ident;)*) => {$(
        pub(super) fn $function(_: &mut Meter, arguments: &[Value]) -> Evaluated {
            match arguments {
                [value] => match inner(value) {
                    // Go converts without a check.
                    Some(Library::Semver(version)) => Ok(Value::Int(version.$field.cast_signed())),
                    _ => no_such_overload(),
                },
                _ => no_such_overload(),
            }
        }
    )*};
}

versions! {
    major: major;
    minor: minor;
    patch: patch;
}

/// Names of formats, and the lengths of their regular expressions that count for the cost.
const FORMATS: [(&str, u64); 13] = [
    ("dns1123Label", 30),
    ("dns1123Subdomain", 60),
    ("dns1035Label", 30),
    ("qualifiedName", 60),
    ("dns1123LabelPrefix", 30),
    ("dns1123SubdomainPrefix", 60),
    ("dns1035LabelPrefix", 30),
    ("labelValue", 40),
    ("uri", 1103),
    ("uuid", 72),
    ("byte", 84),
    ("date", 72),
    ("datetime", 72),
];

/// Returns the length of the regular expression of a format.
pub(super) fn format_length(value: &Value) -> Option<u64> {
    match inner(value) {
        Some(Library::Format(name)) => {
            let mut formats = FORMATS.iter();
            formats.find(|(it, _)| it == name).map(|(_, length)| *length)
        }
        _ => None,
    }
}

pub(super) fn format_named(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [Value::String(name)] = arguments else {
        return no_such_overload();
    };
    meter.visit(FORMATS.len())?;
    match FORMATS.iter().find(|(it, _)| *it == &**name) {
        Some((name, _)) => meter.some(Value::library(Library::Format(name))),
        None => Ok(Value::Optional(None)),
    }
}

/// Declares the functions that return a format.
macro_rules! formats {
    ($($function:ident: $name:literal;)*) => {$(
        pub(super) fn $function(_: &mut Meter, _: &[Value]) -> Evaluated {
            Ok(Value::library(Library::Format($name)))
        }
    )*};
}

formats! {
    dns1123_label: "dns1123Label";
    dns1123_subdomain: "dns1123Subdomain";
    dns1035_label: "dns1035Label";
    qualified_name: "qualifiedName";
    dns1123_label_prefix: "dns1123LabelPrefix";
    dns1123_subdomain_prefix: "dns1123SubdomainPrefix";
    dns1035_label_prefix: "dns1035LabelPrefix";
    label_value: "labelValue";
    uri: "uri";
    uuid: "uuid";
    byte: "byte";
    date: "date";
    datetime: "datetime";
}

pub(super) fn validate(meter: &mut Meter, arguments: &[Value]) -> Evaluated {
    let [format, Value::String(text)] = arguments else {
        return no_such_overload();
    };
    let Some(Library::Format(name)) = inner(format) else {
        return no_such_overload();
    };
    read(meter, arguments)?;
    match format_error(name, text) {
        None => Ok(Value::Optional(None)),
        Some(message) => {
            let messages = meter.list(vec![Value::from(message)])?;
            meter.some(messages)
        }
    }
}

/// Returns the reason why a string does not have a format. Unlike the verdict, the wording is not that of Kubernetes.
fn format_error(name: &str, text: &str) -> Option<&'static str> {
    let masked = || match text.strip_suffix('-') {
        Some(rest) if !rest.is_empty() => {
            let mut shortened = rest.to_owned();
            shortened.pop();
            shortened + "a"
        }
        _ => text.to_owned(),
    };
    match name {
        "dns1123Label" => dns_label_error(text),
        "dns1123LabelPrefix" => dns_label_error(&masked()),
        "dns1123Subdomain" => dns_subdomain_error(text),
        "dns1123SubdomainPrefix" => dns_subdomain_error(&masked()),
        "dns1035Label" => dns1035_error(text),
        "dns1035LabelPrefix" => dns1035_error(&masked()),
        "qualifiedName" => qualified_name_error(text),
        "labelValue" => label_value_error(text),
        "uri" => ParsedUrl::parse(text).is_err().then_some("invalid URI"),
        "uuid" => (!is_uuid(text)).then_some("does not match the UUID format"),
        "byte" => (!is_base64(text)).then_some("invalid base64"),
        "date" => (!is_date(text)).then_some("invalid date"),
        _ => (!is_date_time(text)).then_some("invalid datetime"),
    }
}

fn dns1035_error(text: &str) -> Option<&'static str> {
    let begins = text.starts_with(|it: char| it.is_ascii_lowercase());
    dns_label_error(text).or((!begins).then_some("it begins with a letter"))
}

fn is_uuid(text: &str) -> bool {
    let is_hexadecimal =
        |part: &str, length| part.len() == length && part.bytes().all(|it| it.is_ascii_hexdigit());
    let parts: Vec<&str> = text.split('-').collect();
    match parts.as_slice() {
        [whole] => is_hexadecimal(whole, 32),
        [first, middle @ .., last] if middle.len() == 3 => {
            is_hexadecimal(first, 8)
                && middle.iter().all(|it| is_hexadecimal(it, 4))
                && is_hexadecimal(last, 12)
        }
        _ => false,
    }
}

fn is_base64(text: &str) -> bool {
    let digits = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text).bytes();
    let is_digit = |it: u8| it.is_ascii_alphanumeric() || it == b'+' || it == b'/';
    !text.is_empty() && text.len().is_multiple_of(4) && digits.into_iter().all(is_digit)
}

fn is_date(text: &str) -> bool {
    text.len() == 10 && parse_local_time(&format!("{text}T00:00:00Z")).is_some()
}

fn is_date_time(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut parts = lower.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else {
        return false;
    };
    is_date(date) && is_time(time)
}

/// Reports whether it is a time of the day with a zone, such as `12:00:00z`.
fn is_time(text: &str) -> bool {
    let number = |range: std::ops::Range<usize>, most: u8| {
        let digits = text.get(range).unwrap_or_default();
        digits.bytes().all(|it| it.is_ascii_digit())
            && digits.parse().is_ok_and(|it: u8| it <= most)
    };
    let colons = text.get(2..3) == Some(":") && text.get(5..6) == Some(":");
    if !(colons && number(0..2, 23) && number(3..5, 59) && number(6..8, 59)) {
        return false;
    }
    let rest = text.get(8..).unwrap_or_default();
    let is_zone = |zone: &str| {
        let digits: Vec<u8> = zone.bytes().collect();
        zone == "z"
            || matches!(digits.as_slice(), [b'+' | b'-', a, b, b':', c, d]
                if [a, b, c, d].into_iter().all(u8::is_ascii_digit))
    };
    if is_zone(rest) {
        return true;
    }
    // A fraction after any character.
    let mut fraction = rest.chars();
    let has_separator = fraction.next().is_some_and(|it| it != '\n');
    let digits = fraction.as_str().trim_start_matches(|it: char| it.is_ascii_digit());
    has_separator && digits.len() < fraction.as_str().len() && is_zone(digits)
}
