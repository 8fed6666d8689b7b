// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use proptest::prelude::*;
use rstest::rstest;

use super::Declared;
use crate::api::{Shape, described};
use garden_gate_text::go::{Quantity, parse_duration};
use garden_gate_text::json::Json;

/// Reports whether two specs of Shoots are equal as sent by an API server, and as manifests.
fn same(a: &str, b: &str) -> [bool; 2] {
    [true, false].map(|has_bytes| {
        let typing = Declared::at("Shoot", &["spec"]).with_bytes(has_bytes);
        let [a, b] = [Json::text(a), Json::text(b)];
        let same = a.same_as(&b, typing);
        assert_eq!(b.same_as(&a, typing), same, "symmetric");
        same
    })
}

#[rstest]
#[case::duration(r#"{"kubernetes":{"kubeAPIServer":{"eventTTL":"1h"}}}"#, r#"{"kubernetes":{"kubeAPIServer":{"eventTTL":"1h0m0s"}}}"#, [true; 2])]
#[case::other_duration(r#"{"kubernetes":{"kubeAPIServer":{"eventTTL":"1h"}}}"#, r#"{"kubernetes":{"kubeAPIServer":{"eventTTL":"61m"}}}"#, [false; 2])]
#[case::bad_durations(r#"{"kubernetes":{"kubeAPIServer":{"eventTTL":"x"}}}"#, r#"{"kubernetes":{"kubeAPIServer":{"eventTTL":"y"}}}"#, [false; 2])]
#[case::quantity(r#"{"kubernetes":{"kubelet":{"kubeReserved":{"memory":"1Gi"}}}}"#, r#"{"kubernetes":{"kubelet":{"kubeReserved":{"memory":"1024Mi"}}}}"#, [true; 2])]
#[case::quantity_as_number(r#"{"kubernetes":{"kubelet":{"kubeReserved":{"cpu":1}}}}"#, r#"{"kubernetes":{"kubelet":{"kubeReserved":{"cpu":"1000m"}}}}"#, [true; 2])]
#[case::string_like_a_quantity(r#"{"provider":{"workers":[{"volume":{"size":"1Gi"}}]}}"#, r#"{"provider":{"workers":[{"volume":{"size":"1024Mi"}}]}}"#, [false; 2])]
#[case::int_or_string(r#"{"provider":{"workers":[{"maxSurge":1}]}}"#, r#"{"provider":{"workers":[{"maxSurge":"1"}]}}"#, [false; 2])]
#[case::map(r#"{"provider":{"workers":[{"labels":{},"sysctls":{}}]}}"#, r#"{"provider":{"workers":[{}]}}"#, [true; 2])]
#[case::list(r#"{"tolerations":[]}"#, r#"{"tolerations":null}"#, [true; 2])]
#[case::pointer(r#"{"hibernation":{}}"#, "{}", [false; 2])]
#[case::order(r#"{"region":"a","purpose":"b"}"#, r#"{"purpose":"b","region":"a"}"#, [true; 2])]
#[case::raw_space(r#"{"networking":{"providerConfig":{"a":[1, 2]}}}"#, r#"{"networking":{"providerConfig":{ "a":[1,2]}}}"#, [true; 2])]
#[case::raw_space_in_string(r#"{"networking":{"providerConfig":{"a":"\" b"}}}"#, r#"{"networking":{"providerConfig":{"a":"\"b"}}}"#, [false; 2])]
#[case::raw_order(r#"{"networking":{"providerConfig":{"a":1,"b":2}}}"#, r#"{"networking":{"providerConfig":{"b":2,"a":1}}}"#, [false, true])]
#[case::raw_number(r#"{"networking":{"providerConfig":{"a":1}}}"#, r#"{"networking":{"providerConfig":{"a":1.0}}}"#, [false, true])]
#[case::raw_empty_list(r#"{"networking":{"providerConfig":{"a":[]}}}"#, r#"{"networking":{"providerConfig":{}}}"#, [false; 2])]
#[case::raw_null(r#"{"networking":{"providerConfig":{"a":null}}}"#, r#"{"networking":{"providerConfig":{}}}"#, [false; 2])]
#[case::raw_nested(r#"{"networking":{"providerConfig":{"a":[{"labels":{}}]}}}"#, r#"{"networking":{"providerConfig":{"a":[{}]}}}"#, [false; 2])]
#[case::raw_duration(r#"{"networking":{"providerConfig":{"eventTTL":"1h"}}}"#, r#"{"networking":{"providerConfig":{"eventTTL":"60m"}}}"#, [false; 2])]
#[case::raw_absent(r#"{"networking":{"providerConfig":null}}"#, r#"{"networking":{}}"#, [true; 2])]
#[case::unknown_field(r#"{"new":{"a":[]}}"#, r#"{"new":{}}"#, [true; 2])]
fn values_are_compared_by_their_declared_type(
    #[case] a: &str,
    #[case] b: &str,
    #[case] expected: [bool; 2],
) {
    assert_eq!(same(a, b), expected);
}

#[test]
fn times_are_equal_by_value() {
    let typing = Declared::of(Shape::Time);
    let same = |a: &str, b: &str| Json::text(a).same_as(&Json::text(b), typing);
    assert!(same(r#""2026-01-01T00:00:00Z""#, r#""2026-01-01T01:00:00+01:00""#));
    assert!(!same(r#""2026-01-01T00:00:00Z""#, r#""2026-01-01T00:00:01Z""#));
}

/// A JSON value with ordered fields.
#[derive(Clone, Debug)]
enum OrderedJson {
    Scalar(&'static str),
    List(Vec<OrderedJson>),
    Object(Vec<(&'static str, OrderedJson)>),
}

impl OrderedJson {
    fn json(&self) -> String {
        let join = |parts: Vec<String>| parts.join(",");
        match self {
            Self::Scalar(text) => (*text).to_owned(),
            Self::List(items) => format!("[{}]", join(items.iter().map(Self::json).collect())),
            Self::Object(fields) => {
                let members = fields.iter().map(|(name, it)| format!("\"{name}\":{}", it.json()));
                format!("{{{}}}", join(members.collect()))
            }
        }
    }
}

/// A value as decoded by Go.
#[derive(Debug, PartialEq)]
enum Decoded {
    Text(String),
    Nanoseconds(i128),
    Quantity(Quantity),
    Bytes(String),
    List(Vec<Decoded>),
    /// Without nil fields and without empty lists and maps.
    Fields(BTreeMap<&'static str, Decoded>),
}

/// Decodes a value; `None` for nil and for empty lists and maps.
fn decoded(shape: Shape, value: &OrderedJson) -> Option<Decoded> {
    let text = |value: &OrderedJson| value.json().trim_matches('"').to_owned();
    Some(match (shape, value) {
        (_, OrderedJson::Scalar("null")) => return None,
        (Shape::Any, value) => Decoded::Bytes(value.json()),
        (Shape::Duration, value) => {
            Decoded::Nanoseconds(parse_duration(&text(value)).unwrap().as_nanos())
        }
        (Shape::Quantity, value) => Decoded::Quantity(Quantity::parse(&text(value)).unwrap()),
        (Shape::List(..) | Shape::Map(_), OrderedJson::List(items)) if items.is_empty() => {
            return None;
        }
        (Shape::Map(_), OrderedJson::Object(fields)) if fields.is_empty() => return None,
        (Shape::List(inner, _), OrderedJson::List(items)) => {
            let nothing = || Decoded::List(Vec::new());
            Decoded::List(
                items.iter().map(|it| decoded(*inner, it).unwrap_or_else(nothing)).collect(),
            )
        }
        (Shape::Map(inner), OrderedJson::Object(fields)) => Decoded::Fields(
            fields.iter().filter_map(|(name, it)| Some((*name, decoded(*inner, it)?))).collect(),
        ),
        (Shape::Object(object), OrderedJson::Object(fields)) => Decoded::Fields(
            fields
                .iter()
                .filter_map(|(name, it)| Some((*name, decoded(object.field(name)?.shape, it)?)))
                .collect(),
        ),
        (_, value) => Decoded::Text(value.json()),
    })
}

/// Picks by digits of a number.
struct Picker(u64);

impl Picker {
    fn pick(&mut self, count: usize) -> usize {
        // A linear congruential generator; its high bits are random enough.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % count
    }

    fn of(&mut self, choices: &[&'static str]) -> OrderedJson {
        OrderedJson::Scalar(choices[self.pick(choices.len())])
    }
}

/// Generates a value of a shape: `layout` determines its fields, `leaves` the scalar values.
fn written(shape: Shape, depth: usize, layout: &mut Picker, leaves: &mut Picker) -> OrderedJson {
    match shape {
        Shape::Boolean => leaves.of(&["true", "true", "true", "false"]),
        Shape::Integer32 | Shape::Integer64 | Shape::Number => leaves.of(&["1", "1", "1", "2"]),
        Shape::IntOrString => leaves.of(&["1", "1", "1", "\"1\""]),
        Shape::Duration => {
            leaves.of(&["\"1h\"", "\"60m\"", "\"1h0m0s\"", "\"3600.0s\"", "\"61m\""])
        }
        Shape::Quantity => {
            leaves.of(&["\"1Gi\"", "\"1024Mi\"", "1073741824", "\"1.0Gi\"", "\"1G\""])
        }
        Shape::Any => leaves.of(&[
            "{\"a\":1,\"b\":[]}",
            "{\"a\":1,\"b\":[]}",
            "{\"a\":1,\"b\":[]}",
            "{\"a\":1}",
            "{\"b\":[],\"a\":1}",
            "{\"a\":1.0,\"b\":[]}",
            "null",
        ]),
        Shape::String | Shape::Time => leaves.of(&["\"1h\"", "\"1h\"", "\"1h\"", "\"60m\""]),
        Shape::List(inner, _) => match layout.pick(3) {
            0 => {
                [OrderedJson::List(Vec::new()), OrderedJson::Scalar("null")][leaves.pick(2)].clone()
            }
            count => OrderedJson::List(
                (0..count).map(|_| written(*inner, depth, layout, leaves)).collect(),
            ),
        },
        Shape::Map(inner) => match layout.pick(3) {
            0 => [OrderedJson::Object(Vec::new()), OrderedJson::Scalar("null")][leaves.pick(2)]
                .clone(),
            _ => OrderedJson::Object(vec![("x", written(*inner, depth, layout, leaves))]),
        },
        Shape::Object(_) if depth == 0 => OrderedJson::Object(Vec::new()),
        Shape::Object(object) => {
            let count = object.fields.len();
            let picked = (0..count.min(3)).map(|_| layout.pick(count));
            let mut names: Vec<usize> = picked.collect();
            names.sort_unstable();
            names.dedup();
            let mut fields: Vec<_> = names
                .into_iter()
                .map(|index| {
                    let field = &object.fields[index];
                    (field.name, written(field.shape, depth - 1, layout, leaves))
                })
                .collect();
            if leaves.pick(2) == 0 {
                fields.reverse();
            }
            // A nil field may also be absent.
            fields.retain(|(_, it)| it.json() != "null" || leaves.pick(2) == 0);
            OrderedJson::Object(fields)
        }
    }
}

#[test]
fn empty_map_in_a_list_equals_null() {
    let spec = |flavor: &str| {
        let version = format!(r#"{{"version":"1.0.0","capabilityFlavors":[{flavor}]}}"#);
        format!(r#"{{"machineImages":[{{"name":"i","versions":[{version}]}}]}}"#)
    };
    let typing = Declared::at("CloudProfile", &["spec"]).with_bytes(true);
    let [empty, null, full] = ["{ }", "null", r#"{"x":["a"]}"#].map(spec);
    for (a, b, is_equal) in [(&empty, &null, true), (&null, &empty, true), (&full, &null, false)] {
        let [a, b] = [Json::text(a), Json::text(b)];
        assert_eq!(a.same_as(&b, typing), is_equal);
        assert_eq!(a.clone().opened().same_as(&b, typing), is_equal);
        assert_eq!(a.opened().same_as(&b.opened(), typing), is_equal);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn objects_are_equal_if_their_decoded_values_are(kind in 0..5_usize, layout: u64, leaves: [u64; 2]) {
        let kind = ["Shoot", "Project", "CloudProfile", "NamespacedCloudProfile", "Seed"][kind];
        let object = described(kind).unwrap().object.field("spec").unwrap().shape;
        let [a, b] = leaves.map(|leaves| written(object, 6, &mut Picker(layout), &mut Picker(leaves)));
        let is_equal = decoded(object, &a) == decoded(object, &b);
        let [a, b] = [a, b].map(|it| it.json());
        let typing = Declared::at(kind, &["spec"]).with_bytes(true);
        prop_assert_eq!(Json::text(&a).same_as(&Json::text(&b), typing), is_equal, "{} and {}", a, b);
    }
}
