// SPDX-License-Identifier: Apache-2.0
//! Escapes for strings from outside (manifests, file names, API servers, users), one function for each kind of output.
//!
//! | output | function |
//! |---|---|
//! | terminals and logs, a whole line | [`line()`] |
//! | terminals and logs, a part of a line | [`value`] |
//! | texts of several lines | [`lines`] |
//! | JSON | [`json`] |
//! | JSON for a page, which shows its strings | [`json_shown`] |
//!
//! Control characters, and characters that have no glyph or change the direction of text, are written as `\n` or `\u{1b}`.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use crate::go::clip;

/// The beginning of a workflow command of GitHub Actions, after white space at the beginning of a line.
const COMMAND: &str = "::";
/// The beginning of a workflow command in the old syntax, anywhere in a line.
const OLD_COMMAND: &str = "##[";
/// [`OLD_COMMAND`], so that it begins none.
const NO_COMMAND: &str = "##\\u{5b}";

/// Whether a character is a control character, ends a line, changes the direction of text, or is invisible.
pub fn is_unsafe(character: char) -> bool {
    match character {
        ' '..='~' => false,
        '\0'..='\u{9f}' => true,
        // Unicode's "default ignorable" code points except variation selectors, line and paragraph separators, noncharacters.
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        '\u{fdd0}'..='\u{fdef}' => true,
        _ => u32::from(character) & 0xfffe == 0xfffe,
    }
}

/// Escapes a part of a line.
pub fn value(text: &str) -> Cow<'_, str> {
    replaced(text, |_| false)
}

/// Escapes a part of a line, and cuts it to at most `limit` bytes.
pub fn value_within<'a>(text: impl Into<Cow<'a, str>>, limit: usize) -> String {
    let text = clip(text, limit);
    match value(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(escaped) => clip(escaped, limit),
    }
}

/// Encodes the path of a URI: all bytes but unreserved characters and `/` are percent-encoded.
pub fn uri_path(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => {
                // Writing to a string does not fail.
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}

/// Joins an error and its causes, except those that an outer error repeats.
pub fn causes(causes: impl Iterator<Item = String>) -> String {
    causes.fold(String::new(), |text, cause| match text.as_str() {
        "" => cause,
        outer if outer.contains(&cause) => text,
        outer => format!("{outer}: {cause}"),
    })
}

/// Escapes a whole line, which no CI system takes for a command then.
pub fn line(line: &str) -> Cow<'_, str> {
    without_commands(value(line))
}

/// Escapes each line of a text; line feeds stay.
pub fn lines(text: &str) -> Cow<'_, str> {
    each_line(text, line)
}

/// As [`lines`], for a text that the program has coloured: `ESC [ 1 ; 31 m` stays, too, and so do hyperlinks.
pub fn painted_lines(text: &str) -> Cow<'_, str> {
    each_line(text, painted_line)
}

/// As [`line()`], for a line that the program has coloured.
pub fn painted_line(line: &str) -> Cow<'_, str> {
    let mut escaped = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('\u{1b}') {
        let (before, sequence) = rest.split_at(at);
        // Other sequences are escaped.
        let length = colour(sequence).or_else(|| hyperlink(sequence)).unwrap_or_default();
        let end = length.max(1);
        escaped.push_str(&value(before));
        match length {
            0 => escaped.push_str(&value(&sequence[..end])),
            _ => escaped.push_str(&sequence[..end]),
        }
        rest = &sequence[end..];
    }
    if escaped.is_empty() {
        return self::line(line);
    }
    escaped.push_str(&value(rest));
    without_commands(escaped.into())
}

/// The length of the sequence that changes colours, with which a text begins.
fn colour(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|it: char| !it.is_ascii_digit() && it != ';')?;
    parameters[end..].starts_with('m').then_some(end + 3)
}

/// The length of the sequence that begins or ends a hyperlink, with which a text begins.
fn hyperlink(text: &str) -> Option<usize> {
    const BEGIN: &str = "\u{1b}]8;;";
    const END: &str = "\u{1b}\\";
    let url = text.strip_prefix(BEGIN)?;
    let (url, _) = url.split_once(END)?;
    (url.is_empty() || is_link(url)).then_some(BEGIN.len() + url.len() + END.len())
}

/// Reports whether a text is a URL of a web page that terminals and pages may link to.
pub fn is_link(url: &str) -> bool {
    let is_web = url.starts_with("https://") || url.starts_with("http://");
    is_web && url.bytes().all(|it| it.is_ascii_graphic())
}

/// Escapes a line of a file, and moves the `span` of bytes that is marked in it. Tabs stay, the renderer expands them.
pub fn excerpt(line: &str, span: Range<usize>) -> (Cow<'_, str>, Range<usize>) {
    let escaped = |text| replaced(text, |it| it == '\t');
    let (Some(before), Some(marked), Some(behind)) =
        (line.get(..span.start), line.get(span.clone()), line.get(span.end..))
    else {
        return (escaped(line), span);
    };
    let (before, marked, behind) = (escaped(before), escaped(marked), escaped(behind));
    let span = before.len()..before.len() + marked.len();
    match (&before, &marked, &behind) {
        (Cow::Borrowed(_), Cow::Borrowed(_), Cow::Borrowed(_)) => (line.into(), span),
        _ => ([before, marked, behind].concat().into(), span),
    }
}

/// Escapes JSON, or a part of a string in it, without changing its meaning. Line feeds stay: they are between values, not in strings.
pub fn json(text: &str) -> Cow<'_, str> {
    let is_wanted = |it| is_unsafe(it) && it != '\n';
    if !text.contains(is_wanted) {
        return if text.contains(OLD_COMMAND) {
            text.replace(OLD_COMMAND, "##\\u005b").into()
        } else {
            text.into()
        };
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_wanted(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
    }
    escaped.replace(OLD_COMMAND, "##\\u005b").into()
}

/// Escapes JSON for a page: characters in strings that are invisible or change the direction of text become text such as `\\u{202e}`.
pub fn json_shown(text: &str) -> Cow<'_, str> {
    let shown = replaced_with(
        text,
        |_| false,
        |character, escaped| {
            escaped.push('\\');
            escaped.extend(character.escape_default());
        },
    );
    // A job may print the file.
    if shown.contains(OLD_COMMAND) {
        return shown.replace(OLD_COMMAND, "##\\u005b").into();
    }
    shown
}

/// Whether [`lines`] has nothing to escape.
pub fn is_clean(text: &str) -> bool {
    matches!(lines(text), Cow::Borrowed(_))
}

fn replaced(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    replaced_with(text, stays, |character, escaped| escaped.extend(character.escape_default()))
}

fn replaced_with(
    text: &str,
    stays: impl Fn(char) -> bool,
    escape: impl Fn(char, &mut String),
) -> Cow<'_, str> {
    let is_wanted = |it| is_unsafe(it) && !stays(it);
    if !text.contains(is_wanted) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_wanted(character) {
            escape(character, &mut escaped);
        } else {
            escaped.push(character);
        }
    }
    escaped.into()
}

fn without_commands(mut line: Cow<'_, str>) -> Cow<'_, str> {
    if line.contains(OLD_COMMAND) {
        line = line.replace(OLD_COMMAND, NO_COMMAND).into();
    }
    let behind = line.trim_start();
    match behind.strip_prefix(COMMAND) {
        None => line,
        Some(rest) => {
            let indent = &line[..line.len() - behind.len()];
            [indent, "\\u{3a}:", rest].concat().into()
        }
    }
}

fn each_line(text: &str, escape: impl Fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    let is_clean = |line: &str| matches!(escape(line), Cow::Borrowed(_));
    if text.split('\n').all(is_clean) {
        return text.into();
    }
    let escaped: Vec<Cow<'_, str>> = text.split('\n').map(escape).collect();
    escaped.join("\n").into()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;
    use rstest::rstest;
    use serde_json::Value;

    use super::{
        causes, excerpt, is_unsafe, json, json_shown, line, lines, painted_line, value,
        value_within,
    };

    #[rstest]
    #[case::one(&["invalid key"], "invalid key")]
    #[case::another(&["invalid key", "no such file"], "invalid key: no such file")]
    #[case::repeated(&["invalid key: no such file", "no such file"], "invalid key: no such file")]
    fn causes_are_named_once(#[case] chain: &[&str], #[case] expected: &str) {
        assert_eq!(causes(chain.iter().map(ToString::to_string)), expected);
    }

    #[rstest]
    #[case::plain("plain `ä` 漢 👍", "plain `ä` 漢 👍")]
    #[case::breaks("a\nb\r\tc\u{2028}", "a\\nb\\r\\tc\\u{2028}")]
    #[case::escape_sequence("\u{1b}[31m\u{9b}2K\u{7f}", "\\u{1b}[31m\\u{9b}2K\\u{7f}")]
    #[case::direction("\u{202e}a\u{2066}b\u{61c}", "\\u{202e}a\\u{2066}b\\u{61c}")]
    #[case::invisible("a\u{200b}b\u{feff}\u{ad}\u{e0041}", "a\\u{200b}b\\u{feff}\\u{ad}\\u{e0041}")]
    #[case::command(" ::error::x", " \\u{3a}:error::x")]
    #[case::old_command("a ##[error]x", "a ##\\u{5b}error]x")]
    #[case::no_command("a ::error::x # [a]", "a ::error::x # [a]")]
    fn a_line_is_escaped(#[case] text: &str, #[case] want: &str) {
        assert_eq!(line(text), want);
    }

    #[rstest]
    #[case::bold("\u{1b}[1ma\u{1b}[0m", "\u{1b}[1ma\u{1b}[0m")]
    #[case::several("\u{1b}[38;5;9ma\u{1b}[0m\t", "\u{1b}[38;5;9ma\u{1b}[0m\\t")]
    #[case::cursor("\u{1b}[1ma\u{1b}[2Kb\u{1b}", "\u{1b}[1ma\\u{1b}[2Kb\\u{1b}")]
    #[case::none("a\u{9b}", "a\\u{9b}")]
    #[case::link(
        "\u{1b}]8;;https://e/a\u{1b}\\id\u{1b}]8;;\u{1b}\\",
        "\u{1b}]8;;https://e/a\u{1b}\\id\u{1b}]8;;\u{1b}\\"
    )]
    #[case::link_without_end("\u{1b}]8;;https://e/a", "\\u{1b}]8;;https://e/a")]
    #[case::link_to_script("\u{1b}]8;;javascript:a\u{1b}\\x", "\\u{1b}]8;;javascript:a\\u{1b}\\x")]
    #[case::sequence_in_link(
        "\u{1b}]8;;https://e\u{1b}[2J\u{1b}\\x",
        "\\u{1b}]8;;https://e\\u{1b}[2J\\u{1b}\\x"
    )]
    fn colours_and_links_stay(#[case] text: &str, #[case] want: &str) {
        assert_eq!(painted_line(text), want);
    }

    #[test]
    fn a_long_text_is_cut() {
        assert!(value_within("x".repeat(7 << 20), 200).len() <= 200);
        assert!(value_within("\n".repeat(200), 200).len() <= 200);
    }

    #[test]
    fn what_is_marked_stays_marked() {
        let (text, span) = excerpt("\ta: \u{1b}b\u{200b}c", 5..9);
        assert_eq!((&*text, &text[span]), ("\ta: \\u{1b}b\\u{200b}c", "b\\u{200b}"));
        let ordinary = excerpt("a: b", 3..4);
        assert!(matches!(ordinary, (Cow::Borrowed("a: b"), _)));
    }

    proptest! {
        #[test]
        fn nothing_unsafe_is_left(text in "(\\PC|\\p{C}|::|##\\[|\n){0,20}") {
            prop_assert!(!value(&text).contains(is_unsafe));
            let escaped = lines(&text);
            prop_assert_eq!(escaped.matches('\n').count(), text.matches('\n').count());
            prop_assert!(!escaped.contains("##["));
            for line in escaped.split('\n') {
                prop_assert!(!line.contains(is_unsafe));
                prop_assert!(!line.trim_start().starts_with("::"));
                prop_assert_eq!(super::line(line), line);
            }
        }

        #[test]
        fn json_for_a_page_shows_escapes(text in "(\\PC|\\p{C}){0,20}") {
            let written = serde_json::to_string(&[&text]).unwrap();
            let shown: Vec<String> = serde_json::from_str(&json_shown(&written)).unwrap();
            // JSON escapes these.
            let is_control = |it: char| it < ' ';
            prop_assert!(!shown[0].contains(|it| is_unsafe(it) && !is_control(it)));
            prop_assert_eq!(value(&shown[0]), value(&text));
        }

        #[test]
        fn json_means_the_same(text in "(\\PC|\\p{C}|##\\[){0,20}") {
            let written = serde_json::to_string_pretty(&[&text]).unwrap();
            let escaped = json(&written);
            prop_assert!(!escaped.contains(|it| is_unsafe(it) && it != '\n'));
            prop_assert!(!escaped.contains("##["));
            prop_assert_eq!(
                serde_json::from_str::<Value>(&escaped).unwrap(),
                Value::from(vec![text])
            );
        }
    }
}
