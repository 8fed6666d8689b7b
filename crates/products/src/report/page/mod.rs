// SPDX-License-Identifier: Apache-2.0
//! The common parts of HTML pages: style, script and content security policy.

mod components;
mod index;

use std::sync::LazyLock;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use garden_gate_text::escape;

pub(super) use components::{ChangeRow, Tile, TileLook, changes, section, tiles};
pub use index::{IndexEntry, index_html};

/// The style that pages share with the site, and their own.
const STYLE: &str = concat!(include_str!("../../../../../web/base.css"), include_str!("page.css"));
/// The script of forecasts.
pub(super) const SCRIPT: &str = include_str!("page.js");
/// The script of audits.
pub(super) const AUDIT_SCRIPT: &str = include_str!("audit.js");

/// Pages load nothing and run no script but these two, whatever their strings contain.
///
/// Style attributes position the marks of a chart, which hashes cannot cover.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let [forecast, audit] = [SCRIPT, AUDIT_SCRIPT]
        .map(|script| BASE64_STANDARD.encode(Sha256::digest(script.as_bytes())));
    format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{forecast}' 'sha256-{audit}'; base-uri 'none'; form-action 'none'"
    )
});

/// Returns the content security policy of all pages.
pub fn page_policy() -> &'static str {
    &POLICY
}

/// Formats a page with this body.
pub(super) fn page(title: &str, body: &Markup, script: Option<&'static str>) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(page_policy());
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (body)
                @if let Some(script) = script { script { (PreEscaped(script)) } }
            }
        }
    };
    escape::lines(&page.into_string()).into_owned()
}

/// Formats a table with rows, whose cells repeat the heads on narrow screens, and which scrolls otherwise.
pub(super) fn table(caption: Option<&str>, heads: &[&str], rows: &Markup) -> Markup {
    html! { div.scroll { (bare_table(None, caption, heads, rows)) } }
}

/// As [`table`], without a frame that scrolls.
pub(super) fn bare_table(
    class: Option<&str>,
    caption: Option<&str>,
    heads: &[&str],
    rows: &Markup,
) -> Markup {
    html! {
        table class=[class] role="table" {
            @if let Some(caption) = caption { caption { (caption) } }
            thead role="rowgroup" {
                tr role="row" { @for head in heads { th role="columnheader" scope="col" { (head) } } }
            }
            tbody role="rowgroup" { (rows) }
        }
    }
}

/// Formats a sentence; parts in backticks are code.
pub(crate) fn sentence(text: &str) -> Markup {
    html! {
        @for (number, part) in text.split('`').enumerate() {
            @if number % 2 == 0 { (part) } @else { code { (part) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AUDIT_SCRIPT, SCRIPT, html, page};

    #[test]
    fn scripts_with_a_hash_in_the_policy_are_not_escaped() {
        for script in [SCRIPT, AUDIT_SCRIPT] {
            let page = page("t", &html! {}, Some(script));
            assert!(page.contains(&format!("<script>{script}</script>")));
        }
    }
}
