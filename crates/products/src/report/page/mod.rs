//! The common parts of HTML pages: style, script and content security policy.

mod index;

use std::sync::LazyLock;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use garden_gate_text::escape;

pub use index::{IndexEntry, index_html};

const STYLE: &str = include_str!("page.css");
/// The script of forecasts, the only one that pages run.
pub(super) const SCRIPT: &str = include_str!("page.js");

/// Pages load nothing and run no other script, whatever their strings contain.
///
/// Style attributes position the marks of a chart, which hashes cannot cover.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let script = BASE64_STANDARD.encode(Sha256::digest(SCRIPT.as_bytes()));
    format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{script}'; base-uri 'none'; form-action 'none'"
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

/// Formats a table with rows, whose cells repeat the heads on narrow screens.
pub(super) fn table(caption: Option<&str>, heads: &[&str], rows: &Markup) -> Markup {
    html! {
        div.scroll {
            table role="table" {
                @if let Some(caption) = caption { caption { (caption) } }
                thead role="rowgroup" {
                    tr role="row" { @for head in heads { th role="columnheader" scope="col" { (head) } } }
                }
                tbody role="rowgroup" { (rows) }
            }
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
    use super::{SCRIPT, html, page};

    #[test]
    fn script_with_a_hash_in_the_policy_is_not_escaped() {
        let page = page("t", &html! {}, Some(SCRIPT));
        assert!(page.contains(&format!("<script>{SCRIPT}</script>")));
    }
}
