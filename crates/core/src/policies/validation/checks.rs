// SPDX-License-Identifier: Apache-2.0
//! The checks of the [tables](super::tables), each of one field.

use std::collections::BTreeSet;

use super::field::Field;
use super::problem::Problem;
use garden_gate_cel::RESERVED;
use garden_gate_text::go::{dns_label_error, dns_subdomain_error, qualified_name_error};

/// A check of a field.
#[derive(Clone, Copy)]
pub(super) enum Check {
    /// It is present and not empty; with an example.
    Required(&'static str),
    /// Its string has more than whitespace; with an example.
    NotBlank(&'static str),
    /// Its string has more than whitespace, if it is set.
    NotBlankIfSet,
    /// Its string has this syntax, unless it is empty: returns the reason why not.
    Syntax(fn(&str) -> Option<String>),
    /// It is one of these values, if it is present.
    OneOf(&'static [&'static str]),
    /// It has at most this number of items.
    MaxItems(usize),
    /// Its string has at most this number of bytes, without whitespace around it.
    MaxBytes(usize),
    /// Its items are different.
    Unique,
    /// Its items have different values of this field.
    UniqueBy(&'static str),
    /// Its only item is `*`, if `*` is one of them.
    WildcardAlone,
    /// Anything else, about several fields.
    With(fn(&Field<'_>, &mut Vec<Problem>)),
}

impl Check {
    /// Adds the errors of a field.
    pub(super) fn run(self, field: &Field<'_>, problems: &mut Vec<Problem>) {
        if let Self::With(check) = self {
            return check(field, problems);
        }
        match self {
            Self::Unique => duplicates(field.items(), problems),
            Self::UniqueBy(name) => {
                let named = field.items().into_iter().map(|it| it.at(name));
                duplicates(named.filter(|it| !it.text().is_empty()), problems);
            }
            _ => problems.extend(
                self.error(field).map(|(message, help)| Problem::new(&field.path, message, help)),
            ),
        }
    }

    /// Returns the error of a field and the remedy.
    fn error(self, field: &Field<'_>) -> Option<(String, String)> {
        let text = field.text();
        let problem = |message: String, help: String| Some((message, help));
        match self {
            Self::Required(example) if field.is_empty() => {
                problem("is required".to_owned(), format!("write {example}"))
            }
            Self::NotBlank(example) if text.trim().is_empty() => {
                problem("is required".to_owned(), format!("write {example}"))
            }
            Self::NotBlankIfSet if !text.is_empty() && text.trim().is_empty() => problem(
                "has only whitespace".to_owned(),
                "write a value, or remove the field".to_owned(),
            ),
            Self::Syntax(reason) if !text.is_empty() => {
                let why = reason(text)?;
                problem(format!("cannot be `{}`: {why}", short(text)), String::new())
            }
            Self::OneOf(values) if field.exists() && !values.contains(&text) => problem(
                format!("cannot be `{}`", short(text)),
                format!("use {}", alternatives(values)),
            ),
            Self::MaxItems(most) if field.items().len() > most => problem(
                format!("has {} items; at most {most} are allowed", field.items().len()),
                "use several policies".to_owned(),
            ),
            Self::MaxBytes(most) if text.trim().len() > most => problem(
                format!("has {} bytes; at most {most} are allowed", text.trim().len()),
                "move parts of it to `spec.variables`".to_owned(),
            ),
            Self::WildcardAlone if field.items().len() > 1 && field.texts().contains(&"*") => {
                problem(
                    "has `*` and other values".to_owned(),
                    "write `*` alone, which includes all values, or remove it".to_owned(),
                )
            }
            _ => None,
        }
    }
}

fn duplicates<'a>(fields: impl IntoIterator<Item = Field<'a>>, problems: &mut Vec<Problem>) {
    let mut seen = BTreeSet::new();
    for field in fields {
        if !seen.insert(field.text()) {
            let message = format!("is a duplicate of `{}`", short(field.text()));
            problems.push(Problem::new(&field.path, message, "remove or rename one of them"));
        }
    }
}

/// Lists values as alternatives.
pub(super) fn alternatives(values: &[&str]) -> String {
    let values: Vec<String> = values.iter().map(|it| format!("`{it}`")).collect();
    match values.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Returns the beginning of a long value.
pub(super) fn short(text: &str) -> String {
    const MOST: usize = 100;
    let beginning: String = text.chars().take(MOST).collect();
    let rest = if beginning.len() < text.len() { "…" } else { "" };
    format!("{beginning}{rest}")
}

pub(super) fn subdomain(text: &str) -> Option<String> {
    dns_subdomain_error(text).map(str::to_owned)
}

/// As [`subdomain`], for a prefix, to which the API server appends characters.
pub(super) fn subdomain_prefix(text: &str) -> Option<String> {
    subdomain(text.strip_suffix('-').map_or(text, |it| it.trim_end_matches('-')))
}

pub(super) fn qualified_name(text: &str) -> Option<String> {
    qualified_name_error(text).map(str::to_owned)
}

/// Mirrors `isCELIdentifier` in Kubernetes' validation.
pub(super) fn identifier(text: &str) -> Option<String> {
    let is_word = |it: char| it == '_' || it.is_ascii_alphanumeric();
    let is_identifier =
        !text.starts_with(|it: char| it.is_ascii_digit()) && text.chars().all(is_word);
    if RESERVED.contains(&text) {
        return Some("CEL reserves this word; use another name".to_owned());
    }
    // A name without other characters is reported as missing.
    (!is_identifier && !text.trim().is_empty()).then(|| {
        "it has letters, digits and `_` only, and does not begin with a digit, since expressions use it as `variables.NAME`".to_owned()
    })
}

pub(super) fn one_line(text: &str) -> Option<String> {
    let has_break = text.trim().contains(['\n', '\r']);
    has_break
        .then(|| "it has line breaks; write it in one line, or use `messageExpression`".to_owned())
}

/// Mirrors `IsPathSegmentName` in `k8s.io/apimachinery/pkg/api/validate/content`.
pub(super) fn path_segment(text: &str) -> Option<String> {
    let is_wrong = matches!(text, "." | "..") || text.contains(['/', '%']);
    is_wrong
        .then(|| "the name of an object is not `.` or `..`, and has no `/` and no `%`".to_owned())
}

/// Checks an API version such as `v1` or `example.com/v1`.
pub(super) fn group_version(text: &str) -> Option<String> {
    let (group, version) = text.rsplit_once('/').unwrap_or(("", text));
    let why = match () {
        () if group.contains('/') => Some("it has more than one `/`".to_owned()),
        () if version.is_empty() => Some("it has no version".to_owned()),
        () if !group.is_empty() => {
            subdomain(group).map(|why| format!("its group is invalid: {why}"))
        }
        () => None,
    };
    let version = || dns_1035_label(version).map(|why| format!("its version is invalid: {why}"));
    let why = why.or_else(version)?;
    Some(format!("{why}; write it like `v1` or `example.com/v1`"))
}

pub(super) fn kind(text: &str) -> Option<String> {
    dns_1035_label(&text.to_lowercase())
}

/// Mirrors `IsDNS1035Label` in `k8s.io/apimachinery/pkg/util/validation`.
fn dns_1035_label(text: &str) -> Option<String> {
    if text.starts_with(|it: char| it.is_ascii_digit()) {
        return Some("it begins with a digit".to_owned());
    }
    dns_label_error(text).map(str::to_owned)
}
