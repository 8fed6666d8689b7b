// SPDX-License-Identifier: Apache-2.0
use proptest::prelude::{any, proptest};
use rstest::rstest;
use serde_json::{Value, json};

use super::{Document, Position, parse, parse_keeping_repeated};

fn one(text: &str) -> Document {
    let mut documents = parse(text).unwrap();
    assert_eq!(documents.len(), 1, "{text}");
    documents.remove(0)
}

fn value(text: &str) -> Value {
    one(text).to_value()
}

/// Returns the error as `line:column: message`.
fn error(text: &str) -> String {
    match parse(text) {
        Err(error) => error.to_string(),
        Ok(documents) => unreachable!("{text} was read as {documents:?}"),
    }
}

fn at(line: usize, column: usize) -> Position {
    Position { line, column }
}

#[test]
fn plain_scalars_mean_what_they_mean_to_kubectl() {
    let cases = [
        ("true", json!(true)),
        ("YES", json!(true)),
        ("on", json!(true)),
        ("y", json!(true)),
        ("No", json!(false)),
        ("off", json!(false)),
        ("n", json!(false)),
        ("tRue", json!("tRue")),
        ("~", json!(null)),
        ("", json!(null)),
        ("NULL", json!(null)),
        ("12", json!(12)),
        ("-12", json!(-12)),
        ("+12", json!(12)),
        ("1_000", json!(1000)),
        ("0x1F", json!(31)),
        ("-0x1f", json!(-31)),
        ("0o17", json!(15)),
        ("0777", json!(511)),
        ("0b101", json!(5)),
        ("08", json!(8)),
        ("0x", json!("0x")),
        ("0x-1", json!("0x-1")),
        ("-", json!(["-"])),
        ("18446744073709551615", json!(18_446_744_073_709_551_615_u64)),
        ("-9223372036854775808", json!(i64::MIN)),
        ("18446744073709551616", json!(18_446_744_073_709_551_616.0)),
        ("1.35", json!(1.35)),
        ("1.0", json!(1)),
        ("1e3", json!(1000)),
        (".5", json!(0.5)),
        ("5.", json!(5)),
        ("1e999", json!("1e999")),
        ("1.35.4", json!("1.35.4")),
        ("220000+0100", json!("220000+0100")),
        ("12:30", json!("12:30")),
        ("2026-01-01T00:00:00Z", json!("2026-01-01T00:00:00Z")),
        ("2026-01-01", json!("2026-01-01")),
        ("infinity", json!("infinity")),
        ("<<", json!("<<")),
        ("'12'", json!("12")),
        ("\"true\"", json!("true")),
        ("!!str 12", json!("12")),
        ("!!int \"12\"", json!(12)),
        ("!!float 1", json!(1)),
        ("!!bool \"yes\"", json!(true)),
        ("!!null \"\"", json!(null)),
        ("!!binary \"aGVs\\nbG8=\"", json!("hello")),
        ("!mine 12", json!("12")),
        ("! 12", json!("12")),
    ];
    for (text, expected) in cases {
        let expected = if text == "-" { json!([null]) } else { expected };
        let found = value(&format!("- {text}\n"))[0].take();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn what_json_cannot_express_is_an_error_with_its_place() {
    let cases = [
        ("a: .inf", "1:4: `.inf` has no form in JSON; put it in quotes if it is meant as text"),
        ("a:\n- .NaN", "2:3: `.NaN` has no form in JSON; put it in quotes if it is meant as text"),
        ("a: !!int b", "1:4: a value is tagged `!!int`, but is none"),
        ("a: !!binary '*'", "1:4: a value is tagged `!!binary`, but is none"),
        ("a: !!binary /w==", "1:4: a value is tagged `!!binary`, but is none"),
        ("~: a", "1:1: a key is empty; write a name, or `\"\"` in quotes"),
        ("a: {{ b }}", "1:5: a key is a list or a mapping; if this is a template, render it first"),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn keys_become_text() {
    let found = value("1: a\ntrue: b\n1.5: c\n0x10: d\n'on': e\n");
    assert_eq!(found, json!({"1": "a", "true": "b", "1.5": "c", "16": "d", "on": "e"}));
}

#[test]
fn duplicate_keys_and_numbers_are_kept_verbatim_in_json() {
    let cases = [
        ("a: 1\nb: 2\na: [x]", r#"{"a":1,"b":2,"a":["x"]}"#),
        (r#"{"a": {"b": 1, "b": 1.0}}"#, r#"{"a":{"b":1,"b":1.0}}"#),
        ("version: 1.30", r#"{"version":1.30}"#),
        ("version: 1.0", r#"{"version":1}"#),
        ("a: .5\nb: 1e3\nc: 1.5e-7", r#"{"a":0.5,"b":1000,"c":1.5e-7}"#),
        ("<<: {a: 1, b: 2}\na: 3\na: 4", r#"{"a":3,"a":4,"b":2}"#),
    ];
    for (text, json) in cases {
        let documents = super::parse_keeping_repeated(text).unwrap();
        assert_eq!(serde_json::to_string(&documents[0]).unwrap(), json, "{text}");
    }
}

#[test]
fn of_keys_that_repeat_the_last_one_counts() {
    let document = &super::parse_keeping_repeated("a: 1\nb: 2\na: 3").unwrap()[0];
    assert_eq!(document.to_value(), json!({"a": 3, "b": 2}));
    assert_eq!(document.position("/a"), at(3, 4));
}

#[test]
fn a_key_set_twice_is_an_error_with_both_places() {
    let expected = "3:1: key `a` is set twice, first at 1:1; keep one";
    assert_eq!(error("a: 1\nb: 2\na: 3\nb: 4\n"), expected);
    assert_eq!(
        error("{\"b\": 0,\n \"a\": {\"c\": 1, \"c\": 2}}"),
        "2:16: key `c` is set twice, first at 2:8; keep one"
    );
    assert_eq!(error("1: a\n'1': b\n"), "2:1: key `1` is set twice, first at 1:1; keep one");
}

#[test]
fn every_document_is_read_and_empty_ones_are_left_out() {
    let text = "# nothing\n---\na: 1\n---\n---\n# still nothing\n---\nb: 2\n...\n";
    let documents: Vec<Value> = parse(text).unwrap().iter().map(Document::to_value).collect();
    assert_eq!(documents, [json!({"a": 1}), json!({"b": 2})]);
    assert!(parse("").unwrap().is_empty());
    assert!(parse(" \n# only a comment\n").unwrap().is_empty());
}

#[rstest]
#[case::one_value_then_the_end_of_a_document("{\"a\": 1}\n...\n")]
#[case::several_values_then_yaml("{\"a\": 1}\n{\"b\": 2}\n---\nc: 1\n")]
#[case::escaped_slash("a: \"b\\/c\"\n")]
#[case::escaped_slash_after_a_backslash("a: \"\\\\\\/c\"\n")]
fn text_that_kubectl_refuses_is_an_error(#[case] text: &str) {
    assert!(parse(text).is_err(), "{text}");
}

#[rstest]
#[case::end_of_a_flow_document("{a: 1}\n...\n")]
#[case::comment_after_json("{\"a\": 1}\n# b\n")]
#[case::slash_after_an_escaped_backslash("a: \"\\\\/c\"\n")]
#[case::no_double_quotes("a: '\\/'\nb: \\/\n")]
fn text_that_kubectl_reads_is_read(#[case] text: &str) {
    assert_eq!(parse(text).map(|it| it.len()), Ok(1), "{text}");
}

#[test]
fn json_is_read_too() {
    let cases = [
        (
            r#"{"a": "\ud83d\ude00 \/", "b": [1, 2.5, true, null]}"#,
            json!({"a": "😀 /", "b": [1, 2.5, true, null]}),
        ),
        ("\u{feff}\t{\t\"a\"\t:\r\n\t{}\t}\n", json!({"a": {}})),
        ("[]", json!([])),
        ("a: \tb\t# c\r\nd: [\t1,\n\t2]\r\n", json!({"a": "b", "d": [1, 2]})),
        ("{a: b, c: [d,]}", json!({"a": "b", "c": ["d"]})),
        ("{\"yes\": \"no\", \"<<\": \"x\"}", json!({"yes": "no", "<<": "x"})),
    ];
    for (text, expected) in cases {
        assert_eq!(value(text), expected, "{text}");
    }
    assert_eq!(parse("{\"a\": 1}\n{\"a\": 2}").unwrap().len(), 2);
    assert_eq!(parse("{\"a\": 1}\n---\n{\"a\": 2}").unwrap().len(), 2);
}

#[test]
fn syntax_error_has_a_position() {
    let cases = [
        ("{\"a\": 1 \"b\": 2}", "1:9: expected `,` or `}`"),
        ("{\"a\": [1, 2}", "1:12: expected `,` or `]`"),
        ("{\n \"a\": nope,\n}}", "2:7: not a value; texts need double quotes"),
        ("{\"a\": 1,", "1:9: expected a key in double quotes"),
        ("{\"a\": \"\\q\"}", "1:7: a string is wrong: invalid escape"),
        ("{a: 1", "1:6: while parsing a flow mapping, did not find expected ',' or '}'"),
        ("a: 1\n b: 2\n", "2:3: mapping values are not allowed in this context"),
        ("a:\n\t- b\n", "2:1: a tab in the indentation; YAML is indented with spaces only"),
        (
            "a: [1, 2\nb: 3\n",
            "2:2: while parsing a flow sequence, did not find expected ',' or ']'",
        ),
        ("a: *nobody\n", "1:4: an alias of an anchor that is not above it"),
        ("a: 'open\n", "1:4: while scanning a quoted scalar, found unexpected end of stream"),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn blank_of_unicode_at_the_beginning_is_an_error() {
    assert_eq!(error("\u{a0}{\"a\": 1}"), "1:1: expected a value");
    let message = "U+3000 at the beginning looks like a space, but is none in YAML; delete it";
    for (text, position) in [(" \n\u{3000}{\"a\": 1}\n---\nb: 1", "2:1"), ("\u{3000}a: 1", "1:1")] {
        assert_eq!(error(text), format!("{position}: {message}"));
    }
}

#[test]
fn check_of_tags_ends_at_the_maximum_depth() {
    let text = format!("# !a,b\na: {}", "[".repeat(1_000_000));
    assert_eq!(error(&text), "2:103: nested more than 100 levels deep");
}

#[test]
fn error_position_is_inside_the_text() {
    for (text, line, column) in [
        ("{a: 1", 1, 6),
        ("{a: 1\n", 2, 1),
        ("{a: 1\r\r\n", 3, 1),
        ("a: 1\rb: [", 2, 5),
        ("\u{feff}{a: 1", 1, 6),
        ("a:\n  - {\t", 2, 7),
        ("a: x\u{b}y\nb: [", 1, 5),
        ("{\r \"a\": nope,\r}}", 2, 7),
        ("{\"a\":\r\n\r\n", 3, 1),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.position, at(line, column), "{text:?}: {error}");
    }
}

#[test]
fn long_flow_collection_is_parsed() {
    let list = |begin: &str, end: &str| format!("{begin}{}{end}", "a, ".repeat(400_000));
    assert_eq!(parse(&list("[", "]")).unwrap().len(), 1);
    assert_eq!(error(&list("[\"b\" ", "]")), "1:6: expected `,` or `]`");
    assert_eq!(parse(&list("a: [", "]")).unwrap().len(), 1);
    let json = format!("[{}1]", "1, ".repeat(400_000));
    assert_eq!(parse(&json).unwrap().len(), 1);
    let short = format!("[{}a]\n---\n", "a, ".repeat(200_000)).repeat(2);
    assert_eq!(parse(&short).unwrap().len(), 2);
}

#[test]
fn position_counts_the_line_breaks_of_yaml() {
    for text in ["a: 1\rb:\r\n  c: 2", "{\"a\": 1,\r\"b\":\r {\"c\": 2}}"] {
        let document = one(text);
        assert_eq!(document.position("/b").line, 2, "{text:?}");
        assert_eq!(document.position("/b/c").line, 3, "{text:?}");
    }
    let document = one("a: 1\nb:\n-");
    assert_eq!(document.position("/b/0"), at(3, 2));
}

#[test]
fn aliases_and_merges_are_expanded() {
    let text = "
base: &base {a: 1, b: 2}
more: &more {b: 3, c: 4}
alias: *base
one: {<<: *base, b: 9}
two:
  <<: [*more, *base]
  b: 8
";
    let found = value(text);
    assert_eq!(found["alias"], json!({"a": 1, "b": 2}));
    assert_eq!(found["one"], json!({"a": 1, "b": 9}));
    assert_eq!(found["two"], json!({"a": 1, "b": 8, "c": 4}));
    assert_eq!(error("a: {<<: 1}"), "1:5: `<<` takes a mapping or a list of mappings");
    for text in ["{b: 1, <<: {b: 2}}", "{<<: {b: 1}, <<: {b: 2}}"] {
        assert!(error(text).contains("`<<` sets `b` again"), "{text}");
    }
    assert_eq!(error("a: &a [*a]"), "1:8: an alias stands inside of what it is an alias for");
}

#[test]
fn what_is_marked_as_a_key_stays_what_it_is() {
    for (text, expected) in [
        ("&a 1: *a", json!({"1": 1})),
        ("&a 1.50: [*a, b]\nc: *a", json!({"1.5": [1.5, "b"], "c": 1.5})),
        ("&a true: *a", json!({"true": true})),
        ("&a b: *a\n*a : c", json!({"b": "c"})),
    ] {
        let documents = parse_keeping_repeated(text).unwrap();
        assert_eq!(documents[0].to_value(), expected, "{text}");
    }
}

#[test]
fn an_alias_bomb_is_an_error() {
    let levels = |first: &str| {
        (1..40).fold(format!("l0: &l0 {first}\n"), |text, level| {
            let alias = format!("*l{}, ", level - 1).repeat(9);
            format!("{text}l{level}: &l{level} [{alias}]\n")
        })
    };
    let lists = levels("[lol]");
    assert!(
        error(&lists).ends_with(
            "aliases expand to more than 250000 values; write them out, or split the file"
        )
    );
    let long_text = levels(&format!("\"{}\"", "lol".repeat(100_000)));
    assert!(error(&long_text).contains("aliases expand"));
    let merges = (1..60).fold("l0: &l0 {k0: v}\n".to_owned(), |text, level| {
        let before = level - 1;
        format!("{text}l{level}: &l{level} {{<<: [*l{before}, *l{before}, *l{before}], k{level}: *l{before}}}\n")
    });
    assert!(error(&merges).contains("aliases expand"));
}

#[test]
fn depth_is_limited_also_through_aliases() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(parse(&deep(100)).is_ok());
    assert_eq!(error(&deep(101)), "1:101: nested more than 100 levels deep");
    assert_eq!(error(&"- ".repeat(5000)), "1:201: nested more than 100 levels deep");
    let through_aliases = (1..120).fold("l0: &l0 []\n".to_owned(), |text, level| {
        format!("{text}l{level}: &l{level} [*l{}]\n", level - 1)
    });
    assert_eq!(error(&through_aliases), "100:12: nested more than 100 levels deep");
}

#[test]
fn a_pointer_leads_to_its_place_or_the_nearest_parent() {
    let document = one(
        "# head\nspec:\n  tolerations:\n  - key: a/b\n    value: x\n  empty:\n  a/b: {c: [1, ä, 3]}\n",
    );
    let cases = [
        ("", at(2, 1)),
        ("/spec", at(2, 1)),
        ("/spec/tolerations", at(3, 3)),
        ("/spec/tolerations/0", at(4, 5)),
        ("/spec/tolerations/0/key", at(4, 10)),
        ("/spec/tolerations/0/value", at(5, 12)),
        ("/spec/tolerations/0/missing/too", at(4, 5)),
        ("/spec/tolerations/7", at(3, 3)),
        ("/spec/tolerations/x", at(3, 3)),
        ("/spec/empty", at(6, 3)),
        ("/spec/a~1b/c/2", at(7, 19)),
        ("/nowhere", at(2, 1)),
    ];
    for (pointer, expected) in cases {
        assert_eq!(document.position(pointer), expected, "{pointer}");
    }
    assert_eq!(document.key_position("/spec/tolerations/0/value"), at(5, 5));
    let part = document.part("/spec/tolerations/0").unwrap();
    assert_eq!((part.text("/key").unwrap().as_str(), part.position("/value")), ("a/b", at(5, 12)));
    assert_eq!(document.part("/spec/tolerations").unwrap().items().unwrap().len(), 1);
    assert!(document.part("/spec/nothing").is_none());
}

#[test]
fn wrong_shape_is_reported_with_field_and_position() {
    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Shape {
        #[serde(rename = "list", default)]
        _list: Vec<Item>,
    }
    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Item {
        #[serde(rename = "version")]
        _version: String,
    }
    let cases = [
        (
            "list:\n- version: 1.35\n",
            "2:12: `list[0].version`: invalid type: floating point `1.35`, expected a string; put it in quotes",
        ),
        (
            "list:\n- version: [a]\n",
            "2:3: `list[0].version`: invalid type: list, expected a string",
        ),
        ("list:\n- {}\n", "2:3: `list[0]`: missing field `version`"),
        ("list: []\nlits: 1\n", "2:1: `lits`: unknown field `lits`, expected `list`"),
    ];
    for (text, expected) in cases {
        assert_eq!(one(text).decode::<Shape>().unwrap_err().to_string(), expected, "{text}");
    }
}

proptest! {
    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        let _ = parse(&text);
    }

    #[test]
    fn arbitrary_punctuation_never_panics(text in "[-?:,\\[\\]{}#&*!|>'\"%@`a1<~. \t\n\r\u{feff}\u{85}]{0,60}") {
        for document in parse(&text).unwrap_or_default() {
            let _ = document.to_value();
        }
    }

    #[test]
    fn json_comes_back_as_it_was(text in any::<String>(), number in any::<i64>(), pretty in any::<bool>()) {
        let expected = json!({"list": [{ "text": text, "number": number }, null, true], "nested": {}});
        let written = if pretty { serde_json::to_string_pretty(&expected) } else { serde_json::to_string(&expected) };
        assert_eq!(value(&written.unwrap()), expected);
    }
}

#[test]
fn half_of_a_surrogate_pair_is_a_replacement_character_as_in_go() {
    let document = one(r#"{"a": "x\ud800y", "b": "\ud83d\ude00"}"#);
    assert_eq!(document.to_value(), json!({"a": "x\u{fffd}y", "b": "😀"}));
}

/// Large lists and mappings are searched differently than small ones.
#[test]
fn values_of_large_parents_are_found() {
    const COUNT: usize = 1_000;
    let keys = (0..COUNT).map(|it| format!("  k{}: [{it}, {{a: b}}]\n", it * 7 % COUNT));
    let items = (0..COUNT).map(|it| format!("  - {it}\n"));
    let text = format!(
        "map: &map\n{}list:\n{}merged:\n  <<: *map\n",
        keys.collect::<String>(),
        items.collect::<String>()
    );
    let document = one(&text);
    for index in 0..COUNT {
        let key = format!("k{}", index * 7 % COUNT);
        let line = index + 2;
        assert_eq!(document.key_position(&format!("/map/{key}")), at(line, 3));
        assert_eq!(document.position(&format!("/merged/{key}/0")).line, line);
        assert_eq!(document.text(&format!("/map/{key}/1/a")).unwrap(), "b");
        assert_eq!(document.position(&format!("/list/{index}")), at(COUNT + line + 1, 5));
    }
    for absent in ["/map/k", "/map/k1000", "/map/", "/list/1000", "/list/x"] {
        assert!(document.part(absent).is_none(), "{absent}");
    }
}
