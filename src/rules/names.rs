//! Names and lists for people.

use std::borrow::Cow;
use std::fmt::Display;

/// More names than these are counted, not named.
const MOST: usize = 5;
/// No name that Kubernetes accepts has as many bytes, with or without a value.
const LONGEST: usize = 512;

/// Names in their order.
pub(super) fn list(names: impl IntoIterator<Item: Display>) -> String {
    let mut names = names.into_iter();
    let quoted = |name| format!("`{}`", short(&format!("{name}")));
    let shown: Vec<String> = names.by_ref().take(MOST).map(quoted).collect();
    match (shown.is_empty(), names.count()) {
        (true, _) => "none".to_owned(),
        (false, 0) => shown.join(", "),
        (false, more) => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A text that stands in many messages, with an end.
pub(super) fn short(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST {
        return text.into();
    }
    let end = text.floor_char_boundary(LONGEST);
    format!("{}…", &text[..end]).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_names_are_shown_and_the_others_counted() {
        assert_eq!(list([0; 0]), "none");
        assert_eq!(list(["a", "b"]), "`a`, `b`");
        assert_eq!(list(1..=5), "`1`, `2`, `3`, `4`, `5`");
        assert_eq!(list(1..=7), "`1`, `2`, `3`, `4`, `5` and 2 more");
    }

    #[test]
    fn a_text_without_end_is_cut_between_two_letters() {
        assert_eq!(short("garden-dev"), "garden-dev");
        let long = short(&"ä".repeat(LONGEST)).into_owned();
        assert_eq!(long, format!("{}…", "ä".repeat(LONGEST / 2)));
    }
}
