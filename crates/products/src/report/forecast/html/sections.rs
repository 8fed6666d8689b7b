use maud::{Markup, html};

use super::super::group::{Group, Item};
use super::super::row::{NOTHING_TO_DO, Section};
use super::super::text::heading;
use super::super::totals::number;
use crate::report::page::{sentence, table};

const HEADS: [&str; 5] = ["When", "Shoots", "Change", "Why", "What to do"];

/// Returns the heading of a section, and the table of its items.
pub(super) fn section(group: &Group<'_>) -> Markup {
    let is_urgent = group.section == Section::Act && group.count > 0;
    let rows = html! { @for item in &group.items { (row(item)) } };
    let items = html! {
        @if !group.items.is_empty() { (table(None, &HEADS, &rows)) }
        @if group.more > 0 { p { "and " (number(group.more)) " more" } }
    };
    html! {
        h2.section.class-blocked[is_urgent] { (heading(group)) }
        @if group.section == Section::Regular && group.count > 0 {
            details.items { summary { "Show" } (items) }
        } @else {
            (items)
        }
    }
}

fn row(item: &Item) -> Markup {
    html! {
        tr role="row" {
            td role="cell" data-head=(HEADS[0]) { (item.when) }
            td role="cell" data-head=(HEADS[1]) { (item.who) }
            td role="cell" data-head=(HEADS[2]) { (item.what) }
            td role="cell" data-head=(HEADS[3]) { @for why in &item.why { p { (sentence(why)) } } }
            td role="cell" data-head=(HEADS[4]) {
                @for advice in item.advice.iter().filter(|it| *it != NOTHING_TO_DO) { p { (sentence(advice)) } }
            }
        }
    }
}
