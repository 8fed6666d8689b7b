//! The page of the site, with the overview for the first paint and for readers without scripts.

use jiff::civil::Date;
use maud::{DOCTYPE, Markup, html};

use super::groups::Groups;
use super::landscape::Landscape;
use super::overview::{self, Document, Expiring, Item};
use crate::report::forecast::{days, relative};
use crate::report::page::{sentence, table};
use crate::report::truncation::number_of;
use garden_gate_text::escape;

/// Number of rows of a list before scripts run.
const ROWS: usize = 15;
/// Pages load scripts, styles and data only from their own folder or server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";

/// Returns the page of a site whose other files are in the folder `run`.
///
/// The objects of the landscape must be sorted.
pub fn site_index(landscape: &Landscape, run: &str) -> String {
    let groups = Groups::of(landscape);
    let overview = overview::document(landscape, &groups);
    let page = html! {
        (DOCTYPE)
        html lang="en" data-run=(run) data-source="files" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content="garden-gate";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { "Landscape" }
                link rel="stylesheet" href={ (run) "/site.css" };
                script defer src={ (run) "/site.js" } {}
            }
            body {
                div #app { main #main { (body(&overview)) } }
                noscript {
                    p { "Projects, clusters, versions and findings need JavaScript. " code { "garden-gate forecast" } " and " code { "garden-gate audit" } " print the same." }
                }
            }
        }
    };
    escape::lines(&page.into_string()).into_owned()
}

fn body(overview: &Document<'_>) -> Markup {
    let today = overview.at.to_zoned(jiff::tz::TimeZone::UTC).date();
    let until =
        overview.until.to_zoned(jiff::tz::TimeZone::UTC).date().strftime("%-d %b %Y").to_string();
    html! {
        header.page-head {
            h1 #title { "Overview" }
            p.dim { "Maintenance until " (until) ", judged as Gardener " (overview.gardener) ", and findings of rules." }
        }
        @if !overview.notes.is_empty() {
            div.message role="alert" {
                p { strong { "Not everything is known" } }
                @for note in &overview.notes { p { (sentence(note)) } }
            }
        }
        (tiles(overview))
        (section("Must act", overview.counts.must_act, &items(&overview.act, overview.act_more, today)))
        (section("Forced updates", overview.counts.forced, &items(&overview.forced, overview.forced_more, today)))
        (section("Versions that expire", overview.counts.expiring, &expiring(&overview.expiring)))
    }
}

fn tiles(overview: &Document<'_>) -> Markup {
    let counts = &overview.counts;
    let forced = format!(
        "forced within {}",
        number_of(overview.soon_days.unsigned_abs() as usize, "day", "days")
    );
    let tiles = [
        (counts.must_act, "must act", "must"),
        (counts.forced_soon, &*forced, "forced"),
        (counts.refused, "refused by rules", "must"),
        (counts.not_forecast, "not known", "not"),
        (counts.expiring, "versions expire", "forced"),
        (counts.shoots, "Shoots", ""),
    ];
    html! {
        ul.tiles {
            @for (count, label, look) in tiles {
                li {
                    span.tile.(format!("tile-{look}"))[count > 0 && !look.is_empty()] { strong { (count) } " " span { (label) } }
                }
            }
        }
    }
}

fn section(title: &str, count: usize, content: &Markup) -> Markup {
    html! {
        section.section {
            h2 { (title) " " span.count { (count) } }
            (content)
        }
    }
}

fn items(items: &[Item<'_>], more: usize, today: Date) -> Markup {
    let rest = items.len().saturating_sub(ROWS) + more;
    let rows = html! {
        @for item in items.iter().take(ROWS) {
            tr role="row" {
                td role="cell" data-head="When" { (when(item, today)) }
                td role="cell" data-head="Shoots" { (who(item)) }
                td role="cell" data-head="Change" { p { (sentence(item.what)) } }
                td role="cell" data-head="Why" { @for it in item.why { p { (sentence(it)) } } }
                td role="cell" data-head="What to do" { @for it in item.advice { p { (sentence(it)) } } }
            }
        }
    };
    html! {
        @if items.is_empty() { p.none { "None." } }
        @else { (table(None, &["When", "Shoots", "Change", "Why", "What to do"], &rows)) }
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
    let names = item.examples.iter().map(|it| {
        let of = if it.project.is_empty() { it.namespace } else { it.project };
        format!("{of}/{}", it.name)
    });
    let names = names.collect::<Vec<String>>().join(", ");
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
                td role="cell" data-head="Then" { @if it.stranded { "no update possible" } @else { "forced update" } }
            }
        }
    };
    html! {
        @if versions.is_empty() { p.none { "None." } }
        @else { (table(None, &["Expires", "Version", "Profile", "Shoots", "Then"], &rows)) }
    }
}
