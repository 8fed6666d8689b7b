// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::io::{self, Write};

use super::findings::{FindingRow, finding_rows};
use super::support::UnsupportedSection;
use super::tables::{Table, counts, kinds, rest, tables};
use crate::report::forecast::{Page, RED};
use crate::report::{AuditSummary, By, ChangedSince, Look, Reviewed, Summary, TextWriter, Writer};
use garden_gate_core::config::Level;
use garden_gate_text::escape;

const YELLOW: &str = "33";
/// The last line of a report with findings.
const MORE: &str = "Use --each to see each object with its fields and what to do, --project or --owner for a part, and `garden-gate rules ID` to explain a finding.";

/// Writes an audit for people: the counts, optionally after the findings of each object.
#[derive(Debug)]
pub struct AuditTextWriter {
    look: Look,
    each: Option<TextWriter>,
}

impl AuditTextWriter {
    /// Returns a writer of text with this look; `each` adds the findings of each object.
    pub fn new(look: Look, each: bool) -> Self {
        Self { look, each: each.then(|| TextWriter::new(look)) }
    }
}

impl Writer for AuditTextWriter {
    fn object(&mut self, out: &mut dyn Write, object: &Reviewed) -> io::Result<()> {
        match &mut self.each {
            Some(each) => each.object(out, object),
            None => Ok(()),
        }
    }

    fn end(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        let Some(audit) = &summary.audit else {
            return Ok(());
        };
        if let Some(each) = &mut self.each {
            each.write_objects(out, summary.rule_url.as_deref())?;
        }
        let mut page = Page::new(self.look);
        let tally = &audit.tally;
        let objects =
            if tally.objects.is_empty() { "no object".to_owned() } else { kinds(&tally.objects) };
        page.wrapped("", "  ", &format!("As of {:.0}: {objects}", audit.at));
        if audit.by.contains(&By::Support) {
            support(&mut page, audit);
        }
        if audit.by.contains(&By::Rule) {
            for (level, title, colour) in
                [(Level::Deny, "Would be refused", RED), (Level::Warn, "Warnings", YELLOW)]
            {
                let (rows, more) = finding_rows(audit, level, summary.rule_url.as_deref());
                findings(&mut page, (title, colour), &rows, more);
            }
        }
        for table in tables(audit) {
            page.line("");
            page.heading(&table.title);
            rows(&mut page, &table);
        }
        page.line("");
        for note in &audit.notes {
            page.wrapped("", "  ", &format!("note: {note}"));
        }
        end(&mut page, audit, summary);
        out.write_all(page.into_text().as_bytes())
    }
}

/// Adds the Kubernetes versions without support: each with its Shoots by Project, and what to do.
fn support(page: &mut Page, audit: &AuditSummary) {
    let Some(section) = UnsupportedSection::of(audit) else {
        return;
    };
    page.line("");
    page.heading(&format!("{} ({})", section.title, audit.support.versions.len()));
    for row in &section.rows {
        page.wrapped("  ", "      ", &format!("{}, {}: {}", row.version, row.holder, row.why));
        for shoots in &row.shoots {
            page.wrapped("      ", "        ", shoots);
        }
    }
    if let Some(rest) = rest(section.more) {
        page.line(&format!("  {rest}"));
    }
    page.wrapped("  ", "  ", section.advice);
}

/// Adds the findings of a level: each with its sentence, the number of objects, and the first ones.
fn findings(page: &mut Page, (title, colour): (&str, &str), rows: &[FindingRow<'_>], more: usize) {
    if rows.is_empty() {
        return;
    }
    page.line("");
    page.heading(&format!("{title} ({})", rows.len() + more));
    for row in rows {
        let level = page.painted(row.level.as_str(), colour);
        let id = page.linked(row.id, row.page.as_deref());
        page.wrap("  ", "      ", &format!("{level}: {} ({id})", escape::value(row.sentence)));
        page.wrapped("      ", "      ", &format!("{}: {}", row.extent, row.examples));
    }
    if let Some(rest) = rest(more) {
        page.line(&format!("  {rest}"));
    }
}

/// Adds the last lines: how the audit judged, the counts, and where more is.
fn end(page: &mut Page, audit: &AuditSummary, summary: &Summary) {
    if audit.tally.all.objects == 0 {
        return page.line("there is nothing to audit: no object of Gardener is in this garden, or none of those that are asked for");
    }
    let mut about: Vec<String> = summary.judged_lines().collect();
    if let Some(config) = summary.config.as_ref().filter(|it| it.is_found) {
        about.push(format!("configuration: {}", config.path));
    }
    if let Some(changed) = &audit.changed {
        let count = |of: &BTreeMap<String, usize>| of.values().sum::<usize>();
        let (new, gone) = (count(&changed.new), count(&changed.gone));
        let ChangedSince { file, known, .. } = changed;
        about.push(format!("since {file}: {new} findings new, {gone} gone, {known} as before"));
    }
    about.push(counts(&audit.tally.all));
    for line in &about {
        page.line(line);
    }
    if !audit.tally.findings.is_empty() {
        page.wrapped("", "  ", MORE);
    }
}

fn rows(page: &mut Page, table: &Table) {
    let columns = table.head.len();
    let width = |column: usize| {
        let cells = table.rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in &table.rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(index, (cell, width))| {
            if index + 1 == columns { cell.clone() } else { format!("{cell:width$}") }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        page.wrapped("  ", "      ", line.trim_end());
    }
    if let Some(rest) = table.rest() {
        page.line(&format!("  {rest}"));
    }
}
