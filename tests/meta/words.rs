// SPDX-License-Identifier: Apache-2.0
//! Comments and pages use standard terms: words of `words.txt` are counted, per 1,000 words.

use std::fs;
use std::path::Path;

use regex::{Regex, RegexBuilder};
use walkdir::WalkDir;

/// Maximum share of private words in comments, per 1,000 words.
const COMMENTS: f64 = 1.0;
/// Maximum share in pages.
const PAGES: f64 = 1.0;
/// Maximum number of lines of a page, except generated lists.
const LINES: usize = 150;
/// The lists of rules, decisions, options and fields.
const LISTS: [&str; 6] = [
    "docs/rules/",
    "docs/coverage.md",
    "docs/SUMMARY.md",
    "docs/reference/commands/",
    "docs/reference/configuration.md",
    "docs/reference/json/",
];

fn private_words() -> Regex {
    let lines = include_str!("words.txt").lines();
    let words: Vec<&str> = lines.filter(|line| !line.starts_with('#')).collect();
    let pattern = format!(r"\b(?:{})\b", words.join("|"));
    let words = RegexBuilder::new(&pattern).case_insensitive(true).build();
    words.unwrap()
}

/// Returns the files below `folders` with this extension.
fn files(folders: &[&str], extension: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = folders.iter().flat_map(|folder| WalkDir::new(root.join(folder)));
    let paths = entries
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|it| it == extension));
    paths.map(|path| path.display().to_string()).collect()
}

/// Returns the lines of comments.
fn comments(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate();
    lines.filter_map(|(number, line)| Some((number, line.trim_start().strip_prefix("//")?)))
}

/// Returns the lines of a page outside of code blocks.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Asserts that the lines of `files` have at most `limit` private words per 1,000 words.
fn check<'t, I: Iterator<Item = (usize, &'t str)>>(
    texts: &'t [(String, String)],
    lines: impl Fn(&'t str) -> I,
    limit: f64,
) {
    let (private, code) = (private_words(), Regex::new(r"`[^`]*`|\]\([^)]*\)").unwrap());
    let word = Regex::new("[A-Za-z][A-Za-z']*").unwrap();
    let (mut words, mut found) = (0, Vec::new());
    for (file, text) in texts {
        for (number, line) in lines(text) {
            let line = code.replace_all(line, "");
            words += word.find_iter(&line).count();
            let hits = private.find_iter(&line).map(|hit| hit.as_str().to_owned());
            found.extend(hits.map(|hit| format!("{file}:{}: {hit}", number + 1)));
        }
    }
    let share = 1000.0 * found.len() as f64 / words as f64;
    assert!(words > 10_000, "only {words} words were read");
    assert!(
        share <= limit,
        "{share:.2} private words per 1,000 words, more than {limit}:\n{}",
        found.join("\n")
    );
}

fn read(files: Vec<String>) -> Vec<(String, String)> {
    let read = |file: String| {
        let text = fs::read_to_string(&file).unwrap();
        (file, text)
    };
    files.into_iter().map(read).collect()
}

#[test]
fn comments_use_standard_terms() {
    let files = read(files(&["src", "crates", "tests", "benches", "fuzz/fuzz_targets"], "rs"));
    check(&files, comments, COMMENTS);
}

#[test]
fn pages_use_standard_terms() {
    let mut pages = files(&["docs"], "md");
    pages.extend(["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "AGENTS.md"].map(str::to_owned));
    check(&read(pages), prose, PAGES);
}

#[test]
fn pages_are_short() {
    let is_list = |file: &str| LISTS.iter().any(|it| file.contains(it));
    let pages = read(files(&["docs"], "md"));
    let long = pages.iter().filter(|(file, text)| !is_list(file) && text.lines().count() > LINES);
    let long: Vec<&str> = long.map(|(file, _)| file.as_str()).collect();
    assert_eq!(long, [""; 0], "more than {LINES} lines");
}
