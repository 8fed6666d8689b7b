use std::io::{self, Write};

use maud::{Markup, PreEscaped, html};

use super::tables::{Table, counts, tables};
use crate::report::annotation::Annotation;
use crate::report::page::{page, sentence, table};
use crate::report::truncation::and_more;
use crate::report::{AuditSummary, Reviewed, Summary, Writer};
use garden_gate_core::config::JudgedVersion;

const HEADS: [&str; 5] = ["Object", "Level", "Finding", "Field", "Why, and what you can do"];

/// Maximum size of the table of findings in bytes; the others are counted.
const LIMIT: usize = 16 << 20;

/// Writes an audit as an HTML page.
#[derive(Debug, Default)]
pub struct AuditHtmlWriter {
    rows: String,
    /// The number of findings that are not in the table.
    more: usize,
}

impl Writer for AuditHtmlWriter {
    fn object(&mut self, _out: &mut dyn Write, object: &Reviewed) -> io::Result<()> {
        self.add(object);
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        out.write_all(self.page(summary).as_bytes())
    }
}

impl AuditHtmlWriter {
    fn add(&mut self, object: &Reviewed) {
        for remark in object.remarks() {
            if self.rows.len() < LIMIT {
                self.rows += &finding(object, &remark).into_string();
            } else {
                self.more += 1;
            }
        }
    }

    fn page(&self, summary: &Summary) -> String {
        let Some(audit) = &summary.audit else {
            return String::new();
        };
        let counts = counts(&audit.tally.all);
        let body = html! {
            a.skip href="#findings" { "To the findings" }
            main {
                h1 { "Findings about stored objects" }
                p { strong { (counts) } " · as of " (format!("{:.0}", audit.at)) }
                @for line in summary.judged_lines() { p.dim { (sentence(&line)) } }
                @for note in &audit.notes { p { "note: " (sentence(note)) } }
                @for counts in tables(audit) {
                    h2 { (counts.title) }
                    (counted(&counts))
                }
                h2 #findings { "By object" }
                @if self.rows.is_empty() {
                    p { "There are no findings." }
                } @else {
                    (table(None, &HEADS, &PreEscaped(self.rows.clone())))
                }
                @if self.more > 0 { p { (and_more(self.more)) ", which " code { "--format json" } " has" } }
            }
        };
        page(&format!("Findings about stored objects: {counts}"), &body, None)
    }
}

/// Formats an audit as an HTML page, with the findings of these objects.
pub fn audit_html<'a>(
    audit: AuditSummary,
    judged: JudgedVersion,
    objects: impl IntoIterator<Item = &'a Reviewed>,
) -> String {
    let mut writer = AuditHtmlWriter::default();
    objects.into_iter().for_each(|object| writer.add(object));
    writer.page(&Summary::of_audit(audit, judged))
}

fn counted(counts: &Table) -> Markup {
    let rows = html! {
        @for row in &counts.rows {
            tr role="row" {
                @for (head, cell) in counts.head.iter().zip(row) { td role="cell" data-head=(head) { (cell) } }
            }
        }
    };
    table(None, &counts.head, &rows)
}

fn finding(object: &Reviewed, remark: &Annotation<'_>) -> Markup {
    let is_refusal = remark.weight.as_str() == "deny";
    html! {
        tr role="row" {
            td role="cell" data-head=(HEADS[0]) { (object.title()) }
            td role="cell" data-head=(HEADS[1]).class-blocked[is_refusal] { (remark.weight.as_str()) }
            td role="cell" data-head=(HEADS[2]) { (remark.id) }
            td role="cell" data-head=(HEADS[3]) { @if !remark.field.is_empty() { code { (remark.field) } } }
            td role="cell" data-head=(HEADS[4]) {
                p { (sentence(remark.message)) }
                @if let Some(occasion) = remark.occasion { p.dim { (occasion.as_str()) } }
                @if let Some(lowered) = remark.lowered() { p.dim { (lowered) } }
                @if !remark.help.is_empty() { p { (sentence(remark.help)) } }
            }
        }
    }
}
