// SPDX-License-Identifier: Apache-2.0
//! Every function pays for the bytes that it reads, independent of its cost in Kubernetes.

use super::declaration::Declaration;
use super::table::DECLARATIONS;
use crate::amount::Amount;
use crate::meter::{Meter, WORK_OF_COST};
use crate::semver::Semver;
use crate::time::Timestamp;
use crate::types::Type;
use crate::url::ParsedUrl;
use crate::value::{Library, Map, Value};

/// The size of a large argument: the length of a string, or the number of elements.
const LARGE: usize = 1 << 10;

/// The work that a call may save for a larger argument, for example fewer parts.
const SLACK: u64 = 256;

/// Functions that do not read a large argument at an index to its end.
const CONSTANT: &[(&str, usize)] = &[
    // The length is known, as is the place of a character of ASCII.
    ("size", 0),
    ("charAt", 0),
    // Comparisons end with the shorter operand.
    ("_==_", 0),
    ("_==_", 1),
    ("_!=_", 0),
    ("_!=_", 1),
    ("_<_", 0),
    ("_<_", 1),
    ("_<=_", 0),
    ("_<=_", 1),
    ("_>_", 0),
    ("_>_", 1),
    ("_>=_", 0),
    ("_>=_", 1),
    ("startsWith", 0),
    ("startsWith", 1),
    ("endsWith", 0),
    ("endsWith", 1),
    ("isGreaterThan", 1),
    ("isLessThan", 1),
    // The value is shared.
    ("string", 0),
    ("bytes", 0),
    ("type", 0),
    ("dyn", 0),
    ("first", 0),
    ("last", 0),
    ("optional.of", 0),
    ("optional.ofNonZeroValue", 0),
    ("value", 0),
    ("hasValue", 0),
    // Regular expressions of more than 1,024 bytes are refused at once.
    ("matches", 1),
    ("find", 1),
    ("findAll", 1),
    // It is compared with few names.
    ("format.named", 0),
    // The result is a part.
    ("slice", 0),
    // It has no separator for one element.
    ("join", 1),
    ("substring", 0),
    // The first element is in the other list.
    ("sets.contains", 0),
    ("sets.intersects", 0),
    ("sets.intersects", 1),
    // The string has no clause.
    ("format", 1),
    // Kept as numbers.
    ("major", 0),
    ("minor", 0),
    ("patch", 0),
];

fn library(name: &str, size: usize) -> Value {
    let zeros = "0".repeat(size);
    Value::library(match name {
        "net.IP" => Library::Ip("10.0.0.1".parse().unwrap()),
        "net.CIDR" => Library::Cidr(garden_gate_text::go::Network::read("10.0.0.0/8").unwrap()),
        "kubernetes.URL" => {
            Library::Url(ParsedUrl::parse(&format!("https://a.io/{zeros}?a={zeros}")).unwrap())
        }
        "kubernetes.Quantity" => Library::Quantity(Amount::parse(&format!("{zeros}1")).unwrap()),
        "kubernetes.Semver" => Library::Semver(Semver::parse(&format!("1.0.0-a{zeros}")).unwrap()),
        _ => Library::Format("dns1123Label"),
    })
}

/// Returns a value of a type with this size.
fn sample(of: &Type, size: usize) -> Value {
    match of {
        Type::Bool => Value::Bool(true),
        Type::Int => Value::Int(1),
        Type::Uint => Value::Uint(1),
        Type::Double => Value::Double(1.0),
        Type::String => Value::from("a".repeat(size)),
        Type::Bytes => Value::Bytes(vec![b'a'; size].into()),
        Type::Timestamp => Value::Timestamp(Timestamp::parse("2026-01-01T00:00:00Z").unwrap()),
        Type::Duration => Value::Duration(1),
        Type::List(item) if matches!(**item, Type::Variable(_)) => {
            Value::list(vec![Value::Int(1); size])
        }
        Type::List(item) => Value::list(vec![sample(item, 1); size]),
        Type::Map(it) => {
            let pairs = vec![(sample(&it.0, 1), sample(&it.1, 1))];
            Value::Map(Map::from_pairs(pairs).into())
        }
        Type::Optional(inner) => Value::some(sample(inner, size)),
        Type::Opaque(name) | Type::Record(name) => library(name, size),
        // No list has it.
        Type::Variable(_) | Type::Dyn => Value::Int(2),
        other => unreachable!("{other} is no type of an argument"),
    }
}

/// Returns the effort of a call in which the argument at an index has a size.
fn effort(declaration: &Declaration, types: &[Type], large: usize, size: usize) -> u64 {
    let mut meter = Meter::default();
    let arguments: Vec<Value> = types
        .iter()
        .enumerate()
        .map(|(index, it)| sample(it, if index == large { size } else { 1 }))
        .collect();
    // Some fail, after they have read their arguments.
    let _ = (declaration.call)(&mut meter, &arguments);
    meter.effort() * WORK_OF_COST
}

/// Calls a function with each argument of each overload.
fn for_each_argument(mut check: impl FnMut(&Declaration, &[Type], usize)) {
    for declaration in DECLARATIONS.iter() {
        for overload in &declaration.overloads {
            for index in 0..overload.arguments.len() {
                check(declaration, &overload.arguments, index);
            }
        }
    }
}

/// Reports whether values of a type may be large.
fn is_sized(of: &Type) -> bool {
    match of {
        Type::String | Type::Bytes | Type::List(_) => true,
        Type::Record(name) => *name != "kubernetes.NamedFormat",
        _ => false,
    }
}

#[test]
fn work_covers_large_arguments() {
    let mut constant = Vec::new();
    for_each_argument(|declaration, types, index| {
        let name = declaration.name;
        if !is_sized(&types[index]) || CONSTANT.contains(&(name, index)) {
            return;
        }
        let [small, large] = [1, LARGE].map(|size| effort(declaration, types, index, size));
        if large + SLACK < small + LARGE as u64 {
            constant.push(format!("{name} {index}: {small} {large}"));
        }
    });
    assert_eq!(constant, Vec::<String>::new());
}

#[test]
fn work_is_linear() {
    for_each_argument(|declaration, types, index| {
        let name = declaration.name;
        // They compare all elements with each other, or read the rest of the text for each match.
        if ["distinct", "findAll"].contains(&name) {
            return;
        }
        let [half, whole] = [LARGE, 2 * LARGE].map(|size| effort(declaration, types, index, size));
        // The number of comparisons of a sort grows a little faster.
        let most = if name == "sort" { half * 5 / 2 } else { half * 2 };
        assert!(whole <= most + 64, "{name} {index}: {half} {whole}");
    });
}
