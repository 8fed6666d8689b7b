use std::borrow::Cow;

use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

use super::Json;

fn same(a: &str, b: &str) -> bool {
    let same = Json::text(a).same(&Json::text(b));
    assert_eq!(Json::text(b).same(&Json::text(a)), same, "{b} and {a}");
    same
}

/// Looked into as far as it goes, as what is filled in is.
fn looked_into(text: &str) -> Json<'_> {
    let mut value = Json::text(text);
    let names: Vec<String> = value
        .fields()
        .into_iter()
        .flat_map(|fields| fields.iter())
        .map(|(name, _)| String::from_utf8_lossy(name).into_owned())
        .collect();
    for name in names {
        if let Some(field) = value.at(&[&name]) {
            field.fields();
            field.elements();
        }
    }
    value
}

#[rstest]
#[case::absent_and_null(r#"{"a": null}"#, "{}", true)]
#[case::absent_and_empty_list("{}", r#"{"a": [ ]}"#, true)]
#[case::null_and_empty_list(r#"{"a": null}"#, r#"{"a": []}"#, true)]
#[case::absent_and_empty_labels(r#"{"labels": {}}"#, "{}", true)]
#[case::absent_and_empty_struct(r#"{"a": {}}"#, "{}", false)]
#[case::numbers_by_value(r#"{"a": 1}"#, r#"{"a": 1.0}"#, true)]
#[case::exponent(r#"{"a": 100}"#, r#"{"a": 1e2}"#, true)]
#[case::zeros(r#"{"a": -0.00}"#, r#"{"a": 0e7}"#, true)]
#[case::signs(r#"{"a": -1}"#, r#"{"a": 1}"#, false)]
#[case::large_numbers(r#"{"a": 9007199254740993}"#, r#"{"a": 9007199254740992}"#, false)]
#[case::beyond_any_type(r#"{"a": 1e999}"#, r#"{"a": 10e998}"#, true)]
#[case::beyond_any_type_and_different(r#"{"a": 1e999}"#, r#"{"a": 1e998}"#, false)]
#[case::beyond_any_exponent(
    r#"{"a": 1e99999999999999999999}"#,
    r#"{"a": 1e99999999999999999998}"#,
    false
)]
#[case::order_of_fields(r#"{"a": 1, "b": 2}"#, r#"{"b":2,"a":1}"#, true)]
#[case::number_and_string(r#"{"a": 1}"#, r#"{"a": "1"}"#, false)]
#[case::order_of_a_list(r#"{"a": [1, 2]}"#, r#"{"a": [2, 1]}"#, false)]
#[case::longer_list(r#"{"a": [1, 2]}"#, r#"{"a": [1]}"#, false)]
#[case::nested(r#"{"a": {"b": {"c": []}}}"#, r#"{"a": {"b": {}}}"#, true)]
#[case::list_of_nothing(r#"{"a": [[]]}"#, r#"{"a": [null]}"#, false)]
#[case::escapes(r#"{"\u0061\/": "\ud83d\ude00\n"}"#, "{\"a/\": \"😀\\u000a\"}", true)]
#[case::half_of_a_pair(r#"{"a": "\ud800"}"#, r#"{"a": "\uD800"}"#, true)]
#[case::halves_of_pairs(r#"{"a": "\ud800"}"#, r#"{"a": "\ud801"}"#, false)]
#[case::half_and_its_replacement(r#"{"a": "\ud800"}"#, r#"{"a": "\ufffd"}"#, false)]
#[case::halves_as_names(r#"{"\ud800": 1}"#, r#"{"\ud801": 1}"#, false)]
#[case::two_halves_that_are_no_pair(r#"{"a": "\ude00\ud83d"}"#, r#"{"a": "\ud83d\ude00"}"#, false)]
#[case::twice(r#"{"a": {"x": 1, "x": 2}}"#, r#"{"a": {"x": 2}}"#, false)]
#[case::twice_with_null(r#"{"a": {"x": 1, "x": null}}"#, r#"{"a": {"x": 1}}"#, false)]
#[case::twice_on_both_sides(
    r#"{"a": {"x": 1, "x": 2, "y": 3}}"#,
    r#"{"a": {"y": 3, "x": 1, "x": 2}}"#,
    true
)]
fn sameness(#[case] a: &str, #[case] b: &str, #[case] expected: bool) {
    assert_eq!(same(a, b), expected);
    assert_eq!(looked_into(a).same(&Json::text(b)), expected);
    assert_eq!(Json::text(a).same(&looked_into(b)), expected);
    assert_eq!(looked_into(a).same(&looked_into(b)), expected);
}

#[test]
fn depth_is_no_limit() {
    let nested = |inner: &str| {
        let depth = 300_000;
        format!("{}{inner}{}", r#"{"a":["#.repeat(depth), "]}".repeat(depth))
    };
    assert!(same(&nested("1"), &nested("1.0")));
    assert!(!same(&nested("1"), &nested("2")));
}

#[test]
fn what_is_inside_is_taken_apart_once_and_by_name() {
    let mut object =
        Json::text(r#" {"spec" : {"a\u0062": [1, {"c": "}]"}], "ab": [2]}, "x": -1e5 } "#);
    let list = object.at(&["spec", "ab"]).unwrap();
    assert_eq!(list.elements().unwrap().len(), 1);
    assert_eq!(object.at(&["x"]).unwrap().read::<f64>().unwrap(), -1e5);
    assert!(object.at(&["spec", "none"]).is_none());
    assert!(object.at(&["x", "none"]).is_none());
    assert!(object.take(&["x"]).read::<f64>().is_ok());
    assert!(object.take(&["x"]).is_null());
}

#[test]
fn what_is_absent_is_completed() {
    let mut object = Json::text(r#"{"a": {"b": 1, "c": null}, "d": 2}"#);
    object.complete(&json!({"a": {"b": 7, "c": 8, "e": {"f": 9}}, "d": {"g": 10}}));
    let expected = r#"{"a": {"b": 1, "c": 8, "e": {"f": 9}}, "d": 2}"#;
    assert!(object.same(&Json::text(expected)));
}

/// As a tree, for what a tree can hold.
fn trees_same(a: &Value, b: &Value) -> bool {
    let absent = |name: &String, value: &Value| {
        value.is_null()
            || value.as_array().is_some_and(Vec::is_empty)
            || (["labels", "annotations"].contains(&name.as_str())
                && value.as_object().is_some_and(serde_json::Map::is_empty))
    };
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let present = |(name, value): &(&String, &Value)| !absent(name, value);
            let (a, b): (Vec<_>, Vec<_>) = (
                a.iter().filter(present).collect(),
                b.iter().filter(present).collect(),
            );
            let mut pairs = a.iter().zip(&b);
            a.len() == b.len() && pairs.all(|(a, b)| a.0 == b.0 && trees_same(a.1, b.1))
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| trees_same(a, b))
        }
        _ => a == b,
    }
}

fn tree() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0..3).prop_map(Value::from),
        "[a\"\\\\\n😀]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::btree_map("[ab\\\\é]|labels", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn texts_and_trees_agree(a in tree(), b in tree()) {
        let texts = [a.to_string(), serde_json::to_string_pretty(&b).unwrap()];
        prop_assert_eq!(same(&texts[0], &texts[1]), trees_same(&a, &b));
        prop_assert!(same(&texts[0], &serde_json::to_string_pretty(&a).unwrap()));
    }

    /// What is not borrowed is looked into one level after the other.
    #[test]
    fn at_once_or_bit_by_bit_the_same_is_seen(tree in tree()) {
        let text = format!("{{\"c\": {tree}, \"a\": {tree:#}, \"\\u0062\": [{tree}]}}");
        let at_once = format!("{:?}", Json::text(&text).opened());
        let bit_by_bit = Json::Text(Cow::Owned(text)).opened();
        prop_assert_eq!(at_once, format!("{bit_by_bit:?}"));
    }

    #[test]
    fn no_text_is_too_strange(a in r#"([\[\]{}:,"\\ue0-9é]|ud8){0,40}"#, b in ".{0,20}") {
        let _ = same(&a, &b);
        let _ = looked_into(&a).same(&looked_into(&b));
    }
}
