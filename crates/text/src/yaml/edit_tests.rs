// SPDX-License-Identifier: Apache-2.0
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Editor, edited, parse};
use crate::json::Edit;

fn replace(pointer: &str, value: Value) -> Edit {
    Edit::Replace { pointer: pointer.to_owned(), value }
}

fn rename(pointer: &str, key: &str) -> Edit {
    let (pointer, key) = (pointer.to_owned(), key.to_owned());
    Edit::Rename { pointer, key }
}

fn insert(pointer: &str, value: Value) -> Edit {
    Edit::Insert { pointer: pointer.to_owned(), value }
}

fn remove(pointer: &str) -> Edit {
    Edit::Remove { pointer: pointer.to_owned() }
}

/// Returns the text after edits of its first document.
fn fixed(text: &str, edits: &[Edit]) -> Option<String> {
    let document = parse(text).unwrap().remove(0);
    let edits = Editor::new(text)?.edits(&document, edits)?;
    Some(edited(text, &edits))
}

#[rstest]
#[case::plain("a: 1.2.3 # why\nb: 1", "/a", json!("1.10.0"), "a: 1.10.0 # why\nb: 1")]
#[case::needs_quotes("a: 1.2.3", "/a", json!("15.4"), "a: \"15.4\"")]
#[case::boolean_word("a: x\n", "/a", json!("yes"), "a: \"yes\"\n")]
#[case::single_quotes("# x\r\na:   '1.2'\r\n", "/a", json!("1.3"), "# x\r\na:   '1.3'\r\n")]
#[case::double_quotes("a: \"x\" # c\n", "/a", json!("new"), "a: \"new\" # c\n")]
#[case::quote_inside("a: 'it''s' # c\n", "/a", json!("x"), "a: 'x' # c\n")]
#[case::number("a: 5 # c\n", "/a", json!("5"), "a: \"5\" # c\n")]
#[case::to_number("a: \"5\"\n", "/a", json!(5), "a: 5\n")]
#[case::to_boolean("a: 'yes'\n", "/a", json!(true), "a: true\n")]
#[case::empty("a: # c\nb: 1\n", "/a", json!("x"), "a: x # c\nb: 1\n")]
#[case::item("a:\n- x # c\n- y\n", "/a/1", json!("z"), "a:\n- x # c\n- z\n")]
#[case::json("{\"a\": 1, \"b\": 2}", "/a", json!("x"), "{\"a\": \"x\", \"b\": 2}")]
#[case::flow("{a: x, b: ä}", "/a", json!("new"), "{a: new, b: ä}")]
#[case::byte_order_mark("\u{feff}a: x\n", "/a", json!("new"), "\u{feff}a: new\n")]
#[case::after_wide_characters("b: ä€\na: x\n", "/a", json!("new"), "b: ä€\na: new\n")]
#[case::collection("a:\n  b: 1\nc: 2\n", "/a", json!("x"), "a: x\nc: 2\n")]
#[case::by_collection("a: x\nc: 2\n", "/a", json!({"b": [1]}), "a:\n  b:\n  - 1\nc: 2\n")]
#[case::lines("a: |\n  x\n  y\nc: 2\n", "/a", json!("x"), "a: x\nc: 2\n")]
#[case::json_list("{\"a\": [1,\n 2]}", "/a", json!([3]), "{\"a\": [3]}")]
#[case::carriage_return("b: 1\ra: x\r", "/a", json!("new"), "b: 1\ra: new\r")]
fn replace_keeps_everything_else(
    #[case] text: &str,
    #[case] pointer: &str,
    #[case] value: Value,
    #[case] expected: &str,
) {
    let found = fixed(text, &[replace(pointer, value)]);
    assert_eq!(found.as_deref(), Some(expected));
}

#[rstest]
#[case::plain("Region: x # c\n", "/Region", "region", "region: x # c\n")]
#[case::quoted("\"Region\": x\n", "/Region", "region", "\"region\": x\n")]
#[case::needs_quotes("a: x\n", "/a", "on", "\"on\": x\n")]
#[case::in_item("- a:\n    B: 1\n", "/0/a/B", "b", "- a:\n    b: 1\n")]
fn rename_replaces_the_key(
    #[case] text: &str,
    #[case] pointer: &str,
    #[case] key: &str,
    #[case] expected: &str,
) {
    let found = fixed(text, &[rename(pointer, key)]);
    assert_eq!(found.as_deref(), Some(expected));
}

#[rstest]
#[case::last("a:\n  b: 1 # c\n# d\ne: 2\n", "/a/x", json!("new"), "a:\n  b: 1 # c\n  x: new\n# d\ne: 2\n")]
#[case::no_line_break("a:\n  b: 1", "/a/x", json!("new"), "a:\n  b: 1\n  x: new")]
#[case::root("a: 1\r\n", "/x", json!(1), "a: 1\r\nx: 1\r\n")]
#[case::in_item("- a: 1\n- b\n", "/0/x", json!(1), "- a: 1\n  x: 1\n- b\n")]
#[case::nested("a:\n  b: 1\n", "/a/x/w", json!("z"), "a:\n  b: 1\n  x:\n    w: z\n")]
#[case::list("a: 1\n", "/x", json!([{"w": 1, "z": [2]}]), "a: 1\nx:\n- w: 1\n  z:\n  - 2\n")]
#[case::null("a:\nb: 1\n", "/a/x", json!("new"), "a:\n  x: new\nb: 1\n")]
#[case::empty_flow("a: {} # c\n", "/a/x", json!("new"), "a: {\"x\": \"new\"} # c\n")]
#[case::flow("a: {b: 1}\n", "/a/x", json!("new"), "a: {b: 1, x: \"new\"}\n")]
#[case::json("{\n  \"a\": 1,\n  \"b\": 2\n}", "/x", json!("new"), "{\n  \"a\": 1,\n  \"b\": 2,\n  \"x\": \"new\"\n}")]
#[case::after_lines("a:\n  b: |\n    text\nc: 1\n", "/a/x", json!(1), "a:\n  x: 1\n  b: |\n    text\nc: 1\n")]
fn insert_has_the_style_of_its_siblings(
    #[case] text: &str,
    #[case] pointer: &str,
    #[case] value: Value,
    #[case] expected: &str,
) {
    let found = fixed(text, &[insert(pointer, value)]);
    assert_eq!(found.as_deref(), Some(expected));
}

#[rstest]
#[case::line("a: 1\nb: 2 # c\n# d\ne: 3\n", "/b", "a: 1\n# d\ne: 3\n")]
#[case::first("a: 1\nb: 2\n", "/a", "b: 2\n")]
#[case::last_without_line_break("a: 1\nb: 2", "/b", "a: 1")]
#[case::nested("a:\n  b: 1\n  c:\n  - x\n  # y\n  - z # w\nd: 1\n", "/a/c", "a:\n  b: 1\nd: 1\n")]
#[case::only("a:\n  b: 1 # c\nd: 1\n", "/a/b", "a: {}\nd: 1\n")]
#[case::item("a:\n- x # c\n- y\n", "/a/0", "a:\n- y\n")]
#[case::only_item("a:\n  - x\nb: 1\n", "/a/0", "a: []\nb: 1\n")]
#[case::behind_dash("- a: 1\n  b: 2\n", "/0/a", "- b: 2\n")]
#[case::lines("a: 1\nb: |\n  x\n  y\n\nc: 2\n", "/b", "a: 1\n\nc: 2\n")]
#[case::null("a: 1\nb:\nc: 2\n", "/b", "a: 1\nc: 2\n")]
#[case::flow_first("{a: 1, b: 2}", "/a", "{b: 2}")]
#[case::flow_last("{a: 1, b: 2}", "/b", "{a: 1}")]
#[case::flow_only("{a: {b: 1}}", "/a/b", "{a: {}}")]
#[case::json("{\n  \"a\": 1,\n  \"b\": 2\n}\n", "/b", "{\n  \"a\": 1\n}\n")]
#[case::flow_value("a: [x, y] # c\nb: 1\n", "/a", "b: 1\n")]
#[case::crlf("a: 1\r\nb: 2\r\nc: 3\r\n", "/b", "a: 1\r\nc: 3\r\n")]
fn remove_takes_the_line_and_its_comment(
    #[case] text: &str,
    #[case] pointer: &str,
    #[case] expected: &str,
) {
    let found = fixed(text, &[remove(pointer)]);
    assert_eq!(found.as_deref(), Some(expected));
}

#[rstest]
#[case::anchor("a: &v x\nb: *v", replace("/a", json!("new")))]
#[case::alias("b: &v x\na: *v", replace("/a", json!("new")))]
#[case::merged("b: &v {a: x}\nc:\n  <<: *v", replace("/c/a", json!("new")))]
#[case::merged_insert("b: &v {a: x}\nc:\n  <<: *v", insert("/b/z", json!("new")))]
#[case::tag("a: !!str x", replace("/a", json!("new")))]
#[case::removed_anchor("a: &v x\nb: *v", remove("/a"))]
#[case::octal("a: 010", replace("/a", json!("8")))]
#[case::yes("a: yes", replace("/a", json!("true")))]
#[case::missing("a: x", replace("/b", json!("new")))]
#[case::existing("a: x\nb: y", rename("/a", "b"))]
#[case::lost_comment("a:\n  # why\n  b: 1\n", replace("/a", json!(1)))]
#[case::item_on_next_line("-\n  a\n- b\n", remove("/0"))]
fn impossible_edit_is_none(#[case] text: &str, #[case] edit: Edit) {
    assert_eq!(fixed(text, &[edit]), None);
}

#[test]
fn edits_of_a_list_item_and_a_later_document() {
    let text = "a: 1\n---\nkind: List\nitems:\n- x: 1 # c\n- x: 1 # d\n";
    let item = parse(text).unwrap()[1].part("/items/1").unwrap();
    let editor = Editor::new(text).unwrap();
    let edits = [replace("/x", json!(2)), insert("/w", json!(3))];
    let edits = editor.edits(&item, &edits).unwrap();
    let expected = "a: 1\n---\nkind: List\nitems:\n- x: 1 # c\n- x: 2 # d\n  w: 3\n";
    assert_eq!(edited(text, &edits), expected);
}

/// Both removals are right alone; together, the second one has another effect.
#[test]
fn proposals_are_confirmed_together_and_otherwise_in_parts() {
    let text = "items:\n- a: [1, 2, 3]\n- b: 1\n- c: 1\n";
    let editor = Editor::new(text).unwrap();
    let items = parse(text).unwrap()[0].part("/items").unwrap().items().unwrap();
    let propose = |item: usize, edit: Edit| editor.propose(&items[item], &[edit]).unwrap();
    let [one, two, three, four] = [
        propose(0, remove("/a/0")),
        propose(0, remove("/a/2")),
        propose(1, replace("/b", json!(2))),
        propose(2, rename("/c", "d")),
    ];
    let mut rest = 10 * text.len();
    assert_eq!(editor.confirm(&[&one, &three, &four], &mut rest), [true; 3]);
    assert_eq!(rest, 9 * text.len());
    assert_eq!(editor.confirm(&[&one, &two, &three, &four], &mut rest), [true; 4]);
    // All, the first half, each of it, and the second half.
    assert_eq!(rest, 4 * text.len());
    let mut rest = 2 * text.len();
    assert_eq!(editor.confirm(&[&one, &two, &three, &four], &mut rest), [false; 4]);
}

/// Returns YAML of an object, with comments, different quotes and flow collections.
fn texts() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        "[a-z]{1,6}".prop_map(|it| it),
        "[0-9]{1,3}".prop_map(|it| it),
        "'[a-z #:]{0,5}'".prop_map(|it| it),
        "\"[a-z #:ä]{0,5}\"".prop_map(|it| it),
        Just("{}".to_owned()),
        Just("[x, 'y', {z: 1}]".to_owned()),
        Just(String::new()),
    ];
    let comment = prop_oneof![Just(""), Just(" # note"), Just("   # a: b")];
    let member = (scalar, comment, 0..3usize);
    prop::collection::vec(member, 1..12).prop_map(|members| {
        let mut text = String::from("# begin\n");
        let mut depth = 0;
        for (index, (scalar, comment, kind)) in members.into_iter().enumerate() {
            let margin = "  ".repeat(depth);
            text += &match kind {
                0 => format!("{margin}k{index}: {scalar}{comment}\n"),
                1 => format!("{margin}k{index}:{comment}\n{margin}  k: {scalar}\n"),
                _ => format!("{margin}k{index}:\n{margin}- {scalar}{comment}\n{margin}- m: 1\n{margin}  n: 2\n"),
            };
            if kind == 1 && depth < 3 {
                depth += 1;
            }
        }
        text
    })
}

/// Returns the pointers of all values in an object.
fn pointers(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                pointers(value, format!("{at}/{key}"), found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                pointers(value, format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
    found.push(at);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The result has the effect of the edit, and differs only in its ranges.
    #[test]
    fn edited_text_is_the_edited_object(
        text in texts(), at in any::<prop::sample::Index>(), kind in 0..4usize,
        new in prop_oneof![Just(json!("word")), Just(json!("yes")), Just(json!(7)), Just(json!({"p": ["q"]}))],
    ) {
        let document = parse(&text).unwrap().remove(0);
        let mut object = document.to_value();
        let mut all = Vec::new();
        pointers(&object, String::new(), &mut all);
        let pointer = at.get(&all).as_str();
        let edit = match kind {
            0 => replace(pointer, new),
            1 => rename(pointer, "renamed"),
            2 => insert(&format!("{pointer}/added"), new),
            _ => remove(pointer),
        };
        if let Some(edits) = Editor::new(&text).unwrap().edits(&document, std::slice::from_ref(&edit)) {
            prop_assert!(edit.apply(&mut object).is_some());
            let after = edited(&text, &edits);
            prop_assert_eq!(parse(&after).unwrap().remove(0).to_value(), object);
            let only = &edits[0];
            prop_assert!(after.starts_with(&text[..only.range.start]));
            prop_assert!(after.ends_with(&text[only.range.end..]));
            if kind < 2 {
                for comment in ["# begin", " # note", "   # a: b"] {
                    prop_assert_eq!(after.matches(comment).count(), text.matches(comment).count());
                }
            }
        }
    }
}
