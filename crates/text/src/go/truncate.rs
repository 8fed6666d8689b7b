// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

/// Truncates `text` to at most `limit` bytes, at a character boundary, and marks the end with `…`.
pub fn clip<'a>(text: impl Into<Cow<'a, str>>, limit: usize) -> String {
    const MARK: &str = "…";
    let text = text.into();
    if text.len() <= limit {
        return text.into_owned();
    }
    let end = text.floor_char_boundary(limit.saturating_sub(MARK.len()));
    format!("{}{MARK}", &text[..end])
}

/// Formats the number of items that are left out, such as `and 3 more`.
pub fn and_more(count: usize) -> String {
    format!("and {count} more")
}

#[cfg(test)]
mod tests {
    use super::clip;

    #[test]
    fn a_text_is_cut_between_characters() {
        for (text, limit, want) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "…"),
            ("abcdef", 5, "ab…"),
            ("äöü", 5, "ä…"),
            ("", 0, ""),
        ] {
            assert_eq!(clip(text, limit), want, "{text:?} to {limit}");
        }
    }
}
