//! Lists for people.

use std::fmt::Display;

/// More names than these are counted, not named.
const MOST: usize = 5;

/// Names in their order.
pub(super) fn list(names: impl IntoIterator<Item: Display>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() {
        return "none".to_owned();
    }
    let shown = names[..names.len().min(MOST)].join(", ");
    match names.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
