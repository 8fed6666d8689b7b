// SPDX-License-Identifier: Apache-2.0
use std::fmt::Write as _;

use super::sections::{CHANGES, count, examples, heading, headline, scope};
use crate::replay::{ChangeGroup, Replayed};
use crate::report::Look;
use crate::report::forecast::Page;
use crate::report::markup;
use crate::report::truncation::number;

/// Maximum number of groups in a section; the others are counted.
const LISTED: usize = 20;
/// Maximum size of Markdown, since GitHub truncates a comment at 65,536 characters.
const LIMIT: usize = 50_000;

/// Formats a replay as text: the number of requests with other findings, then the findings, most severe first.
pub fn replay_text(replayed: &Replayed, look: Look) -> String {
    let mut page = Page::new(look);
    page.wrapped("", "  ", &headline(replayed));
    for (change, title) in CHANGES {
        let groups = replayed.of(change);
        if groups.is_empty() {
            continue;
        }
        page.line("");
        page.heading(&heading(title, &groups));
        for (id, group) in groups.iter().take(LISTED) {
            page.wrapped("  ", "    ", &format!("{id}: {}", scope(group)));
            if !group.message.is_empty() {
                page.wrapped("    ", "      ", &format!("such as: {}", group.message));
            }
            page.wrapped("    ", "      ", &format!("in: {}", examples(group)));
        }
        let more = groups.len().saturating_sub(LISTED);
        if more > 0 {
            let more = count(more, "more finding");
            page.line(&format!("  and {more}; --format json lists all"));
        }
    }
    if replayed.unreadable_count > 0 {
        page.line("");
        page.heading(&unreadable(replayed));
        for (place, why) in &replayed.unreadable {
            page.wrapped("  ", "    ", &format!("{place}: {why}"));
        }
    }
    page.into_text()
}

/// Formats a replay as Markdown for a comment.
pub fn replay_markdown(replayed: &Replayed) -> String {
    let mut page = format!("### garden-gate replay: {}\n", markup::text(&headline(replayed)));
    for (change, title) in CHANGES {
        let groups = replayed.of(change);
        if groups.is_empty() {
            continue;
        }
        let _infallible = writeln!(page, "\n**{}**\n", markup::text(&heading(title, &groups)));
        let mut hidden = 0;
        for (id, group) in &groups {
            let item = item(id, group);
            if hidden > 0 || page.len() + item.len() > LIMIT {
                hidden += 1;
            } else {
                page += &item;
            }
        }
        if hidden > 0 {
            let _infallible = writeln!(page, "- and {}", count(hidden, "more finding"));
        }
    }
    if replayed.unreadable_count > 0 {
        let _infallible = writeln!(page, "\n{}", markup::text(&unreadable(replayed)));
    }
    page
}

fn item(id: &str, group: &ChangeGroup) -> String {
    let mut item = format!("- {}: {}", markup::text(id), markup::text(&scope(group)));
    if !group.message.is_empty() {
        let _infallible = write!(item, ", such as: {}", markup::text(&group.message));
    }
    let _infallible = writeln!(item, " ({})", markup::text(&examples(group)));
    item
}

fn unreadable(replayed: &Replayed) -> String {
    format!("not records ({} lines)", number(replayed.unreadable_count))
}
