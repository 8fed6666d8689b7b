//! Formatting of names and lists in messages.

use std::borrow::Cow;
use std::fmt::Display;

use crate::admission::Context;
use crate::api::Kind;
use crate::config::did_you_mean;

/// Maximum number of names in a message; the others are counted.
const MOST: usize = 5;
/// Maximum length of a name in a message, in bytes; longer than any valid name with a value.
const LONGEST: usize = 512;

/// Formats names in their order.
pub(in crate::rules) fn list(names: impl IntoIterator<Item: Display>) -> String {
    list_as(names, |name| format!("`{}`", short(&name.to_string())))
}

/// Formats values in their order, each with `show`.
pub(in crate::rules) fn list_as<T>(
    values: impl IntoIterator<Item = T>,
    show: impl Fn(T) -> String,
) -> String {
    let mut values = values.into_iter();
    let shown: Vec<String> = values.by_ref().take(MOST).map(show).collect();
    match (shown.is_empty(), values.count()) {
        (true, _) => "none".to_owned(),
        (false, 0) => shown.join(", "),
        (false, more) => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Maximum number of names in a similarity search.
const COMPARED: usize = 1000;

/// Minimum length of names in a similarity search, in bytes.
const SHORTEST: usize = 3;

/// Returns "did you mean `…`?" for a name that does not exist, if a known one is similar.
pub(in crate::rules) fn similar<'a>(
    wanted: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    if wanted.len() < SHORTEST {
        return None;
    }
    let known: Vec<&str> = known.into_iter().take(COMPARED).collect();
    did_you_mean(wanted, &known)
}

/// Returns the help for an unsupported value: a similar one, if any, and all allowed values.
pub(in crate::rules) fn one_of(wanted: &str, allowed: &[&str]) -> String {
    let named = allowed.iter().copied().filter(|it| !it.is_empty());
    let meant = similar(wanted, named.clone()).map(|it| format!("{it} "));
    let named: Vec<String> = named.map(|it| format!("`{it}`")).collect();
    format!(
        "{}use one of {}",
        meant.unwrap_or_default(),
        named.join(", ")
    )
}

/// Returns the help for a name of an object that does not exist: a similar name, or `otherwise`.
///
/// Only for kinds whose names the requester may read: CloudProfiles, ExposureClasses and Seeds, which Gardener lets all authenticated
/// users list (`gardener.cloud:system:read-global-resources`), and objects of the namespace of the request.
pub(in crate::rules) fn instead_of_missing(
    context: &Context<'_>,
    (kind, name): (Kind, &str),
    otherwise: &str,
) -> String {
    let namespace = match kind.is_namespaced() {
        true => context.request.namespace.as_str(),
        false => "",
    };
    let known = context.names(kind, namespace);
    similar(name, known).unwrap_or_else(|| otherwise.to_owned())
}

/// Truncates a string that is repeated in many messages.
pub(in crate::rules) fn short(text: &str) -> Cow<'_, str> {
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
