// SPDX-License-Identifier: Apache-2.0
//! Keys of log lines, as in the macros of `tracing` in the source code.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

use crate::docs::{files_below, root, source_folders};

const PAGE: &str = "docs/reference/logs.md";
const MACROS: [&str; 6] = ["event", "error", "warn", "info", "debug", "trace"];

/// Adds the keys of `KEY = VALUE`, and those of variables, before the message of a log line.
fn keys_of(arguments: TokenStream, keys: &mut BTreeSet<String>) {
    let (mut before, mut is_start) = (None, true);
    for token in arguments {
        let is_comma = matches!(&token, TokenTree::Punct(it) if it.as_char() == ',');
        let is_value = matches!(&token, TokenTree::Punct(it) if it.as_char() == '=');
        match token {
            TokenTree::Literal(_) if is_start => return,
            TokenTree::Ident(name) if is_start => before = Some(name.to_string()),
            _ if is_comma || is_value => keys.extend(before.take()),
            // Another token continues an expression, such as `Level::INFO` and `$level`.
            _ => before = None,
        }
        is_start = is_comma;
    }
}

fn collect(tokens: TokenStream, keys: &mut BTreeSet<String>, count: &mut usize) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for window in tokens.windows(3) {
        if let [TokenTree::Ident(name), TokenTree::Punct(mark), TokenTree::Group(arguments)] =
            window
            && MACROS.contains(&name.to_string().as_str())
            && mark.as_char() == '!'
        {
            keys_of(arguments.stream(), keys);
            *count += 1;
        }
    }
    for token in tokens {
        if let TokenTree::Group(group) = token {
            collect(group.stream(), keys, count);
        }
    }
}

fn is_code(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "rs")
}

#[test]
fn keys_before_a_message_are_found() {
    let cases = [
        (r#"a, "text {}", b"#, "a"),
        (r#"$level, decision = x.as_str(), groups = list(a, b).len(), "text""#, "decision groups"),
        (r#"Level::INFO, "text""#, ""),
    ];
    for (arguments, expected) in cases {
        let mut keys = BTreeSet::new();
        keys_of(arguments.parse().unwrap(), &mut keys);
        assert_eq!(Vec::from_iter(keys).join(" "), expected, "{arguments}");
    }
}

#[test]
fn page_of_logs_lists_every_key() {
    let (mut keys, mut count) = (BTreeSet::new(), 0);
    let files = source_folders().into_iter().flat_map(|it| files_below(&it));
    for path in files.filter(|it| is_code(it)) {
        let code = fs::read_to_string(path).unwrap();
        collect(code.parse().unwrap(), &mut keys, &mut count);
    }
    assert!(count > 50, "{count} log lines were read");
    let page = fs::read_to_string(root().join(PAGE)).unwrap();
    let (_, section) = page.split_once("\n## Fields\n").unwrap();
    let rows = section.split("\n## ").next().unwrap().lines();
    let listed = rows.filter_map(|row| row.strip_prefix("| `")?.split('`').next());
    let listed: BTreeSet<String> = listed.map(str::to_owned).collect();
    assert_eq!(listed, keys, "{PAGE} must list the keys in the code");
}
