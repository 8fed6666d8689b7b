// SPDX-License-Identifier: Apache-2.0
use maud::{Markup, html};

use super::super::group::{Group, Item};
use super::super::row::{NOTHING_TO_DO, Section};
use crate::report::page::{ChangeRow, changes, section as page_section};
use crate::report::truncation::number;

/// Returns the section of a group.
pub(super) fn section(group: &Group<'_>) -> Markup {
    let items = html! {
        @if !group.items.is_empty() { (changes(group.items.iter().map(row))) }
        @if group.more > 0 { p { "and " (number(group.more)) " more" } }
    };
    let is_quiet = group.section == Section::Regular && group.count > 0;
    let content = html! {
        @if is_quiet { details { summary { "Show" } (items) } }
        @else if group.count == 0 { p.none { "None." } }
        @else { (items) }
    };
    let count = number(group.count);
    let count = if is_quiet { format!("{count}, {NOTHING_TO_DO}") } else { count };
    let is_urgent = group.section == Section::Act && group.count > 0;
    page_section(
        address(group.section).strip_prefix('#'),
        group.section.title(),
        is_urgent,
        &count,
        &content,
    )
}

/// Returns the address of a section in the page.
pub(super) fn address(section: Section) -> &'static str {
    match section {
        Section::Act => "#act",
        Section::Forced => "#forced",
        Section::Regular => "#regular",
    }
}

fn row(item: &Item) -> ChangeRow<'_> {
    let has_nothing_to_do = item.advice.iter().all(|it| it == NOTHING_TO_DO);
    ChangeRow {
        when: html! { (item.when) },
        who: html! { (item.who) },
        what: &item.what,
        why: &item.why,
        advice: if has_nothing_to_do { &[] } else { &item.advice },
    }
}
