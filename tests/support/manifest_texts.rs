// SPDX-License-Identifier: Apache-2.0
//! Random texts of manifests at the edges of YAML: what a program in front of the decoder may read in another way.

use crate::random::Random;

const KEYS: &[&str] = &[
    "a",
    "b",
    "spec",
    "\"c\"",
    "'d'",
    "1",
    "true",
    "~",
    "null",
    "<<",
    "\"<<\"",
    "!!merge <<",
    "!!str <<",
    "0x10",
    "1.0",
    "y",
    "&k e",
    "*k",
    "? f",
    "!!str g",
    "a b",
    "\"\"",
    "-0",
    "1e3",
    "010",
    ".5",
    "é",
    "=",
    "!!int 3",
    "!!null n",
    "[x]",
    "-",
    "!",
    "\"<\\u003c\"",
    "0o7",
    "1.35",
    "685_230.15",
    "1e-7",
    "2001-01-01",
];
const SCALARS: &[&str] = &[
    "1",
    "x",
    "",
    "~",
    "null",
    "y",
    "No",
    "off",
    "010",
    "08",
    "0o17",
    "0x1F",
    "0b11",
    "1_000",
    "_1",
    "1_",
    "+1",
    "-0",
    "1.0",
    "1e3",
    "1E+3",
    ".5",
    "5.",
    "-.5",
    "1:30",
    "190:20:30",
    ".inf",
    "-.Inf",
    ".NaN",
    "2001-12-14",
    "2001-12-14t21:59:43.10-05:00",
    "\"\"",
    "''",
    "\"a\\tb\"",
    "\"\\x41\\u00e9\\U0001F600\"",
    "\"\\N\\_\\L\\P\"",
    "\"a\\\n  b\"",
    "'it''s'",
    "'a\n\n  b'",
    "\"a\n  b\"",
    "a\n  b",
    "a b # c",
    "a#b",
    "!!str 1",
    "!!int 1",
    "!!int \"1\"",
    "!!float 1",
    "!!bool y",
    "!!null ~",
    "!!binary aGk=",
    "!!binary /w==",
    "!x 1",
    "! 1",
    "!!timestamp 2001-12-14",
    "!<tag:yaml.org,2002:str> 1",
    "|\n  x\n  y\n",
    ">\n  x\n  y\n\n  z\n",
    "|-\n  x\n",
    "|+\n  x\n\n",
    "|2\n    x\n",
    ">-\n  x\n   y\n  z\n",
    "| # c\n  x\n",
    "|\n",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "9007199254740993",
    "1e400",
    "0.1e-7",
    "123456789.0",
    "1.7976931348623157e308",
    "*z",
    "&z 1",
    "&y [1]",
    "*y",
    "&x {a: 1}",
    "*x",
    "- 1",
    "-1",
    "--1",
    "+-1",
    "0x",
    "0x_1",
    "0b",
    "0b2",
    "0_7",
    "?",
    "? a",
    ": a",
    "a: b",
    "@a",
    "`a",
    "%a",
    "=",
    "<<",
    "\u{a0}",
    "é\u{301}",
    "\u{feff}",
    "\u{7f}",
    "\u{80}",
    "\u{1}",
    "\u{e000}",
    "\u{ffff}",
    "😀",
    "{{ .a }}",
    "${A}",
    "a\u{85}",
    "a\u{2028}",
    "a\u{2028}b",
    "\"\u{85}\"",
    "'\u{2029}x'",
    "\"a\u{2028}b\"",
    "True",
    "TRUE",
    "tRue",
    "nULL",
    "!!set {a}",
    "!!seq [1]",
    "!!map {a: 1}",
    "!!omap [a: 1]",
    "!!str",
    "!!null",
    "!!bool",
    "!!int",
    "0.",
    ".",
    "..",
    "...",
    "+.5",
    "1__0",
    "1._0",
    "1e_3",
    "0X1f",
    "-0x1",
    "-0b1",
    "-0o1",
    "+0x1",
    "-010",
    "0777",
    "1.5.2",
    "1.35",
    "1.30",
    "1e-400",
    "-1e400",
    "0e0",
    "-0.0",
    "12e03",
    "1,000",
    "685_230.15",
];
const FLOW: &[&str] = &[
    "{}",
    "[]",
    "[1, 2]",
    "{a: 1}",
    "{a: 1, b}",
    "{a}",
    "[a: 1]",
    "[a, ]",
    "{a: 1, }",
    "[, a]",
    "{a: 1,, b: 2}",
    "{\"a\":1}",
    "{\"a\":1,\"b\":[{}]}",
    "{a:1}",
    "[a:1]",
    "{? a : b}",
    "[? a : b]",
    "{<<: {a: 1}, a: 2}",
    "{a: 2, <<: {a: 1}}",
    "{<<: [{a: 1}, {a: 2}]}",
    "{<<: 1}",
    "{<<: [1]}",
    "{<<: []}",
    "{<<: }",
    "{a: 1, a: 2}",
    "{1: x, \"1\": y}",
    "[\n  1,\n  2\n  ]",
    "[\n1\n]",
    "{\na: 1\n}",
    "[#c\n1]",
    "[1 #c\n]",
    "{a: [b, {c: d}]}",
    "[[[]]]",
    "{a: 'b', \"c\": d}",
    "{a: b: c}",
    "[a b]",
    "{a: \tb}",
    "[\t1]",
    "{'a':b}",
    "{a: !!str}",
    "[!!str , b]",
    "{a: &q b, c: *q}",
    "{a: *q }",
    "{*q : a}",
    "[-]",
    "[- 1]",
    "[-1]",
    "{-: 1}",
    "{a: -}",
    "{a: |}",
    "[---]",
    "{a: }",
    "{: a}",
    "{\"a\" :1}",
    "[\"a\":1]",
    "{a: ?}",
    "{?: a}",
    "{a: :}",
    "{a: ::b}",
    "{a: b:}",
    "{a: http://x}",
    "[a#b]",
    "[a #b\n]",
    "{<<: &m {a: 1}, b: *m}",
];
const LINES: &[&str] = &[
    "\t",
    " \t",
    "  \t ",
    "\t# c",
    "# c",
    "  # c",
    "---",
    "--- ",
    "--- # c",
    "---\t",
    "--- text",
    "--- {a: 1}",
    "--- !!map",
    "--- |",
    "---text",
    "----",
    "...",
    "... ",
    "... # c",
    "...x",
    "%YAML 1.1",
    "%YAML 1.2",
    "%YAML 2.0",
    "%TAG ! tag:x,2000:",
    "%TAG !e! tag:yaml.org,2002:",
    "%FOO bar",
    " %YAML 1.2",
    "",
    " ",
    "\u{feff}",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\r",
    "\u{c}",
    "\u{0}",
    "- ",
    "-",
    "?",
    "? ",
    ":",
    ": x",
    "x",
    "  x",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "&a",
    "*a",
    "!a",
    "!!map",
    "|",
    ">",
    "#",
    "---\u{feff}",
    "\u{feff}---",
    " ---",
    "\t---",
    "{}",
    "{\"a\": 1}",
    "{\"b\": 2} {\"c\": 3}",
    "a: 1\rb: 2",
    "a: 1\r\n",
    "<<: {a: 9}",
    "<<: *x",
    "<<: [*x, {b: 8}]",
    "? - a",
    "? {a: b}",
    "- - - x",
    "- a: 1\n  b: 2",
    "-\ta: 1",
    "- \ta: 1",
    "a:\tx",
    "a: \tx",
    "a\t: x",
    "a :x",
    "\ta: 1",
    "  \ta: 1",
    "e: !!e!str 1",
    "f: !e!str 1",
];
const COLONS: &[&str] = &[
    ": ",
    ": ",
    ": ",
    ": ",
    ":\t",
    ":  ",
    " : ",
    ":",
    ":\n  ",
    ": \t",
    ":\n\t",
    ": # c\n  ",
    ":\u{a0}",
    ":\n\n  ",
    ":\r\n  ",
    "\t: ",
];
const ENDS: &[&str] = &[
    "\n",
    "\n",
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\r",
    " # c\n",
    "\t\n",
    " \n",
    "\t# c\n",
    "\n\n",
    "",
    "\n\t\n",
    "\n  # c\n",
    "#c\n",
    "\u{85}",
    "\u{2028}",
];
const INSERTED: &[&str] = &[
    "\t", " ", "\n", "\r", "\u{85}", "\u{2028}", "\u{feff}", ":", "#", "-", "?", "'", "\"", "&",
    "*", "!", "|", ">", "%", "@", "`", "{", "}", "[", "]", ",", "\\", "\0", "\u{a0}", "~", "<<",
    "---", "...",
];

/// Returns the text of a case.
pub(crate) fn text(random: &mut Random) -> String {
    let mut text = String::new();
    if random.below(12) == 0 {
        text.push_str(one_of(random, LINES));
        text.push('\n');
    }
    for document in 0..=random.below(4).saturating_sub(2) {
        if document > 0 {
            text.push_str(one_of(
                random,
                &["---\n", "---\n", "--- # c\n", "...\n", "---\r\n", "...\n---\n"],
            ));
        }
        let list = random.below(8) == 0;
        block(random, &mut text, 0, list);
    }
    for _ in 0..random.below(4).saturating_sub(2) {
        mutate(random, &mut text);
    }
    text
}

/// Adds a mapping or a list.
fn block(random: &mut Random, text: &mut String, depth: usize, list: bool) {
    let indent = " ".repeat(depth * 2);
    for _ in 0..=random.below(4) {
        if random.below(40) == 0 {
            text.push_str(one_of(random, LINES));
            text.push('\n');
        }
        text.push_str(&indent);
        if list {
            text.push_str(one_of(random, &["- ", "- ", "- ", "-   ", "-\t", "-\n  "]));
        } else {
            text.push_str(if random.below(8) == 0 {
                one_of(random, KEYS)
            } else {
                one_of(random, &["a", "b", "c", "d", "e", "f"])
            });
            text.push_str(if random.below(10) == 0 { one_of(random, COLONS) } else { ": " });
        }
        value(random, text, depth);
    }
}

fn value(random: &mut Random, text: &mut String, depth: usize) {
    if random.below(9) == 0 {
        text.push_str(one_of(
            random,
            &["&x ", "&y ", "!!map ", "!!seq ", "!t ", "&x !!map ", "!!map &x ", "!!str "],
        ));
    }
    match random.below(10) {
        0..2 if depth < 3 => {
            text.push('\n');
            let list = random.below(3) == 0;
            block(random, text, depth + 1, list);
        }
        2..4 => {
            text.push_str(if random.below(2) == 0 { "[1, {a: 2}]" } else { one_of(random, FLOW) });
            text.push_str(end(random));
        }
        4..8 => {
            text.push_str(one_of(
                random,
                &["1", "x", "true", "y", "a b", "\"x\"", "'x'", "1.0", "{}", "*x"],
            ));
            text.push_str(end(random));
        }
        _ => {
            let indented = format!("\n{}", "  ".repeat(depth));
            text.push_str(&one_of(random, SCALARS).replace('\n', &indented));
            text.push_str(end(random));
        }
    }
}

/// Inserts, removes or repeats a part.
fn mutate(random: &mut Random, text: &mut String) {
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    if places.is_empty() {
        return;
    }
    let at = *random.pick(&places);
    match random.below(4) {
        0 | 1 => text.insert_str(at, one_of(random, INSERTED)),
        2 => {
            text.remove(at);
        }
        _ => {
            let line = text[at..].lines().next().unwrap_or_default().to_owned();
            text.insert_str(at, &format!("{line}\n"));
        }
    }
}

fn end(random: &mut Random) -> &'static str {
    if random.below(8) == 0 { one_of(random, ENDS) } else { "\n" }
}

fn one_of<'t>(random: &mut Random, from: &[&'t str]) -> &'t str {
    from[random.below(from.len())]
}
