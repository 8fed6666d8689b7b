// SPDX-License-Identifier: Apache-2.0
//! A forecast as an HTML page in a single file.
//!
//! The page loads nothing. Its script only sorts, filters and folds.

mod chart;
mod project_part;
mod projects;
mod sections;
mod style;
mod table;

use maud::{Markup, html};

use self::projects::{is_complete, projects};
use self::sections::{address, section};
use super::ForecastReport;
use super::group::{Group, groups};
use super::row::Section;
use super::text::lists;
use super::totals::{changed, counts, extent_of_report};
use crate::report::page::{SCRIPT, Tile, TileLook, page, sentence, tiles};
use style::Look;

/// Maximum number of items in a section; the page stays readable.
const ITEMS: usize = 100;
/// Maximum number of lines in each list below grouped events.
const LIST: usize = 50;

/// Formats a forecast as an HTML page.
///
/// Events that need a person come first, equal events once. Below, each Project has a timeline and a table; for many
/// Shoots, only a list.
pub fn forecast_html(report: ForecastReport<'_>) -> String {
    let counts = counts(report);
    let title = format!("Maintenance of Shoots: {counts}");
    let (paused, remarks) = lists(report, LIST);
    let groups = groups(report, |_| ITEMS);
    let body = html! {
        a.skip href="#events" { "To the Projects" }
        main {
            header.page-head {
                h1 { "Maintenance of Shoots" }
                p { strong { (counts) } " · " (extent_of_report(report)) }
                @if let Some(changed) = changed(report) { p { (sentence(&changed)) } }
            }
            (counted(&groups))
            @for group in &groups { (section(group)) }
            h2 #events { "By Project" }
            (controls(is_complete(report)))
            (projects(report))
            (list("Stays behind", &paused))
            (list("To note", &remarks))
        }
    };
    page(&title, &body, Some(SCRIPT))
}

/// Returns a tile for each section.
fn counted(groups: &[Group<'_>]) -> Markup {
    let each = groups.iter().map(|group| {
        let (label, look) = match group.section {
            Section::Act => ("must act", TileLook::Must),
            Section::Forced => ("forced updates", TileLook::Forced),
            Section::Regular => ("regular updates", TileLook::Plain),
        };
        Tile { count: group.count, label, look, address: address(group.section) }
    });
    tiles(&each.collect::<Vec<_>>())
}

/// Returns the controls that the script handles; pages without tables have no classes and timelines.
fn controls(is_complete: bool) -> Markup {
    html! {
        div.controls {
            label { "Search " input #search type="search" placeholder="Shoot, version, rule …"; }
            @if is_complete {
                @for kind in Look::ALL {
                    label { input type="checkbox" value=(kind.name()) checked; " " (kind.title()) }
                }
            }
            button #fold type="button" aria-pressed="false" { "Unfold all" }
            span #count role="status" {}
        }
    }
}

fn list(title: &str, lines: &[String]) -> Markup {
    html! {
        @if !lines.is_empty() {
            h2 { (title) }
            ul { @for line in lines { li { (sentence(line)) } } }
        }
    }
}
