// SPDX-License-Identifier: Apache-2.0
//! Strings in the markup of Slack.
//!
//! Input never becomes a mention, link, emphasis or emoji.

use garden_gate_text::escape;

/// Formats a sentence; parts in backticks, and words with markup, become code.
pub(super) fn slack(sentence: &str) -> String {
    let mut text = String::new();
    for (number, part) in sentence.split('`').enumerate() {
        match number % 2 {
            0 => {
                for word in part.split_inclusive(' ') {
                    let bare = word.trim_end_matches(' ');
                    if is_markup(bare) {
                        push_code(&mut text, bare);
                    } else {
                        text += &entities(bare);
                    }
                    text += &word[bare.len()..];
                }
            }
            _ => push_code(&mut text, part),
        }
    }
    text
}

/// Adds code; adjacent parts would become one, so a space separates them.
fn push_code(text: &mut String, part: &str) {
    if part.is_empty() {
        return;
    }
    if text.ends_with('`') {
        text.push(' ');
    }
    *text += &format!("`{}`", entities(part));
}

/// Reports whether Slack could format a word or make it a link.
fn is_markup(word: &str) -> bool {
    let begins =
        word.starts_with(['-', '+', '=', '>']) && word.len() > 1 && !word.starts_with("->");
    word.contains(['*', '_', '~', '@', '#', '<', '>'])
        || word.contains("://")
        || word.to_ascii_lowercase().contains("www.")
        || word.matches(':').count() > 1
        || begins
}

fn entities(text: &str) -> String {
    let mut escaped = String::new();
    for character in escape::value(text).chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::slack;

    #[rstest]
    #[case::ordinary("use `1.34.7` -> now", "use `1.34.7` `-&gt;` now")]
    #[case::channel("<!channel> a", "`&lt;!channel&gt;` a")]
    #[case::mention("hi @here", "hi `@here`")]
    #[case::link("see <https://e|x>", "see `&lt;https://e|x&gt;`")]
    #[case::bare_link("see https://e.", "see `https://e.`")]
    #[case::bold("*a* _b_ ~c~", "`*a*` `_b_` `~c~`")]
    #[case::emoji("a :fire: b", "a `:fire:` b")]
    #[case::odd_backtick("a `*b*", "a `*b*`")]
    #[case::adjacent("`a``b`", "`a` `b`")]
    #[case::line("a\nb\u{202e}", "a\\nb\\u{202e}")]
    fn a_sentence_is_escaped(#[case] sentence: &str, #[case] want: &str) {
        assert_eq!(slack(sentence), want);
    }
}
