use std::io::{self, Write};

use super::tables::{Table, counts, tables};
use crate::report::forecast::Page;
use crate::report::{Look, Reviewed, Summary, TextWriter, Writer};

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
        let kinds = tally.objects.iter().map(|(kind, count)| match count {
            1 => format!("1 {kind}"),
            count => format!("{count} {}", kind.name_of_several()),
        });
        let kinds = if tally.objects.is_empty() {
            "no object".to_owned()
        } else {
            kinds.collect::<Vec<_>>().join(", ")
        };
        page.wrapped("", "  ", &format!("As of {:.0}: {kinds}", audit.at));
        for table in tables(audit) {
            page.line("");
            page.heading(table.title);
            rows(&mut page, &table);
        }
        if !audit.notes.is_empty() {
            page.line("");
            for note in &audit.notes {
                page.wrapped("", "  ", &format!("note: {note}"));
            }
        }
        page.line("");
        match tally.all.objects {
            0 => page.line("there is nothing to audit: no object of Gardener is in this garden, or none of those that are asked for"),
            _ => {
                for line in summary.judged_lines() {
                    page.line(&line);
                }
                page.line(&counts(&tally.all));
            }
        }
        if let Some(changed) = &audit.changed {
            let count = |of: &std::collections::BTreeMap<String, usize>| of.values().sum::<usize>();
            page.line(&format!(
                "since {}: {} findings new, {} gone, {} as before",
                changed.file,
                count(&changed.new),
                count(&changed.gone),
                changed.known
            ));
        }
        if let Some(config) = summary.config.as_ref().filter(|it| it.is_found) {
            page.line(&format!("configuration: {}", config.path));
        }
        out.write_all(page.into_text().as_bytes())
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
        let cells = row.iter().zip(&widths).enumerate();
        let cells =
            cells.map(
                |(index, (cell, width))| {
                    if index + 1 == columns { cell.clone() } else { format!("{cell:width$}") }
                },
            );
        let line = cells.collect::<Vec<_>>().join("  ");
        page.wrapped("  ", "      ", line.trim_end());
    }
    if let Some(rest) = table.rest() {
        page.line(&format!("  {rest}"));
    }
}
