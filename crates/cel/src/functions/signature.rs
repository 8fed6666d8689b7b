// SPDX-License-Identifier: Apache-2.0
use crate::types::Type;

/// The types of an overload; type parameters are variables from 0.
#[derive(Debug)]
pub(crate) struct Signature {
    pub(crate) arguments: Vec<Type>,
    pub(crate) result: Type,
}

impl Signature {
    /// Parses a signature such as `list(A), A -> int`; an unknown type becomes [`Type::Error`].
    pub(super) fn parse(text: &'static str) -> Self {
        let (arguments, result) = text.split_once("->").unwrap_or((text, ""));
        let mut rest = arguments.trim();
        let mut types = Vec::new();
        while !rest.is_empty() {
            let (next, after) = one(rest);
            types.push(next);
            rest = after.trim_start_matches([',', ' ']);
        }
        Self { arguments: types, result: one(result.trim()).0 }
    }
}

/// Parses the first type, and returns the rest.
fn one(text: &'static str) -> (Type, &'static str) {
    let end = text.find(['(', ')', ',', ' ']).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let Some(inner) = rest.strip_prefix('(') else {
        return (simple(name), rest);
    };
    let (first, rest) = one(inner);
    if name == "map" {
        let (second, rest) = one(rest.trim_start_matches([',', ' ']));
        return (Type::map(first, second), rest.strip_prefix(')').unwrap_or(rest));
    }
    let of = match name {
        "list" => Type::list(first),
        "optional" => Type::optional(first),
        "type" => Type::Of(first.into()),
        _ => Type::Error,
    };
    (of, rest.strip_prefix(')').unwrap_or(rest))
}

fn simple(name: &'static str) -> Type {
    match name {
        "dyn" => Type::Dyn,
        "bool" => Type::Bool,
        "int" => Type::Int,
        "uint" => Type::Uint,
        "double" => Type::Double,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        "timestamp" => Type::Timestamp,
        "duration" => Type::Duration,
        "A" => Type::Variable(0),
        "B" => Type::Variable(1),
        "net.IP" | "net.CIDR" => Type::Opaque(name),
        "kubernetes.URL"
        | "kubernetes.Quantity"
        | "kubernetes.Semver"
        | "kubernetes.NamedFormat" => Type::Record(name),
        _ => Type::Error,
    }
}
