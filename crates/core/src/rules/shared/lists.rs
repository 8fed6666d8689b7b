// SPDX-License-Identifier: Apache-2.0
//! Formatting of names and lists in messages.

use std::borrow::Cow;
use std::fmt::Display;

use crate::admission::{Applicability, Context, Help, Remedy};
use garden_gate_model::api::Kind;
use garden_gate_text::nearest::{is_typo, meant, suggestion};

/// Maximum number of names in a message; the others are counted.
const MOST: usize = 5;
/// Maximum length of a name in a message, in bytes; longer than any valid name with a value.
const LONGEST: usize = 512;

/// Formats names in their order.
pub(crate) fn list(names: impl IntoIterator<Item: Display>) -> String {
    first(names, MOST)
}

/// Formats the first `most` names in their order.
pub(crate) fn first(names: impl IntoIterator<Item: Display>, most: usize) -> String {
    first_as(names, most, |name| format!("`{}`", short(&name.to_string())))
}

/// Formats values in their order, each with `show`.
pub(crate) fn list_as<T>(
    values: impl IntoIterator<Item = T>,
    show: impl Fn(T) -> String,
) -> String {
    first_as(values, MOST, show)
}

fn first_as<T>(
    values: impl IntoIterator<Item = T>,
    most: usize,
    show: impl Fn(T) -> String,
) -> String {
    let mut values = values.into_iter();
    let shown: Vec<String> = values.by_ref().take(most).map(show).collect();
    match (shown.is_empty(), values.count()) {
        (true, _) => "none".to_owned(),
        (false, 0) => shown.join(", "),
        (false, more) => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Returns a help that lists the values which a profile offers, or says that it offers none.
pub(crate) fn use_one_of(offered: impl IntoIterator<Item: Display>) -> String {
    let mut offered = offered.into_iter().peekable();
    match offered.peek() {
        Some(_) => format!("use one of {}", list(offered)),
        None => "the profile offers none; remove it, or ask a garden operator to add it there"
            .to_owned(),
    }
}

/// Maximum number of names in a similarity search.
const COMPARED: usize = 1000;

/// Minimum length of names in a similarity search, in bytes.
const SHORTEST: usize = 3;

/// Returns "did you mean `…`?" for a name that does not exist, if a known one is similar.
pub(crate) fn similar<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<Help> {
    if wanted.len() < SHORTEST {
        return None;
    }
    let known: Vec<&str> = known.into_iter().take(COMPARED).collect();
    let meant = meant(wanted, &known);
    let text = suggestion(&meant)?;
    Some(Help::of(text, replacement(wanted, &meant, &known)))
}

/// Returns the remedy for a name that only one known name is similar to.
fn replacement(wanted: &str, meant: &[&str], known: &[&str]) -> Option<Remedy> {
    let [meant] = *meant else {
        return None;
    };
    let is_only = || known.iter().filter(|it| is_typo(wanted, it)).nth(1).is_none();
    let applicability = if is_typo(wanted, meant) && is_only() {
        Applicability::Safe
    } else {
        Applicability::Suggestion
    };
    Some(Remedy::Set(meant.into(), applicability))
}

/// Returns the help for an unsupported value: a similar one, if any, and all allowed values.
pub(crate) fn one_of(wanted: &str, allowed: &[&str]) -> Help {
    let named = allowed.iter().copied().filter(|it| !it.is_empty());
    let meant = similar(wanted, named.clone());
    let only = match named.clone().collect::<Vec<_>>()[..] {
        [only] => Some(Remedy::Set(only.into(), Applicability::Suggestion)),
        _ => None,
    };
    let (meant, remedy) = match meant {
        Some(Help { text, remedy }) => (format!("{text} "), remedy),
        None => (String::new(), None),
    };
    let named: Vec<String> = named.map(|it| format!("`{it}`")).collect();
    let text = format!("{meant}use one of {}", named.join(", "));
    Help::of(text, remedy.or(only))
}

/// Returns the help for a name of an object that does not exist: a similar name, or `otherwise`.
///
/// Only for kinds whose names the requester may read: CloudProfiles, ExposureClasses and Seeds, which Gardener lets all authenticated
/// users list (`gardener.cloud:system:read-global-resources`), and objects of the namespace of the request.
pub(crate) fn instead_of_missing(
    context: &Context<'_>,
    kind: Kind,
    name: &str,
    otherwise: &str,
) -> Help {
    let namespace = if kind.is_namespaced() { context.request.namespace.as_str() } else { "" };
    let known = context.names(kind, namespace);
    let mut help = similar(name, known).unwrap_or_else(|| otherwise.into());
    // Another object with a similar name may exist on purpose.
    if let Some(Remedy::Set(_, applicability)) = &mut help.remedy {
        *applicability = Applicability::Suggestion;
    }
    help
}

/// Truncates a string that is repeated in many messages.
pub(crate) fn short(text: &str) -> Cow<'_, str> {
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
    fn help_names_no_value_where_a_profile_offers_none() {
        assert_eq!(use_one_of(["a", "b"]), "use one of `a`, `b`");
        let none = use_one_of([""; 0]);
        assert!(!none.contains("one of"), "{none}");
    }

    #[test]
    fn a_text_without_end_is_cut_between_two_letters() {
        assert_eq!(short("garden-dev"), "garden-dev");
        let long = short(&"ä".repeat(LONGEST)).into_owned();
        assert_eq!(long, format!("{}…", "ä".repeat(LONGEST / 2)));
    }
}
