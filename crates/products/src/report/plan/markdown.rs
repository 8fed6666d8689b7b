// SPDX-License-Identifier: Apache-2.0
//! Plans as Markdown.

use std::fmt::Write as _;

use super::assumptions::sentence;
use super::cost::cost_sentences;
use super::group::{Group, groups, rest};
use super::rows::COLUMNS;
use super::workload;
use crate::report::markup::text;
use crate::report::truncation::number;
use garden_gate_core::plan::{ChangePlan, headline};
use garden_gate_core::workload::Readiness;

/// Maximum size of the groups, since GitHub truncates a comment at 65,536 characters.
const LIMIT: usize = 50_000;
/// Maximum number of Shoots without a plan; the others are counted.
const LISTED: usize = 20;

/// Formats a plan as Markdown for a comment: the sums, and a table for each group of Shoots with equal plans.
///
/// Groups beyond the size limit are counted.
pub fn plan_markdown(change: &ChangePlan, readiness: Option<&Readiness>) -> String {
    let mut page = format!("### garden-gate plan: {}\n", text(&headline(change)));
    for line in cost_sentences(change) {
        let _infallible = writeln!(page, "\n{}", text(&line));
    }
    let unplanned = change.undetermined.iter().take(LISTED);
    let unplanned: Vec<String> = unplanned.map(|it| format!("{}: {}", it.title, it.why)).collect();
    if !unplanned.is_empty() {
        let _infallible =
            writeln!(page, "\n**Undetermined ({})**\n", number(change.undetermined.len()));
        list(&mut page, &unplanned);
    }
    let groups = groups(change);
    let mut hidden = 0;
    for group in &groups {
        let section = section(group);
        if hidden > 0 || page.len() + section.len() > LIMIT {
            hidden += group.count();
        } else {
            page += &section;
        }
    }
    if hidden > 0 {
        let _infallible = writeln!(page, "\nAnd {} more Shoots.", number(hidden));
    }
    if let Some(readiness) = readiness {
        add_workload(&mut page, readiness);
    }
    if let Some(rest) = rest(change, &groups) {
        let _infallible = writeln!(page, "\n{}", text(&rest));
    }
    let _infallible = writeln!(page, "\n{}", text(&sentence(&change.settings.estimates)));
    page
}

/// Adds the results of the checks of workload; entries beyond the size limit are counted.
fn add_workload(page: &mut String, readiness: &Readiness) {
    let _infallible = writeln!(page, "\n**Workload**: {}", text(&workload::summary(readiness)));
    for section in workload::sections(readiness) {
        let _infallible = writeln!(page, "\n{}\n", text(&section.heading));
        let mut hidden = section.more;
        for entry in &section.entries {
            let mut lines = format!("- {}\n", text(&entry.text));
            if !entry.fix.is_empty() {
                let _infallible = writeln!(lines, "  fix: {}", text(&entry.fix));
            }
            if page.len() + lines.len() > LIMIT {
                hidden += entry.count;
            } else {
                *page += &lines;
            }
        }
        if hidden > 0 {
            let _infallible = writeln!(page, "- and {} more", number(hidden));
        }
    }
    let rest = workload::rest(readiness);
    if !rest.is_empty() {
        page.push('\n');
        list(page, &rest);
    }
}

fn section(group: &Group<'_>) -> String {
    let body = &group.body;
    let mut section = format!("\n**{}**, {}\n", text(&group.heading()), text(&body.when));
    if !body.act.is_empty() {
        section.push('\n');
        let act: Vec<String> = body.act.iter().map(|it| format!("to do: {it}")).collect();
        list(&mut section, &act);
    }
    if !body.rows.is_empty() {
        add_table(&mut section, COLUMNS, &body.rows);
    }
    if !body.notes.is_empty() {
        section.push('\n');
        list(&mut section, &body.notes);
    }
    section
}

/// Adds a table.
pub(super) fn add_table<const N: usize>(
    page: &mut String,
    header: [&str; N],
    rows: &[[String; N]],
) {
    let _infallible = writeln!(page, "\n| {} |\n|{}", header.join(" | "), "---|".repeat(N));
    for row in rows {
        let cells = row.each_ref().map(|it| text(it));
        let _infallible = writeln!(page, "| {} |", cells.join(" | "));
    }
}

pub(super) fn list(page: &mut String, sentences: &[String]) {
    for sentence in sentences {
        let _infallible = writeln!(page, "- {}", text(sentence));
    }
}
