// SPDX-License-Identifier: Apache-2.0
//! The page of the site, with the overview for the first paint and for readers without scripts.

use jiff::civil::Date;
use maud::{DOCTYPE, Markup, html};

use super::documents::Site;
use super::overview::{self, Document, Expiring, Item};
use super::playground::Playground;
use crate::report::forecast::{days, relative};
use crate::report::page::{
    ChangeRow, Tile, TileLook, bare_table, changes, section, sentence, tiles,
};
use crate::report::truncation::number;
use crate::report::truncation::number_of;
use garden_gate_text::escape;

/// Number of rows of a list before scripts run.
const ROWS: usize = 15;
/// The content security policy of a site: pages load scripts, styles and data only from their own folder or server.
pub const SITE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";

/// Where a page loads its documents, its script and its style from.
#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    /// The folder of a run.
    Folder(&'a str),
    Server,
}

impl Site<'_> {
    /// Returns the page, whose other files are in the folder `run`.
    pub(super) fn index(&self, run: &str) -> String {
        self.page(Source::Folder(run))
    }

    /// Returns the page of a server. It loads `site.css`, `site.js`, and documents below `api/v1/`.
    pub fn served(&self) -> String {
        self.page(Source::Server)
    }

    fn page(&self, source: Source<'_>) -> String {
        let (run, name, folder) = match source {
            Source::Folder(run) => (Some(run), "files", format!("{run}/")),
            Source::Server => (None, "api", String::new()),
        };
        let examples = self.landscape.playground.as_ref().map(Playground::examples);
        let playground = examples.as_ref().map(|_| Playground::PAGE);
        let overview = overview::document(self.landscape, &self.groups);
        let page = html! {
            (DOCTYPE)
            html lang="en" data-run=[run] data-source=(name) data-playground=[playground] data-examples=[examples] {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="generator" content="garden-gate";
                    meta http-equiv="Content-Security-Policy" content=(SITE_POLICY);
                    title { "Landscape" }
                    link rel="icon" href="data:,";
                    link rel="stylesheet" href={ (folder) "site.css" };
                    script defer src={ (folder) "site.js" } {}
                }
                body {
                    div #app {
                        header.site-head { a.brand href="#/" { "garden-gate" } }
                        main #main { (body(&overview)) }
                    }
                    noscript {
                        p { "Projects, clusters, versions and findings need JavaScript. " code { "garden-gate forecast" } " and " code { "garden-gate audit" } " print the same." }
                    }
                }
            }
        };
        escape::lines(&page.into_string()).into_owned()
    }
}

fn body(overview: &Document<'_>) -> Markup {
    let today = overview.at.to_zoned(jiff::tz::TimeZone::UTC).date();
    let until =
        overview.until.to_zoned(jiff::tz::TimeZone::UTC).date().strftime("%-d %b %Y").to_string();
    let act = overview.act.len() + overview.act_more;
    html! {
        header.page-head {
            h1 #title tabindex="-1" { "Overview" }
            p.dim { "Maintenance until " (until) ", judged as Gardener " (overview.gardener) ", and findings of rules." }
        }
        @if !overview.notes.is_empty() {
            div.message role="alert" {
                p { strong { "Not everything is known" } }
                @for note in &overview.notes { p { (sentence(note)) } }
            }
        }
        (counted(overview))
        (section(None, "Must act", act > 0, &number(act), &items(&overview.act, overview.act_more, today)))
        (section(None, "Forced updates", false, &number(overview.forced.len() + overview.forced_more), &items(&overview.forced, overview.forced_more, today)))
        (section(None, "Versions that expire", false, &number(overview.counts.expiring), &expiring(&overview.expiring)))
    }
}

fn counted(overview: &Document<'_>) -> Markup {
    let counts = &overview.counts;
    let days = usize::try_from(overview.soon_days.unsigned_abs()).unwrap_or(usize::MAX);
    let forced = format!("forced within {}", number_of(days, "day", "days"));
    let tile = |count, label, look, address| Tile { count, label, look, address };
    tiles(&[
        tile(counts.must_act, "must act", TileLook::Must, "#/clusters?state=act"),
        tile(counts.forced_soon, &forced, TileLook::Forced, "#/clusters?state=forced&sort=next"),
        tile(counts.refused, "refused by rules", TileLook::Must, "#/clusters?state=refused"),
        tile(counts.not_forecast, "not known", TileLook::NotKnown, "#/clusters?state=unknown"),
        tile(counts.expiring, "versions expire", TileLook::Forced, "#/versions"),
        tile(counts.shoots, "Shoots", TileLook::Plain, "#/clusters"),
    ])
}

fn items(items: &[Item<'_>], more: usize, today: Date) -> Markup {
    let rest = items.len().saturating_sub(ROWS) + more;
    let rows = items.iter().take(ROWS).map(|item| ChangeRow {
        when: when(item, today),
        who: who(item),
        what: item.what,
        why: item.why,
        advice: item.advice,
    });
    html! {
        @if items.is_empty() { p.none { "None." } } @else { (changes(rows)) }
        @if rest > 0 { p { (number_of(rest, "more entry", "more entries")) } }
    }
}

fn when(item: &Item<'_>, today: Date) -> Markup {
    html! {
        @match (item.first, item.last) {
            (Some(first), Some(last)) => {
                p { strong { (days(first, last)) } }
                p.dim { (relative(today, first)) }
            }
            _ => p { "now" }
        }
    }
}

fn who(item: &Item<'_>) -> Markup {
    let names = item
        .examples
        .iter()
        .map(|it| {
            let of = if it.project.is_empty() { it.namespace } else { it.project };
            format!("{of}/{}", it.name)
        })
        .collect::<Vec<String>>()
        .join(", ");
    html! {
        @if item.shoots == item.examples.len() { p { (names) } }
        @else {
            p { strong { (number_of(item.shoots, "Shoot", "Shoots")) } }
            p.dim { "such as " (names) }
        }
    }
}

fn expiring(versions: &[Expiring<'_>]) -> Markup {
    let rows = html! {
        @for it in versions.iter().take(ROWS) {
            tr role="row" {
                td role="cell" data-head="Expires" { (it.at.strftime("%F").to_string()) }
                td role="cell" data-head="Version" { (it.part) " " strong { (it.version) } }
                td role="cell" data-head="Profile" { (it.profile) }
                td role="cell" data-head="Shoots" { (it.shoots) }
                td role="cell" data-head="Then" { @if it.stranded { "no update possible" } @else { "an update by then" } }
            }
        }
    };
    html! {
        @if versions.is_empty() { p.none { "None." } }
        @else { (bare_table(Some("expiring"), None, &["Expires", "Version", "Profile", "Shoots", "Then"], &rows)) }
    }
}
