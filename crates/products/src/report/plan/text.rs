// SPDX-License-Identifier: Apache-2.0
//! Plans for terminals.

use super::assumptions::sentence;
use super::cost::cost_sentences;
use super::group::{Group, groups, rest};
use super::rows::COLUMNS;
use super::workload;
use crate::report::Look;
use crate::report::forecast::Page;
use crate::report::truncation::number;
use garden_gate_core::plan::{ChangePlan, headline};
use garden_gate_core::workload::Readiness;
use garden_gate_text::escape::value_within;

/// Maximum number of groups of Shoots, and of Shoots without a plan; the others are counted.
const LISTED: usize = 20;
/// Maximum size of a name in bytes.
const LONGEST: usize = 60;

/// Formats a plan as text: the sums, then Shoots with equal plans together, most urgent first, then the workload.
pub fn plan_text(change: &ChangePlan, readiness: Option<&Readiness>, look: Look) -> String {
    let mut page = Page::new(look);
    page.wrapped("", "  ", &headline(change));
    for line in cost_sentences(change) {
        page.wrapped("", "  ", &line);
    }
    unplanned(&mut page, change);
    let groups = groups(change);
    for group in groups.iter().take(LISTED) {
        add_group(&mut page, group);
    }
    if let Some(more) = groups.get(LISTED..).filter(|it| !it.is_empty()) {
        let shoots: usize = more.iter().map(Group::count).sum();
        page.line("");
        let noun = if shoots == 1 { "Shoot" } else { "Shoots" };
        page.line(&format!("And {} more {noun}; --format json lists all.", number(shoots)));
    }
    if let Some(readiness) = readiness {
        add_workload(&mut page, readiness);
    }
    page.line("");
    if let Some(rest) = rest(change, &groups) {
        page.wrapped("", "  ", &rest);
    }
    page.wrapped("", "  ", &sentence(&change.settings.estimates));
    page.into_text()
}

/// Adds the results of the checks of workload, those that require an action first.
fn add_workload(page: &mut Page, readiness: &Readiness) {
    page.line("");
    page.heading(&format!("Workload: {}", workload::summary(readiness)));
    for section in workload::sections(readiness) {
        page.line(&format!("  {}", section.heading));
        for entry in &section.entries {
            page.wrapped("    ", "      ", &entry.text);
            if !entry.fix.is_empty() {
                page.wrapped("      ", "        ", &format!("fix: {}", entry.fix));
            }
        }
        if section.more > 0 {
            page.line(&format!("    and {} more; --format json lists all", number(section.more)));
        }
    }
    for rest in workload::rest(readiness) {
        page.wrapped("  ", "    ", &rest);
    }
}

fn unplanned(page: &mut Page, change: &ChangePlan) {
    if change.undetermined.is_empty() {
        return;
    }
    page.line("");
    page.heading(&format!("Undetermined ({})", number(change.undetermined.len())));
    for shoot in change.undetermined.iter().take(LISTED) {
        page.wrapped("  ", "    ", &format!("{}: {}", shoot.title, shoot.why));
    }
    let more = change.undetermined.len().saturating_sub(LISTED);
    if more > 0 {
        page.line(&format!("  and {} more", number(more)));
    }
}

fn add_group(page: &mut Page, group: &Group<'_>) {
    let body = &group.body;
    page.line("");
    page.heading(&group.heading());
    page.wrapped("  ", "    ", &format!("when: {}", body.when));
    for act in &body.act {
        page.wrapped("  ", "    ", &format!("to do: {act}"));
    }
    if !body.rows.is_empty() {
        add_table(page, COLUMNS, &body.rows);
    }
    for note in &body.notes {
        page.wrapped("  ", "    ", note);
    }
}

/// Adds a table; columns without any text are left out.
pub(super) fn add_table<const N: usize>(page: &mut Page, header: [&str; N], rows: &[[String; N]]) {
    let header = header.map(str::to_owned);
    let cells = |row: &[String; N]| row.each_ref().map(|it| value_within(&**it, LONGEST));
    let rows: Vec<[String; N]> = [&header].into_iter().chain(rows).map(cells).collect();
    let width = |column: usize| {
        let widths = rows.iter().map(|row| row[column].chars().count());
        widths.max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..N).map(width).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).filter(|(_, width)| **width > 0);
        let cells: Vec<String> =
            cells.map(|(cell, width)| format!("{cell:width$}", width = *width)).collect();
        page.line(format!("  {}", cells.join("  ")).trim_end());
    }
}
