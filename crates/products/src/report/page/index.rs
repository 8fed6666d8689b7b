// SPDX-License-Identifier: Apache-2.0
//! The page that lists the endpoints of a port.

use maud::html;

use super::{page, sentence, table};

/// An endpoint on an index page.
#[derive(Clone, Copy, Debug)]
pub struct IndexEntry<'a> {
    path: &'a str,
    about: &'a str,
    is_linked: bool,
}

impl<'a> IndexEntry<'a> {
    /// An endpoint that browsers can open.
    pub fn page(path: &'a str, about: &'a str) -> Self {
        Self { path, about, is_linked: true }
    }

    /// An endpoint that needs the method POST.
    pub fn post(path: &'a str, about: &'a str) -> Self {
        Self { path, about, is_linked: false }
    }
}

/// Formats the page of a port: its purpose, its endpoints, and commands to try.
pub fn index_html(
    title: &str,
    about: &[&str],
    entries: &[IndexEntry<'_>],
    commands: &[String],
) -> String {
    let rows = html! {
        @for entry in entries {
            tr role="row" {
                td role="cell" data-head="Endpoint" {
                    @if entry.is_linked {
                        a href=(entry.path) { "GET " (entry.path) }
                    } @else {
                        "POST " (entry.path)
                    }
                }
                td role="cell" data-head="Content" { (sentence(entry.about)) }
            }
        }
    };
    let body = html! {
        main {
            h1 { (title) }
            @for paragraph in about { p { (sentence(paragraph)) } }
            (table(None, &["Endpoint", "Content"], &rows))
            @if !commands.is_empty() {
                h2 { "Try" }
                @for command in commands { pre { code { (command) } } }
            }
        }
    };
    page(title, &body, None)
}
