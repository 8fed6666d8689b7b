// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use maud::{Markup, html};

use super::super::ForecastReport;
use super::super::group::what;
use super::super::row::{Row, Section, rows};
use super::super::totals::counted;
use super::chart::{chart, legend};
use super::project_part::{ProjectPart, by_project};
use super::table::table;
use crate::report::page::sentence;
use crate::report::truncation::number;

/// Maximum number of Shoots and events with timelines and tables by default, which take about a kilobyte each.
const COMPLETE: usize = 500;
/// Maximum size of the lists of a page without timelines, in bytes.
const LISTS: usize = 600_000;
/// Maximum number of Shoots in the list of a change.
const LISTED: usize = 2_000;
/// Maximum number of listed Shoots without a forecast in a Project, on a page without timelines.
const MISSING: usize = 200;
/// Maximum number of Projects that are open at first.
const OPEN: usize = 1;

/// Reports whether the page has a timeline and a table for each Project.
pub(super) fn is_complete(report: ForecastReport<'_>) -> bool {
    let outlook = report.outlook;
    let shoots = outlook.shoots.len() + outlook.unforeseen.len();
    report.is_detailed || shoots + outlook.events().count() <= COMPLETE
}

/// Returns the Projects, folded.
pub(super) fn projects(report: ForecastReport<'_>) -> Markup {
    let outlook = report.outlook;
    let rows = rows(outlook.shoots.iter());
    let projects = by_project(outlook, &rows);
    if is_complete(report) {
        let is_open = report.is_small() || projects.len() <= OPEN;
        return html! {
            (legend())
            @for (name, part) in &projects {
                @let content = html! {
                    (chart(outlook, part))
                    (table(outlook, part))
                    (missing(part, usize::MAX))
                };
                (project(name, part, is_open, &content))
            }
            @if projects.is_empty() { p { "No Shoots." } }
        };
    }
    let mut lists = Vec::new();
    let mut size = 0;
    for (name, part) in &projects {
        let list = project(name, part, false, &html! { (list(part)) (missing(part, MISSING)) });
        size += list.0.len();
        if size > LISTS {
            break;
        }
        lists.push(list);
    }
    let more = projects.len() - lists.len();
    html! {
        p { "Timelines and tables are in a page of fewer Shoots, or with " code { "--details" } "." }
        @for list in &lists { (list) }
        @if let Some(more) = counted(more, "other Project", "other Projects") { p { "and " (more) } }
    }
}

fn project(name: &str, part: &ProjectPart<'_>, is_open: bool, content: &Markup) -> Markup {
    let shoots = part.shoots.len() + part.missing.len();
    let shoots = counted(shoots, "Shoot", "Shoots");
    let is_urgent = |(_, row): &&(usize, Row<'_>)| row.section() == Section::Act;
    let urgent = part.rows.iter().filter(is_urgent).count() + part.missing.len();
    html! {
        details.project open[is_open] {
            summary {
                strong { (name) } " · " (shoots.unwrap_or_default())
                @if urgent > 0 { " · " span.class-blocked { (number(urgent)) " to act on" } }
            }
            (content)
        }
    }
}

/// Returns the Shoots of a Project without a forecast.
fn missing(part: &ProjectPart<'_>, limit: usize) -> Markup {
    html! {
        @for shoot in part.missing.iter().take(limit) {
            p { (shoot.title()) ": no forecast: " (sentence(&shoot.why)) }
        }
        @if part.missing.len() > limit { p { "and " (number(part.missing.len() - limit)) " more" } }
    }
}

/// Returns the Shoots of a Project by change, each with its day.
fn list(part: &ProjectPart<'_>) -> Markup {
    let mut changes: BTreeMap<(Section, String), Vec<&Row<'_>>> = BTreeMap::new();
    for (_, row) in &part.rows {
        changes.entry((row.section(), what(row))).or_default().push(row);
    }
    html! {
        @for ((section, what), rows) in &changes {
            p.change-of {
                strong { (section.title()) } ": " (what) ": "
                @for (index, row) in rows.iter().take(LISTED).enumerate() {
                    @if index > 0 { ", " }
                    (row.shoot.forecast.name) " (" (row.day().strftime("%-d %b %Y")) ")"
                }
                @if rows.len() > LISTED { " and " (number(rows.len() - LISTED)) " more" }
            }
        }
    }
}
