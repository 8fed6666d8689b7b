// SPDX-License-Identifier: Apache-2.0
//! Components that pages and the site share; `web/base.css` has their styles.

use maud::{Markup, html};

use super::{bare_table, sentence};
use crate::report::truncation::number;

/// The heads of a table of changes.
const CHANGES: [&str; 5] = ["When", "Shoots", "Change", "Why", "What to do"];

/// A number, with a link to the objects that it counts.
pub(crate) struct Tile<'a> {
    pub(crate) count: usize,
    pub(crate) label: &'a str,
    pub(crate) look: TileLook,
    /// The address in the page.
    pub(crate) address: &'a str,
}

/// The urgency of what a tile counts. A zero is never urgent.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum TileLook {
    Must,
    Forced,
    NotKnown,
    Plain,
}

/// A row of a table of changes.
pub(crate) struct ChangeRow<'a> {
    pub(crate) when: Markup,
    pub(crate) who: Markup,
    pub(crate) what: &'a str,
    /// The reasons and effects, one sentence each.
    pub(crate) why: &'a [String],
    /// The actions, one sentence each.
    pub(crate) advice: &'a [String],
}

impl TileLook {
    fn class(self) -> &'static str {
        match self {
            Self::Must => "tile-must",
            Self::Forced => "tile-forced",
            Self::NotKnown => "tile-not",
            Self::Plain => "",
        }
    }
}

/// Formats tiles, most urgent first.
pub(crate) fn tiles(tiles: &[Tile<'_>]) -> Markup {
    html! {
        ul.tiles {
            @for Tile { count, label, look, address } in tiles {
                li {
                    a.tile.(look.class())[*count > 0 && *look != TileLook::Plain] href=(address) { strong { (number(*count)) } " " span { (label) } }
                }
            }
        }
    }
}

/// Formats a section, whose heading has the number of its entries.
pub(crate) fn section(
    id: Option<&str>,
    title: &str,
    is_urgent: bool,
    count: &str,
    content: &Markup,
) -> Markup {
    html! {
        section.section.urgent[is_urgent] id=[id] {
            h2 { (title) " " span.count { (count) } }
            (content)
        }
    }
}

/// Formats changes of Shoots as a table.
pub(crate) fn changes<'a>(rows: impl Iterator<Item = ChangeRow<'a>>) -> Markup {
    let rows = html! {
        @for ChangeRow { when, who, what, why, advice } in rows {
            tr role="row" {
                td role="cell" data-head=(CHANGES[0]) { (when) }
                td role="cell" data-head=(CHANGES[1]) { (who) }
                td role="cell" data-head=(CHANGES[2]) { p { (sentence(what)) } }
                td role="cell" data-head=(CHANGES[3]) { @for it in why { p { (sentence(it)) } } }
                td role="cell" data-head=(CHANGES[4]) { @for it in advice { p { (sentence(it)) } } }
            }
        }
    };
    bare_table(Some("items"), None, &CHANGES, &rows)
}
