// SPDX-License-Identifier: Apache-2.0
//! Strings in GitHub-flavored Markdown.
//!
//! Input never becomes a link, image, mention, heading, HTML or table cell.

use std::borrow::Cow;

use garden_gate_text::escape;

/// Minimum length of hexadecimal words that a renderer may link as commits.
const SHORTEST_COMMIT: usize = 7;

/// Punctuation around a word that does not belong to a link.
const OPENING: [char; 3] = ['(', '"', '\''];
const CLOSING: [char; 7] = [')', '"', '\'', '.', ',', ';', ':'];

/// Formats inline code, fenced by more backticks than the text contains.
pub(super) fn code(text: &str) -> String {
    // A backslash before a pipe would end the table cell.
    let text = escape::line(text).replace("\\|", "\\u{5c}|").replace('|', "\\|");
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    match longest {
        0 if text.is_empty() => "` `".to_owned(),
        0 => format!("`{text}`"),
        _ => {
            let fence = "`".repeat(longest + 1);
            format!("{fence} {text} {fence}")
        }
    }
}

/// Formats code that links to a page.
pub(super) fn link(text: &str, url: &str) -> String {
    let is_plain = !url.contains(['(', ')', '<', '>', '|', '\\', '`']);
    if is_plain { format!("[{}]({url})", code(text)) } else { code(text) }
}

/// Formats a sentence; parts in backticks, and words that a renderer could link, become code.
pub(super) fn text(sentence: &str) -> String {
    let mut text = String::new();
    for (number, part) in sentence.split('`').enumerate() {
        match number % 2 {
            0 => push_words(&mut text, part),
            _ => push_code(&mut text, part),
        }
    }
    text
}

/// Adds code; adjacent parts would become one, so a space separates them.
fn push_code(text: &mut String, part: &str) {
    if text.ends_with('`') {
        text.push(' ');
    }
    *text += &code(part);
}

fn push_words(text: &mut String, part: &str) {
    for word in part.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end();
        if is_linked(bare) {
            let inside = bare.trim_start_matches(OPENING);
            let (before, inside) = bare.split_at(bare.len() - inside.len());
            let (inside, behind) = inside.split_at(inside.trim_end_matches(CLOSING).len());
            *text += &plain(before);
            push_code(text, inside);
            *text += &plain(behind);
        } else if text.is_empty() && is_block(bare) {
            push_code(text, bare);
        } else {
            *text += &plain(bare);
        }
        if bare.len() < word.len() && !text.is_empty() {
            text.push(' ');
        }
    }
}

/// Reports whether a renderer could link a word or show it as a formula.
///
/// Links are made of addresses, mentions, issues and commits.
fn is_linked(word: &str) -> bool {
    let is_commit = |it: &str| {
        it.len() >= SHORTEST_COMMIT
            && it.bytes().all(|it| it.is_ascii_hexdigit())
            && it.bytes().any(|it| it.is_ascii_digit())
            && it.bytes().any(|it| it.is_ascii_alphabetic())
    };
    let is_issue = |it: &str| {
        let number = it.strip_prefix("gh-").unwrap_or_default();
        number.starts_with(|it: char| it.is_ascii_digit())
    };
    let lower = word.to_ascii_lowercase();
    word.contains(['@', '#', '$'])
        || ["://", "www.", "mailto:", "xmpp:"].iter().any(|it| lower.contains(it))
        || lower.split(|it: char| !it.is_ascii_alphanumeric() && it != '-').any(is_issue)
        || word.split(|it: char| !it.is_ascii_alphanumeric()).any(is_commit)
}

/// Reports whether a word at the beginning of a line begins a list, quote, heading, rule or table.
fn is_block(word: &str) -> bool {
    let number = word.strip_suffix(['.', ')']);
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    word.starts_with(['-', '+', '=', '>', ':', '~']) || number.is_some_and(is_number)
}

fn plain(word: &str) -> String {
    let mut text = String::new();
    for character in escape::value(word).chars() {
        match character {
            '&' => text += "&amp;",
            '<' => text += "&lt;",
            '>' => text += "&gt;",
            '\\' | '*' | '_' | '[' | ']' | '~' | '|' => {
                text.push('\\');
                text.push(character);
            }
            _ => text.push(character),
        }
    }
    text
}

/// Formats the title of a `<summary>`, which is HTML.
pub(super) fn summary(title: &str) -> Cow<'_, str> {
    let is_ordinary = |it: char| it.is_ascii_alphanumeric() || " /.-:_".contains(it);
    if title.chars().all(is_ordinary) && !title.split_whitespace().any(is_linked) {
        return title.into();
    }
    let mut text = "<code>".to_owned();
    for character in escape::line(title).chars() {
        match character {
            '&' => text += "&amp;",
            '<' => text += "&lt;",
            '>' => text += "&gt;",
            _ => text.push(character),
        }
    }
    (text + "</code>").into()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{code, summary, text};

    #[rstest]
    #[case::ordinary("use `1.34.7`, not `a|b`", "use `1.34.7`, not `a\\|b`")]
    #[case::brackets("spec.workers[0] < 3 & *", "spec.workers\\[0\\] &lt; 3 &amp; \\*")]
    #[case::link("`a`[Approve](https://e)", "`a` `[Approve](https://e`)")]
    #[case::linked(
        "see https://e or www.e (GH-1) by @a",
        "see `https://e` or `www.e` (`GH-1`) by `@a`"
    )]
    #[case::commit("since ab12cd3 in high-availability", "since `ab12cd3` in high-availability")]
    #[case::block("- a - b", "`-` a - b")]
    #[case::odd("a `b", "a `b`")]
    #[case::adjacent("`a``b`", "`a` `b`")]
    #[case::line("a\nb\u{1b}", "a b\\\\u{1b}")]
    fn a_sentence_is_escaped(#[case] sentence: &str, #[case] want: &str) {
        assert_eq!(text(sentence), want);
    }

    #[rstest]
    #[case::empty("", "` `")]
    #[case::fences("a``b", "``` a``b ```")]
    #[case::cell("a\\|b|", "`a\\u{5c}\\|b\\|`")]
    fn code_is_fenced(#[case] value: &str, #[case] want: &str) {
        assert_eq!(code(value), want);
    }

    #[rstest]
    #[case("Shoot garden-dev/web", "Shoot garden-dev/web")]
    #[case("Shoot a/b#1", "<code>Shoot a/b#1</code>")]
    #[case("<img>", "<code>&lt;img&gt;</code>")]
    fn titles_are_escaped(#[case] title: &str, #[case] want: &str) {
        assert_eq!(summary(title), want);
    }
}
