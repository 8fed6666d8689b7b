// SPDX-License-Identifier: Apache-2.0
//! The list of Projects whose forecasts a server publishes.

use jiff::Timestamp;
use maud::{Markup, html};
use serde::Serialize;

use super::page::{page, table};
use super::pretty::json_document;
use super::truncation::counted;

/// A Project whose forecast is published.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishedProject {
    /// The Project; empty if it is unknown.
    pub project: String,
    /// The namespace.
    pub namespace: String,
    /// The number of Shoots.
    pub shoots: usize,
    /// The next forced update.
    pub next_forced: Option<Timestamp>,
    /// The number of blocked updates.
    pub blocked: usize,
    /// The number of Shoots that would be refused.
    pub denied: usize,
    /// The number of other Shoots with warnings.
    pub warned: usize,
}

#[derive(Serialize)]
struct Document<'a> {
    at: Timestamp,
    projects: &'a [PublishedProject],
}

const HEADS: [&str; 7] = [
    "Project",
    "Shoots",
    "Next forced update",
    "Blocked updates",
    "Shoots refused",
    "Shoots with warnings",
    "Pages",
];

/// Formats the list of Projects as an HTML page with links.
pub fn projects_html(at: Timestamp, projects: &[PublishedProject]) -> String {
    let count =
        counted(projects.len(), "Project", "Projects").unwrap_or_else(|| "no Projects".to_owned());
    let rows = html! { @for project in projects { (row(project)) } };
    let body = html! {
        main {
            h1 { "Maintenance of Shoots by Project" }
            p { strong { (count) } " with Shoots, as of " (format!("{at:.0}")) }
            (table(Some("Times are in UTC."), &HEADS, &rows))
        }
    };
    page("Maintenance of Shoots by Project", &body, None)
}

fn row(row: &PublishedProject) -> Markup {
    let next = row.next_forced.map(|at| at.strftime("%F %H:%M").to_string());
    html! {
        tr role="row" {
            td role="cell" data-head=(HEADS[0]) {
                @if row.project.is_empty() { (row.namespace) " (no Project)" } @else { (row.project) }
            }
            td role="cell" data-head=(HEADS[1]) { (row.shoots) }
            td role="cell" data-head=(HEADS[2]) { (next.unwrap_or_default()) }
            td role="cell" data-head=(HEADS[3]).class-blocked[row.blocked > 0] { (row.blocked) }
            td role="cell" data-head=(HEADS[4]).class-blocked[row.denied > 0] { (row.denied) }
            td role="cell" data-head=(HEADS[5]) { (row.warned) }
            td role="cell" data-head=(HEADS[6]) {
                @if !row.project.is_empty() { (links(&row.project)) }
            }
        }
    }
}

fn links(project: &str) -> Markup {
    let query = format!("?project={project}");
    html! {
        a href={ "forecast" (query) } aria-label={ "Forecast of " (project) } { "forecast" }
        " · "
        a href={ "forecast.ics" (query) } aria-label={ "Calendar of " (project) } { "calendar" }
        " · "
        a href={ "audit" (query) } aria-label={ "Audit of " (project) } { "audit" }
    }
}

/// Formats the list of Projects as JSON.
///
/// # Errors
/// Fails if `serde_json` fails, which does not happen for strings.
pub fn projects_json(at: Timestamp, projects: &[PublishedProject]) -> serde_json::Result<String> {
    json_document(&Document { at, projects })
}
