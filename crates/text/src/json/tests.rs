// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;
use std::collections::BTreeMap;

use proptest::prelude::*;
use rstest::rstest;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::syntax::SKIPPED;
use super::{Json, JsonPath, Nested, Placeholders, Scanned, decode, scan, without_position};

fn same(a: &str, b: &str) -> bool {
    let same = Json::text(a).same(&Json::text(b));
    assert_eq!(Json::text(b).same(&Json::text(a)), same, "{b} and {a}");
    same
}

/// Parses a value as deeply as defaulting does.
fn parsed(text: &str) -> Json<'_> {
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
    assert_eq!(parsed(a).same(&Json::text(b)), expected);
    assert_eq!(Json::text(a).same(&parsed(b)), expected);
    assert_eq!(parsed(a).same(&parsed(b)), expected);
}

#[test]
fn depth_is_no_limit() {
    let nested = |inner: &str| {
        let depth = 300_000;
        format!("{}{inner}{}", r#"{"a":["#.repeat(depth), "]}".repeat(depth))
    };
    assert!(same(&nested("1"), &nested(" 1")));
    assert!(!same(&nested("1"), &nested("2")));
}

#[test]
fn nested_values_are_parsed_once_by_name() {
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
    let text = r#"{"a": {"b": 1, "c": null}, "d": 2}"#;
    let expected = json!({"a": {"b": 1, "c": 8, "e": {"f": 9}}, "d": 2});
    let default = json!({"a": {"b": 7, "c": 8, "e": {"f": 9}}, "d": {"g": 10}});
    let mut object = Json::text(text);
    object.complete(&default);
    assert!(object.same(&Json::of(&expected)));
}

/// Compares trees, for values that a tree can represent.
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
            let (a, b): (Vec<_>, Vec<_>) =
                (a.iter().filter(present).collect(), b.iter().filter(present).collect());
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

#[rstest]
#[case::elements("[{},{},[]]", [2, 3, 0, 0])]
#[case::white_space("[ {} ,\r\n\t{} ]", [1, 2, 0, 0])]
#[case::fields(r#"{"a":{"b":1},"c":{},"d":{ }}"#, [2, 0, 0, 2])]
#[case::managed_fields(r#"{"f:a":{".":{},"f:b":{}}}"#, [1, 0, 0, 2])]
#[case::elements_with_fields(r#"[{"a":{"b":[1,2]}}]"#, [1, 1, 2, 1])]
#[case::inside_of_a_text(r#"["[{}, \", {"]"#, [0, 0, 1, 0])]
fn what_can_become_much_is_counted(#[case] text: &str, #[case] want: [u64; 4]) {
    let text = format!(r#"{{"object": {text}, "oldObject": null}}"#);
    let scanned = scan::<RawReview<'_>>(&text).unwrap();
    let Nested { commas, elements, scalars, maps } = scanned.nested;
    assert_eq!([commas, elements, scalars, maps], want);
}

#[rstest]
#[case::empty(r#"{"": {}, "": []}"#, "[{}, []]", [2, 2, 0, 1])]
#[case::scalars(r#"{"": 1, "": "a"}"#, r#"[1, "a"]"#, [2, 0, 2, 1])]
#[case::with_fields(r#"{"": {"b": 1}}"#, r#"[{"b": 1}]"#, [0, 1, 0, 2])]
fn fields_without_a_name_are_not_counted_as_elements(
    #[case] fields: &str,
    #[case] elements: &str,
    #[case] want: [u64; 4],
) {
    for [object, old] in [[fields, elements], [elements, fields]] {
        let text = format!(r#"{{"object": {{"a": {object}}}, "oldObject": {{"a": {old}}}}}"#);
        let Nested { commas, elements, scalars, maps } =
            scan::<RawReview<'_>>(&text).unwrap().nested;
        // Both outer objects have a field.
        assert_eq!([commas, elements, scalars, maps - 2], want, "{text}");
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawReview<'a> {
    #[serde(borrow)]
    object: &'a RawValue,
    #[serde(borrow)]
    old_object: Option<&'a RawValue>,
}

#[rstest]
#[case::some(r#"{"a": {"b": 1}, "c": 2, "d": [3]}"#, r#"{"a": {"b": 1}, "c": 1, "d": [3]}"#, &["a", "d"])]
#[case::longer_number(r#"{"a": 1}"#, r#"{"a": 12}"#, &[])]
#[case::added(r#"{"a": 1, "c": 3}"#, r#"{"a": 1, "b": 2, "c": 3}"#, &["a", "c"])]
#[case::removed(r#"{"a": 1, "b": 2, "c": 3}"#, r#"{"a": 1, "c": 3}"#, &["a", "c"])]
#[case::repeated_name(r#"{"a": 1}"#, r#"{"a": 1, "a": 2}"#, &[])]
#[case::repeated_name_with_an_escape(r#"{"a": 1}"#, r#"{"a": 1, "\u0061": 2}"#, &[])]
#[case::no_objects("[1]", "[1]", &[])]
fn equal_fields_are_named(#[case] object: &str, #[case] old: &str, #[case] want: &[&str]) {
    let text = format!(r#"{{"object": {object}, "oldObject": {old}}}"#);
    let Scanned { value, mut objects, .. } = scan::<RawReview<'_>>(&text).unwrap();
    assert_eq!(value.object.get(), object);
    assert_eq!(value.old_object.map(RawValue::get), Some(old));
    let fields = [Some(value.object), value.old_object].map(|it| objects.take(it));
    let same = |name: &&str| match &fields {
        [Some(new), Some(old)] => new.get(name).is_some() && new.get(name) == old.get(name),
        _ => false,
    };
    assert_eq!(["a", "b", "c", "d"].into_iter().filter(same).collect::<Vec<_>>(), want);
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shape {
    #[serde(default, rename = "list")]
    _list: Vec<Item>,
    #[serde(default, rename = "by~name")]
    _by_name: BTreeMap<String, Item>,
    #[serde(default, rename = "share")]
    _share: Option<Share>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Share {
    Number(#[expect(dead_code, reason = "only read")] i32),
    Text(#[expect(dead_code, reason = "only read")] String),
}

#[derive(Debug, Deserialize)]
struct Item {
    #[serde(rename = "version")]
    _version: String,
}

#[rstest]
#[case::number_for_text(r#"{"list": [{"version": "1"}, {"version": 1.35}]}"#, "/list/1/version")]
#[case::text_for_list(r#"{"list": "a"}"#, "/list")]
#[case::list_for_text(r#"{"list": [{"version": [1]}]}"#, "/list/0/version")]
#[case::object_for_text(r#"{"list":[{"version":{}}]}"#, "/list/0/version")]
#[case::null_for_text(
    "{\"list\": [\n  {\"version\": \"1\"},\n  {\"version\": null}\n]}",
    "/list/1/version"
)]
#[case::missing_field(r#"{"list": [{"version": "1"}, {"a": [1, {}], "b": {}}]}"#, "/list/1")]
#[case::in_a_map(r#"{"by~name": {"\u0061/b": {"version": true}}}"#, "/by~0name/a~1b/version")]
#[case::unknown_field("{\n\"list\": [],\n \"lits\": 1}", "/lits")]
#[case::what_is_looked_at_later(r#"{"share": [1], "list": []}"#, "/share")]
#[case::what_is_looked_at_last(r#"{"list": [], "share": [1]}"#, "/share")]
#[case::not_an_object("[[], 1]", "/1")]
#[case::a_scalar("7", "")]
#[case::no_json(r#"{"list": [{"version": "1"} {}]}"#, "/list/1")]
#[case::cut_off(r#"{"list": [{"version": "1""#, "/list/0/version")]
fn errors_are_found_where_they_are(#[case] text: &str, #[case] expected: &str) {
    let error = serde_json::from_str::<Shape>(text).unwrap_err();
    assert_eq!(JsonPath::of_error(text, &error).pointer(), expected, "{error}");
}

proptest! {
    #[test]
    fn texts_and_trees_agree(a in tree(), b in tree()) {
        let texts = [a.to_string(), serde_json::to_string_pretty(&b).unwrap()];
        prop_assert_eq!(same(&texts[0], &texts[1]), trees_same(&a, &b));
        prop_assert!(same(&texts[0], &serde_json::to_string_pretty(&a).unwrap()));
    }

    /// Owned text is parsed level by level.
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
        let _ = parsed(&a).same(&parsed(&b));
    }
}

#[test]
fn tree_of_a_deep_value_is_the_same_once_it_is_parsed() {
    for depth in [99, 100, 101, 126, 127] {
        let [list, object] = [("[", "]"), ("{\"a\":", "}")]
            .map(|(open, close)| format!("{}1{}", open.repeat(depth), close.repeat(depth)));
        for text in [list, object] {
            let tree: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(Json::text(&text).to_value(), tree);
            assert_eq!(Json::text(&text).opened().to_value(), tree);
        }
    }
    for depth in [128, 129, 5_000] {
        let text = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        let value = Json::text(&text);
        assert_eq!(value.to_value(), value.clone().opened().to_value());
    }
}

#[test]
fn a_tree_has_text_where_it_cannot_hold_a_value() {
    let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
    let text =
        format!(r#"{{"half":"a\ud800","huge":1e999,"plain":[1,{{"b":null}}],"deep":{deep}}}"#);
    let tree = Json::text(&text).to_value();
    assert_eq!(tree["half"], "a\u{fffd}");
    assert_eq!(tree["huge"], "1e999");
    assert_eq!(tree["plain"], serde_json::json!([1, {"b": null}]));
    let mut inner = &tree["deep"];
    let mut levels = 0;
    while let Some(next) = inner.get(0) {
        (inner, levels) = (next, levels + 1);
    }
    assert!(levels < 128, "{levels}");
    assert!(inner.as_str().is_some_and(|text| text.starts_with("[[")));
}

#[rstest]
#[case::half(r#""\ud800""#, Some("\u{fffd}"))]
#[case::other_half(r#""x\udc00\ud83d\ude00""#, Some("x\u{fffd}\u{1f600}"))]
#[case::plain(r#""\u0041""#, Some("A"))]
#[case::no_string("7", None)]
fn halves_of_surrogate_pairs_are_read_as_in_go(#[case] text: &str, #[case] expected: Option<&str>) {
    let read = Json::text(text).read::<String>();
    assert_eq!(read.ok().as_deref(), expected);
}

#[test]
fn placeholders_stand_for_what_a_tree_cannot_hold() {
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    let text = format!(r#"{{"a":[1e999,1e999],"b":{deep},"c":"\u00000","d":"\ud800","e":-0.5}}"#);
    let mut placeholders = Placeholders::default();
    let tree = placeholders.tree(&text);
    let text_at = |pointer: &str| {
        let value = tree.pointer(pointer).and_then(Value::as_str);
        value.and_then(|it| placeholders.text(it)).map(str::to_owned)
    };
    assert_eq!(text_at("/a/0").as_deref(), Some("1e999"));
    assert_eq!(tree["a"][0], tree["a"][1]);
    assert_eq!(text_at("/c").as_deref(), Some(r#""\u00000""#));
    assert_eq!(tree["d"], "\u{fffd}");
    assert_eq!(tree["e"], -0.5);
    let mut inner = &tree["b"];
    while let Some(next) = inner.get(0) {
        inner = next;
    }
    let rest = inner.as_str().and_then(|it| placeholders.text(it));
    assert!(rest.is_some_and(|it| it.starts_with("[[") && it.len() > 150));
    assert_eq!(placeholders.text("\u{0}99"), None);
    assert_eq!(placeholders.text("0"), None);
}

#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
struct Nulls {
    text: String,
    number: i32,
    flag: bool,
    list: Vec<Nulls>,
    texts: Vec<String>,
    map: BTreeMap<String, String>,
    object: Option<Box<Nulls>>,
}

#[rstest]
#[case::fields(
    r#"{"text": null, "number": null, "flag": null, "list": null, "map": null, "object": null}"#,
    "{}"
)]
#[case::field_that_is_set("{\"text\": \"a\", \"number\": null}", "{\"text\": \"a\"}")]
#[case::space_before("{\n \"text\": null, \"number\": 1}", "{\"number\": 1}")]
#[case::elements("{\"list\": [null], \"texts\": [null]}", "{\"list\": [{}], \"texts\": [\"\"]}")]
#[case::entries("{\"map\": {\"a\": null}}", "{\"map\": {\"a\": \"\"}}")]
#[case::inside("{\"object\": {\"list\": [{\"text\": null}]}}", "{\"object\": {\"list\": [{}]}}")]
fn null_is_the_zero_value(#[case] text: &str, #[case] same: &str) {
    let [decoded, same] = [text, same].map(|it| decode::<Nulls>(it).unwrap());
    assert_eq!(decoded, same);
}

#[rstest]
#[case::scalar("{\"number\": \"x\"}", "/number")]
#[case::object("{\"text\": {\"a\": 1}}", "/text")]
#[case::element("{\"list\": [{}, {\"flag\": 1}]}", "/list/1/flag")]
#[case::too_large("{\"list\": [{\"number\": 3000000000}]}", "/list/0/number")]
#[case::repeated("{\"number\": 1, \"text\": \"\", \"number\": 2}", "/number")]
#[case::list("{\"text\": [1]}", "/text")]
fn error_is_that_of_serde_json_and_at_the_value(#[case] text: &str, #[case] pointer: &str) {
    let error = decode::<Nulls>(text).unwrap_err();
    let expected = serde_json::from_str::<Nulls>(text).unwrap_err();
    assert_eq!(without_position(&error), without_position(&expected));
    assert_eq!(JsonPath::of_error(text, &error).pointer(), pointer);
}

#[rstest]
#[case::before("{\"list\": [], \"text\": null, \"text\": \"a\"}")]
#[case::after("{\"text\": \"a\", \"list\": [{}], \"text\": null}")]
#[case::twice("{\"text\": null, \"flag\": null, \"text\": null}")]
#[case::escaped("{\"te\\u0078t\": null, \"text\": \"a\"}")]
fn repeated_field_is_refused_if_it_is_null(#[case] text: &str) {
    let error = decode::<Nulls>(text).unwrap_err();
    assert_eq!(without_position(&error), "duplicate field `text`");
    assert_eq!(JsonPath::of_error(text, &error).pointer(), "/text");
    let inside = format!("{{\"object\": {text}}}");
    let error = decode::<Nulls>(&inside).unwrap_err();
    assert_eq!(JsonPath::of_error(&inside, &error).pointer(), "/object/text");
}

/// Returns the number of bytes that are read again in objects in objects, each of which ends with a `null` field.
fn read_again(levels: usize) -> usize {
    let innermost = format!(r#"{{"z": "{}", "text": null}}"#, r"\n".repeat(1_000));
    let text = (1..levels)
        .fold(innermost, |inner, _| format!(r#"{{"object": {inner}, "list": [], "text": null}}"#));
    let before = SKIPPED.get();
    decode::<Nulls>(&text).unwrap();
    SKIPPED.get() - before
}

#[test]
fn nulls_at_each_level_do_not_read_inner_objects_again() {
    // The empty list of each outer object.
    assert_eq!(read_again(100) - read_again(2), 98 * 2);
}

/// Returns texts that are JSON, or nearly so.
fn json_like() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "\"text\"",
        "\"number\"",
        "\"list\"",
        "\"map\"",
        "\"object\"",
        "\"a\\nb\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud800\"",
        "1",
        "-0",
        "01",
        "1.5e3",
        "1e999",
        "99999999999",
        "true",
        "nul",
        "\"",
        "\u{1}",
        " ",
        ",",
        ":",
        "{",
        "}",
        "[",
        "]",
    ]);
    let words = prop::collection::vec(word, 0..12).prop_map(|it| it.concat());
    let value = any::<i32>().prop_map(|it| it.to_string()).prop_recursive(4, 24, 4, |inner| {
        let name = prop::sample::select(vec![
            "text", "number", "flag", "list", "texts", "map", "object", "z",
        ]);
        let field = (name, inner.clone()).prop_map(|(name, value)| format!("\"{name}\":{value}"));
        let fields =
            prop::collection::vec(field, 0..4).prop_map(|it| format!("{{{}}}", it.join(", ")));
        let elements =
            prop::collection::vec(inner, 0..4).prop_map(|it| format!("[{}]", it.join(" ,")));
        prop_oneof![fields, elements, Just("\"x\"".to_owned()), Just("false".to_owned())]
    });
    prop_oneof![words, value]
}

/// Returns the text of an object with fields that are `null`, and the text without them.
fn with_and_without_null() -> impl Strategy<Value = [String; 2]> {
    const NAMES: [&str; 6] = ["text", "number", "flag", "list", "object", "z"];
    let leaf = Just(["{}", "{ }"].map(str::to_owned));
    leaf.prop_recursive(4, 32, 4, |inner| {
        let names = prop::sample::subsequence(NAMES.to_vec(), 0..=NAMES.len()).prop_shuffle();
        let nulls = prop::collection::vec(any::<bool>(), NAMES.len());
        let list = prop::collection::vec(inner.clone(), 0..3);
        let space = prop::sample::select(vec!["", " ", "\n\t", "\r\n"]);
        (names, nulls, inner, list, space).prop_map(|(names, nulls, object, list, space)| {
            [0, 1].map(|side| {
                let value = |name: &str| match name {
                    "text" => "\"a\"".to_owned(),
                    "number" => "1".to_owned(),
                    "flag" => "true".to_owned(),
                    "object" => object[side].clone(),
                    "list" => {
                        let list: Vec<&str> = list.iter().map(|it| it[side].as_str()).collect();
                        format!("[{space}{}]", list.join(","))
                    }
                    _ => "[null]".to_owned(),
                };
                let field = |(name, is_null): (&&str, &bool)| {
                    let value = match is_null {
                        true if side == 0 => "null".to_owned(),
                        true => return None,
                        false => value(name),
                    };
                    Some(format!("{space}\"{name}\"{space}:{space}{value}{space}"))
                };
                let fields: Vec<String> = names.iter().zip(&nulls).filter_map(field).collect();
                format!("{{{}{space}}}", fields.join(","))
            })
        })
    })
}

proptest! {
    #[test]
    fn null_fields_are_absent_fields([with, without] in with_and_without_null()) {
        let expected = serde_json::from_str::<Nulls>(&without).unwrap();
        prop_assert_eq!(decode::<Nulls>(&with).unwrap(), expected);
    }

    #[test]
    fn decoder_and_serde_json_agree(text in json_like()) {
        let expected = serde_json::from_str::<Nulls>(&text);
        let decoded = decode::<Nulls>(&text);
        prop_assert_eq!(decoded.as_ref().ok(), expected.as_ref().ok());
        let is_valid = serde_json::from_str::<&RawValue>(&text).is_ok();
        prop_assert_eq!(decode::<&RawValue>(&text).is_ok(), is_valid);
        if let (Err(error), Err(expected), true) = (decoded, expected, is_valid) {
            prop_assert_eq!(without_position(&error), without_position(&expected));
        }
    }
}
