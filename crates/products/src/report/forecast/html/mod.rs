//! A forecast as an HTML page in a single file.
//!
//! The page loads nothing. Its script only sorts, filters and folds.

mod chart;
mod style;
mod table;

use maud::{Markup, html};

use self::chart::chart;
use self::table::table;
use super::row::rows;
use super::text::{remarks, standings, unforeseen};
use super::totals::{counts, extent};
use crate::forecast::Outlook;
use crate::report::page::{SCRIPT, page, sentence};
use style::Look;

/// Formats a forecast as an HTML page.
pub fn forecast_html(outlook: &Outlook) -> String {
    let rows = rows(outlook);
    let title = format!("Maintenance of Shoots: {}", counts(outlook));
    let body = html! {
        a.skip href="#events" { "To the table" }
        main {
            h1 { "Maintenance of Shoots" }
            p { strong { (counts(outlook)) } " · " (extent(outlook)) }
            (controls())
            h2 { "Timeline" }
            (legend())
            (chart(outlook, &rows))
            h2 #events { "Changes" }
            (table(outlook, &rows))
            (list("Stays behind", &standings(outlook)))
            (list("To note", &remarks(outlook)))
            (list("Not forecast", &unforeseen(&outlook.unforeseen)))
        }
    };
    page(&title, &body, Some(SCRIPT))
}

/// Returns the controls that the script handles.
fn controls() -> Markup {
    html! {
        div.controls {
            label { "Search " input #search type="search" placeholder="Shoot, version, rule …"; }
            @for kind in Look::ALL {
                label { input type="checkbox" value=(kind.name()) checked; " " (kind.title()) }
            }
            button #fold type="button" aria-pressed="false" { "Unfold all" }
            span #count role="status" {}
        }
    }
}

fn legend() -> Markup {
    html! {
        p.legend {
            @for kind in Look::ALL {
                span { span.mark.(kind.name()) aria-hidden="true" {} (kind.title()) }
            }
            @for stage in ["preview", "supported", "deprecated", "expired", "unavailable"] {
                span.band.(stage) { (stage) }
            }
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
