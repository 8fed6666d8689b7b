// SPDX-License-Identifier: Apache-2.0
use std::sync::LazyLock;

use super::declaration::{Declaration, Implementation, Price};
use super::signature::Signature;
use super::{arithmetic, conversions, format, libraries, lists, strings};

/// Returns the function of that name and style.
pub(crate) fn find(name: &str, is_member: bool) -> Option<&'static Declaration> {
    let mut all = DECLARATIONS.iter();
    all.find(|it| it.name == name && it.is_member == is_member)
}

/// Reports whether there is a function of that name.
pub(crate) fn is_declared(name: &str) -> bool {
    DECLARATIONS.iter().any(|it| it.name == name)
}

/// The function that only mutations have.
pub(crate) const ESCAPE_KEY: &str = "jsonpatch.escapeKey";

/// Names of functions that other versions of Kubernetes or other kinds of policies have.
pub(crate) const ELSEWHERE: [&str; 2] = ["includes", ESCAPE_KEY];

pub(super) static DECLARATIONS: LazyLock<Vec<Declaration>> = LazyLock::new(|| {
    let rows = OPERATORS.iter().chain(STANDARD).chain(EXTENSIONS).chain(LIBRARIES);
    let declarations = rows.map(|(style, name, signatures, price, call)| Declaration {
        name,
        is_member: matches!(style, Style::Member),
        overloads: signatures.iter().map(|it| Signature::parse(it)).collect(),
        price: *price,
        call: *call,
    });
    declarations.collect()
});

#[derive(Clone, Copy, Debug)]
enum Style {
    Global,
    Member,
}

use Style::{Global, Member};

type Row = (Style, &'static str, &'static [&'static str], Price, Implementation);

/// The types of values with an order, as pairs of equal types and pairs of numbers.
const ORDERED: &[&str] = &[
    "bool, bool -> bool",
    "int, int -> bool",
    "int, double -> bool",
    "int, uint -> bool",
    "uint, uint -> bool",
    "uint, double -> bool",
    "uint, int -> bool",
    "double, double -> bool",
    "double, int -> bool",
    "double, uint -> bool",
    "string, string -> bool",
    "bytes, bytes -> bool",
    "timestamp, timestamp -> bool",
    "duration, duration -> bool",
];

#[rustfmt::skip]
const OPERATORS: &[Row] = &[
    (Global, "!_", &["bool -> bool"], Price::One, arithmetic::not),
    (Global, "-_", &["double -> double", "int -> int"], Price::One, arithmetic::negate),
    (Global, "_+_", &[
        "bytes, bytes -> bytes", "double, double -> double", "duration, duration -> duration", "duration, timestamp -> timestamp",
        "timestamp, duration -> timestamp", "int, int -> int", "list(A), list(A) -> list(A)", "string, string -> string",
        "uint, uint -> uint",
    ], Price::Sum, arithmetic::add),
    (Global, "_-_", &[
        "double, double -> double", "duration, duration -> duration", "int, int -> int", "timestamp, duration -> timestamp",
        "timestamp, timestamp -> duration", "uint, uint -> uint",
    ], Price::One, arithmetic::subtract),
    (Global, "_*_", NUMBERS, Price::One, arithmetic::multiply),
    (Global, "_/_", NUMBERS, Price::One, arithmetic::divide),
    (Global, "_%_", &["int, int -> int", "uint, uint -> uint"], Price::One, arithmetic::modulo),
    (Global, "_==_", &["A, A -> bool"], Price::Equality, arithmetic::equals),
    (Global, "_!=_", &["A, A -> bool"], Price::Inequality, arithmetic::not_equals),
    (Global, "_<_", ORDERED, Price::Order, arithmetic::less),
    (Global, "_<=_", ORDERED, Price::Order, arithmetic::less_equals),
    (Global, "_>_", ORDERED, Price::Order, arithmetic::greater),
    (Global, "_>=_", ORDERED, Price::Order, arithmetic::greater_equals),
    (Global, "@in", &["A, list(A) -> bool", "A, map(A, B) -> bool"], Price::Membership, arithmetic::is_in),
];

const NUMBERS: &[&str] = &["double, double -> double", "int, int -> int", "uint, uint -> uint"];

const SIZES: &[&str] = &["bytes -> int", "list(A) -> int", "map(A, B) -> int", "string -> int"];

const OF_TIMESTAMP: &[&str] = &["timestamp -> int", "timestamp, string -> int"];
const OF_TIMES: &[&str] = &["timestamp -> int", "timestamp, string -> int", "duration -> int"];

#[rustfmt::skip]
const STANDARD: &[Row] = &[
    (Global, "size", SIZES, Price::One, conversions::size),
    (Member, "size", SIZES, Price::One, conversions::size),
    (Global, "type", &["A -> type(A)"], Price::One, conversions::type_of),
    (Global, "dyn", &["A -> dyn"], Price::One, conversions::dynamic),
    (Global, "bool", &["bool -> bool", "string -> bool"], Price::One, conversions::bool),
    (Global, "bytes", &["bytes -> bytes", "string -> bytes"], Price::Bytes, conversions::bytes),
    (Global, "double", &["double -> double", "int -> double", "string -> double", "uint -> double"], Price::One, conversions::double),
    (Global, "duration", &["duration -> duration", "int -> duration", "string -> duration"], Price::One, conversions::duration),
    (Global, "int", &[
        "int -> int", "double -> int", "duration -> int", "string -> int", "timestamp -> int", "uint -> int",
    ], Price::One, conversions::int),
    (Global, "string", &[
        "string -> string", "bool -> string", "bytes -> string", "double -> string", "duration -> string", "int -> string",
        "timestamp -> string", "uint -> string", "net.IP -> string", "net.CIDR -> string",
    ], Price::One, conversions::string),
    (Global, "timestamp", &["timestamp -> timestamp", "int -> timestamp", "string -> timestamp"], Price::One, conversions::timestamp),
    (Global, "uint", &["uint -> uint", "double -> uint", "int -> uint", "string -> uint"], Price::One, conversions::uint),
    (Member, "contains", &["string, string -> bool"], Price::Contains, strings::contains),
    (Member, "startsWith", &["string, string -> bool"], Price::Traversal, strings::starts_with),
    (Member, "endsWith", &["string, string -> bool"], Price::Traversal, strings::ends_with),
    (Global, "matches", &["string, string -> bool"], Price::One, strings::matches),
    (Member, "matches", &["string, string -> bool"], Price::Regex, strings::matches),
    (Member, "getFullYear", OF_TIMESTAMP, Price::One, conversions::full_year),
    (Member, "getMonth", OF_TIMESTAMP, Price::One, conversions::month),
    (Member, "getDayOfYear", OF_TIMESTAMP, Price::One, conversions::day_of_year),
    (Member, "getDayOfMonth", OF_TIMESTAMP, Price::One, conversions::day_of_month),
    (Member, "getDate", OF_TIMESTAMP, Price::One, conversions::date),
    (Member, "getDayOfWeek", OF_TIMESTAMP, Price::One, conversions::day_of_week),
    (Member, "getHours", OF_TIMES, Price::One, conversions::hours),
    (Member, "getMinutes", OF_TIMES, Price::One, conversions::minutes),
    (Member, "getSeconds", OF_TIMES, Price::One, conversions::seconds),
    (Member, "getMilliseconds", OF_TIMES, Price::One, conversions::milliseconds),
];

const COMPARABLE: &[&str] = &[
    "list(int) -> int",
    "list(uint) -> uint",
    "list(double) -> double",
    "list(bool) -> bool",
    "list(duration) -> duration",
    "list(timestamp) -> timestamp",
    "list(string) -> string",
    "list(bytes) -> bytes",
];

#[rustfmt::skip]
const EXTENSIONS: &[Row] = &[
    (Member, "charAt", &["string, int -> string"], Price::One, strings::char_at),
    (Member, "indexOf", &["string, string -> int", "string, string, int -> int", "list(A), A -> int"], Price::Elements, lists::index_of),
    (Member, "lastIndexOf", &["string, string -> int", "string, string, int -> int", "list(A), A -> int"], Price::Elements, lists::last_index_of),
    (Member, "lowerAscii", &["string -> string"], Price::Traversal, strings::lower_ascii),
    (Member, "upperAscii", &["string -> string"], Price::Traversal, strings::upper_ascii),
    (Member, "replace", &["string, string, string -> string", "string, string, string, int -> string"], Price::Construction, strings::replace),
    (Member, "split", &["string, string -> list(string)", "string, string, int -> list(string)"], Price::Construction, strings::split),
    (Member, "substring", &["string, int -> string", "string, int, int -> string"], Price::Traversal, strings::substring),
    (Member, "trim", &["string -> string"], Price::Traversal, strings::trim),
    (Member, "format", &["string, list(dyn) -> string"], Price::Traversal, format::format),
    (Global, "strings.quote", &["string -> string"], Price::Traversal, strings::quote),
    (Member, "join", &["list(string) -> string", "list(string), string -> string"], Price::Join, lists::join),
    (Member, "find", &["string, string -> string"], Price::Regex, strings::find),
    (Member, "findAll", &["string, string -> list(string)", "string, string, int -> list(string)"], Price::Regex, strings::find_all),
    (Member, "isSorted", &[
        "list(int) -> bool", "list(uint) -> bool", "list(double) -> bool", "list(bool) -> bool", "list(duration) -> bool",
        "list(timestamp) -> bool", "list(string) -> bool", "list(bytes) -> bool",
    ], Price::Elements, lists::is_sorted),
    (Member, "sum", &["list(int) -> int", "list(uint) -> uint", "list(double) -> double", "list(duration) -> duration"], Price::Elements, lists::sum),
    (Member, "min", COMPARABLE, Price::Elements, lists::min),
    (Member, "max", COMPARABLE, Price::Elements, lists::max),
    (Member, "slice", &["list(A), int, int -> list(A)"], Price::Result, lists::slice),
    (Member, "flatten", &["list(list(A)) -> list(A)", "list(dyn), int -> list(dyn)"], Price::Flatten, lists::flatten),
    (Member, "sort", SORTED, Price::Sort, lists::sort),
    (Member, "distinct", &["list(A) -> list(A)"], Price::Square, lists::distinct),
    (Member, "reverse", &["list(A) -> list(A)"], Price::Result, lists::reverse),
    (Global, "lists.range", &["int -> list(int)"], Price::Result, lists::range),
    (Member, "first", &["list(A) -> optional(A)"], Price::One, lists::first),
    (Member, "last", &["list(A) -> optional(A)"], Price::One, lists::last),
    (Global, "sets.contains", SETS, Price::Product, lists::set_contains),
    (Global, "sets.equivalent", SETS, Price::DoubleProduct, lists::set_equivalent),
    (Global, "sets.intersects", SETS, Price::Product, lists::set_intersects),
    (Global, "optional.of", &["A -> optional(A)"], Price::One, lists::optional_of),
    (Global, "optional.none", &["-> optional(A)"], Price::One, lists::optional_none),
    (Global, "optional.ofNonZeroValue", &["A -> optional(A)"], Price::One, lists::optional_of_non_zero),
    (Global, "optional.unwrap", &["list(optional(A)) -> list(A)"], Price::One, lists::optional_unwrap),
    (Member, "unwrapOpt", &["list(optional(A)) -> list(A)"], Price::One, lists::optional_unwrap),
    (Member, "value", &["optional(A) -> A"], Price::One, lists::optional_value),
    (Member, "hasValue", &["optional(A) -> bool"], Price::One, lists::optional_has_value),
];

const SETS: &[&str] = &["list(A), list(A) -> bool"];
const SORTED: &[&str] = &[
    "list(int) -> list(int)",
    "list(uint) -> list(uint)",
    "list(double) -> list(double)",
    "list(bool) -> list(bool)",
    "list(duration) -> list(duration)",
    "list(timestamp) -> list(timestamp)",
    "list(string) -> list(string)",
    "list(bytes) -> list(bytes)",
];
const FORMAT: &[&str] = &["-> kubernetes.NamedFormat"];

#[rustfmt::skip]
const LIBRARIES: &[Row] = &[
    (Global, "ip", &["string -> net.IP"], Price::Traversal, libraries::ip),
    (Member, "ip", &["net.CIDR -> net.IP"], Price::One, libraries::cidr_ip),
    (Global, "isIP", &["string -> bool"], Price::Traversal, libraries::is_ip),
    (Global, "ip.isCanonical", &["string -> bool"], Price::Construction, libraries::ip_is_canonical),
    (Member, "family", &["net.IP -> int"], Price::One, libraries::family),
    (Member, "isUnspecified", &["net.IP -> bool"], Price::One, libraries::is_unspecified),
    (Member, "isLoopback", &["net.IP -> bool"], Price::One, libraries::is_loopback),
    (Member, "isLinkLocalMulticast", &["net.IP -> bool"], Price::One, libraries::is_link_local_multicast),
    (Member, "isLinkLocalUnicast", &["net.IP -> bool"], Price::One, libraries::is_link_local_unicast),
    (Member, "isGlobalUnicast", &["net.IP -> bool"], Price::One, libraries::is_global_unicast),
    (Global, "cidr", &["string -> net.CIDR"], Price::Traversal, libraries::cidr),
    (Global, "isCIDR", &["string -> bool"], Price::Traversal, libraries::is_cidr),
    (Member, "containsIP", &["net.CIDR, string -> bool", "net.CIDR, net.IP -> bool"], Price::ContainsIp, libraries::contains_ip),
    (Member, "containsCIDR", &["net.CIDR, string -> bool", "net.CIDR, net.CIDR -> bool"], Price::ContainsCidr, libraries::contains_cidr),
    (Member, "prefixLength", &["net.CIDR -> int"], Price::One, libraries::prefix_length),
    (Member, "masked", &["net.CIDR -> net.CIDR"], Price::One, libraries::masked),
    (Global, "url", &["string -> kubernetes.URL"], Price::Traversal, libraries::url),
    (Global, "isURL", &["string -> bool"], Price::One, libraries::is_url),
    (Member, "getScheme", &["kubernetes.URL -> string"], Price::One, libraries::get_scheme),
    (Member, "getHost", &["kubernetes.URL -> string"], Price::One, libraries::get_host),
    (Member, "getHostname", &["kubernetes.URL -> string"], Price::One, libraries::get_hostname),
    (Member, "getPort", &["kubernetes.URL -> string"], Price::One, libraries::get_port),
    (Member, "getEscapedPath", &["kubernetes.URL -> string"], Price::One, libraries::get_escaped_path),
    (Member, "getQuery", &["kubernetes.URL -> map(string, list(string))"], Price::One, libraries::get_query),
    (Global, "quantity", &["string -> kubernetes.Quantity"], Price::Traversal, libraries::quantity),
    (Global, "isQuantity", &["string -> bool"], Price::Traversal, libraries::is_quantity),
    (Global, "sign", &["kubernetes.Quantity -> int"], Price::One, libraries::sign),
    (Member, "isInteger", &["kubernetes.Quantity -> bool"], Price::One, libraries::is_integer),
    (Member, "asInteger", &["kubernetes.Quantity -> int"], Price::One, libraries::as_integer),
    (Member, "asApproximateFloat", &["kubernetes.Quantity -> double"], Price::One, libraries::as_approximate_float),
    (Member, "add", SUMS, Price::One, libraries::add),
    (Member, "sub", SUMS, Price::One, libraries::sub),
    (Member, "isGreaterThan", &[
        "kubernetes.Quantity, kubernetes.Quantity -> bool", "kubernetes.Semver, kubernetes.Semver -> bool",
    ], Price::One, libraries::is_greater_than),
    (Member, "isLessThan", &[
        "kubernetes.Quantity, kubernetes.Quantity -> bool", "kubernetes.Semver, kubernetes.Semver -> bool",
    ], Price::One, libraries::is_less_than),
    (Member, "compareTo", &[
        "kubernetes.Quantity, kubernetes.Quantity -> int", "kubernetes.Semver, kubernetes.Semver -> int",
    ], Price::One, libraries::compare_to),
    (Global, "semver", &["string -> kubernetes.Semver", "string, bool -> kubernetes.Semver"], Price::Traversal, libraries::semver),
    (Global, "isSemver", &["string -> bool", "string, bool -> bool"], Price::Traversal, libraries::is_semver),
    (Member, "major", &["kubernetes.Semver -> int"], Price::One, libraries::major),
    (Member, "minor", &["kubernetes.Semver -> int"], Price::One, libraries::minor),
    (Member, "patch", &["kubernetes.Semver -> int"], Price::One, libraries::patch),
    (Global, ESCAPE_KEY, &["string -> string"], Price::Traversal, strings::escape_key),
    (Global, "format.named", &["string -> optional(kubernetes.NamedFormat)"], Price::One, libraries::format_named),
    (Member, "validate", &["kubernetes.NamedFormat, string -> optional(list(string))"], Price::Format, libraries::validate),
    (Global, "format.dns1123Label", FORMAT, Price::One, libraries::dns1123_label),
    (Global, "format.dns1123Subdomain", FORMAT, Price::One, libraries::dns1123_subdomain),
    (Global, "format.dns1035Label", FORMAT, Price::One, libraries::dns1035_label),
    (Global, "format.qualifiedName", FORMAT, Price::One, libraries::qualified_name),
    (Global, "format.dns1123LabelPrefix", FORMAT, Price::One, libraries::dns1123_label_prefix),
    (Global, "format.dns1123SubdomainPrefix", FORMAT, Price::One, libraries::dns1123_subdomain_prefix),
    (Global, "format.dns1035LabelPrefix", FORMAT, Price::One, libraries::dns1035_label_prefix),
    (Global, "format.labelValue", FORMAT, Price::One, libraries::label_value),
    (Global, "format.uri", FORMAT, Price::One, libraries::uri),
    (Global, "format.uuid", FORMAT, Price::One, libraries::uuid),
    (Global, "format.byte", FORMAT, Price::One, libraries::byte),
    (Global, "format.date", FORMAT, Price::One, libraries::date),
    (Global, "format.datetime", FORMAT, Price::One, libraries::datetime),
];

const SUMS: &[&str] = &[
    "kubernetes.Quantity, kubernetes.Quantity -> kubernetes.Quantity",
    "kubernetes.Quantity, int -> kubernetes.Quantity",
];

#[cfg(test)]
mod tests {
    use super::DECLARATIONS;
    use crate::types::Type;

    #[test]
    fn all_signatures_are_parsed() {
        for declaration in DECLARATIONS.iter() {
            for overload in &declaration.overloads {
                let types = overload.arguments.iter().chain([&overload.result]);
                let printed = types.map(ToString::to_string).collect::<Vec<String>>().join(" ");
                let name = declaration.name;
                assert!(!printed.contains(&Type::Error.to_string()), "{name}: {printed}");
            }
        }
    }

    #[test]
    fn functions_are_declared_once() {
        let mut names: Vec<_> = DECLARATIONS.iter().map(|it| (it.name, it.is_member)).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
