// SPDX-License-Identifier: Apache-2.0
use maud::{Markup, html};

use super::super::row::{Row, blocker};
use super::project_part::ProjectPart;
use super::style::Look;
use crate::forecast::Outlook;
use crate::report::page::sentence;

/// The headings of the columns with their classes, which define the widths.
const HEADS: [(&str, &str); 7] = [
    ("When", "when"),
    ("Shoot", "shoot-name"),
    ("Part", "part-name"),
    ("Change", "change"),
    ("Class", "class"),
    ("Why", "why"),
    ("What to do", "before"),
];

/// Returns the events of a Project as a table with all details of the JSON document.
pub(super) fn table(outlook: &Outlook, part: &ProjectPart<'_>) -> Markup {
    html! {
        @if part.rows.is_empty() {
            p { "Nothing happens." }
        } @else {
            div.scroll {
                // The role is explicit, since browsers drop it if a narrow screen changes the layout of cells.
                table role="table" {
                    caption { "Times have the UTC offset of the maintenance window." }
                    thead role="rowgroup" {
                        tr role="row" {
                            @for (head, class) in HEADS { th.(class) role="columnheader" scope="col" { (head) } }
                        }
                    }
                    tbody role="rowgroup" { @for (number, row) in &part.rows { (line(outlook, *number, row)) } }
                }
            }
        }
    }
}

fn line(outlook: &Outlook, number: usize, row: &Row<'_>) -> Markup {
    let look = Look::of(row).name();
    let title = row.shoot.title();
    let day = row.day().strftime("%a %F");
    let effects = row.effects();
    html! {
        tr role="row" id={ "e" (number) } data-class=(look) data-shoot=(title) {
            td role="cell" data-head=(HEADS[0].0) data-key=(row.window.earliest) {
                (day) " " span.time { (row.time()) } br; span.dim { (row.in_days(outlook.at)) }
            }
            td role="cell" data-head=(HEADS[1].0) { (title) }
            td role="cell" data-head=(HEADS[2].0) { (row.event.part) }
            td role="cell" data-head=(HEADS[3].0) { (row.change()) }
            td role="cell" data-head=(HEADS[4].0).{ "class-" (look) } { (row.class()) }
            td role="cell" data-head=(HEADS[5].0) {
                p { (sentence(&row.event.cause)) }
                @if !effects.is_empty() { p { (effects) } }
                @for oddity in &row.event.oddities { p { (sentence(oddity)) } }
                @for blocked in row.blockers() { p.class-blocked { (sentence(&blocker(blocked))) } }
                @if !row.is_blocked() {
                    @for unknown in &row.window.unknown { p { "not certain: " (sentence(unknown)) } }
                }
            }
            td role="cell" data-head=(HEADS[6].0) {
                @for blocked in row.blockers() { p { (sentence(&blocked.help)) } }
                @if !row.advice_or_nothing().is_empty() { p { (sentence(row.advice_or_nothing())) } }
            }
        }
    }
}
