// SPDX-License-Identifier: Apache-2.0
use std::io::{self, Write};

use maud::{Markup, PreEscaped, html};

use super::findings::finding_rows;
use super::support::UnsupportedSection;
use super::tables::{OWNER, Table, counts, rest, tables};
use crate::audit::ObjectCounts;
use crate::forecast::Owner;
use crate::report::annotation::Annotation;
use crate::report::findings::rule_page;
use crate::report::page::{AUDIT_SCRIPT, Tile, TileLook, page, sentence, table, tiles};
use crate::report::truncation::and_more;
use crate::report::{AuditSummary, By, Reviewed, Summary, Writer};
use garden_gate_core::config::{JudgedVersion, Level};

const HEADS: [&str; 5] = ["Object", "Level", "Finding", "Field", "Why, and what you can do"];

/// Maximum size of the table of findings in bytes; the others are counted.
const LIMIT: usize = 16 << 20;

/// Writes an audit as an HTML page: owners first, then findings by rule, and by object. Its script searches.
#[derive(Debug, Default)]
pub struct AuditHtmlWriter {
    /// The URL template of rule pages, with `{rule}` for the id.
    rule_url: Option<String>,
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
    /// Returns a writer whose ids link to pages of rules: a template with `{rule}` for the id.
    pub fn new(rule_url: Option<String>) -> Self {
        Self { rule_url, ..Self::default() }
    }

    fn add(&mut self, object: &Reviewed) {
        for remark in object.remarks() {
            if self.rows.len() < LIMIT {
                let rule_url = self.rule_url.as_deref();
                self.rows += &finding(object, &remark, rule_url).into_string();
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
        let (owners, others): (Vec<Table>, Vec<Table>) =
            tables(audit).into_iter().partition(|it| it.head.first() == Some(&OWNER));
        let rule_url = self.rule_url.as_deref();
        let body = html! {
            a.skip href="#findings" { "To the findings" }
            main {
                header.page-head {
                    h1 { "Findings about stored objects" }
                    p { strong { (counts) } " · as of " (format!("{:.0}", audit.at)) }
                    @for line in summary.judged_lines() { p.dim { (sentence(&line)) } }
                    @for note in &audit.notes { p { "note: " (sentence(note)) } }
                }
                (stands(&audit.tally.all))
                @if let Some(section) = UnsupportedSection::of(audit).filter(|_| audit.by.contains(&By::Support)) {
                    (counted(&section.table()))
                    p { (section.advice) }
                }
                (controls())
                @for counts in &owners { (counted(counts)) }
                @if audit.by.contains(&By::Rule) { (counted_findings(audit, rule_url)) }
                @for counts in &others { (counted(counts)) }
                section {
                    h2 #findings { "By object" }
                    @if self.rows.is_empty() {
                        p { "There are no findings." }
                    } @else {
                        (table(None, &HEADS, &PreEscaped(self.rows.clone())))
                    }
                    @if self.more > 0 { p { (and_more(self.more)) ", which " code { "--format json" } " has" } }
                }
                p.dim { "More about a finding: " code { "garden-gate rules ID" } }
            }
        };
        page(&format!("Findings about stored objects: {counts}"), &body, Some(AUDIT_SCRIPT))
    }
}

/// Returns a tile for each verdict.
fn stands(counts: &ObjectCounts) -> Markup {
    let ObjectCounts { objects, denied, undetermined, warned } = *counts;
    let tile = |count, label, look| Tile { count, label, look, address: "#findings" };
    tiles(&[
        tile(denied, "would be refused", TileLook::Must),
        tile(undetermined, "not known", TileLook::NotKnown),
        tile(warned, "with warnings", TileLook::Forced),
        tile(objects, "objects", TileLook::Plain),
    ])
}

/// Returns the controls that the script handles.
fn controls() -> Markup {
    html! {
        div.controls {
            label { "Search " input #search type="search" placeholder="owner, Project, object, rule …"; }
            @for level in ["deny", "undetermined", "warn"] {
                label { input type="checkbox" value=(level) checked; " " (level) }
            }
            span #count role="status" {}
        }
    }
}

/// Formats an audit as an HTML page, with the findings of these objects; ids do not link to pages.
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
    html! {
        section {
            h2 { (counts.title) }
            (table(None, &counts.head, &rows))
            @if let Some(rest) = counts.rest() { p { (sentence(&rest)) } }
        }
    }
}

/// Returns a row for each finding id, the most severe first.
fn counted_findings(audit: &AuditSummary, rule_url: Option<&str>) -> Markup {
    let levels = [Level::Deny, Level::Warn].map(|level| finding_rows(audit, level, rule_url));
    let more: usize = levels.iter().map(|(_, more)| more).sum();
    let rows = html! {
        @for row in levels.iter().flat_map(|(rows, _)| rows) {
            tr role="row" data-level=(row.level.as_str()) {
                (level(row.level.as_str()))
                td role="cell" data-head="What" { p { (sentence(row.sentence)) } p.dim { (id(row.id, row.page.as_deref())) } }
                td role="cell" data-head="Objects" { p { (row.extent) } p { (row.examples) } }
            }
        }
    };
    html! {
        @if levels.iter().any(|(rows, _)| !rows.is_empty()) {
            section {
                h2 { "Findings" }
                (table(None, &["Level", "What", "Objects"], &rows))
                @if let Some(rest) = rest(more) { p { (sentence(&rest)) } }
            }
        }
    }
}

fn level(level: &str) -> Markup {
    let (is_refusal, is_warning) = (level == "deny", level == "warn");
    html! { td role="cell" data-head="Level" .class-blocked[is_refusal] .class-forced[!is_refusal && !is_warning] { (level) } }
}

/// Returns an id that links to the page of its rule.
fn id(id: &str, page: Option<&str>) -> Markup {
    html! { @if let Some(page) = page { a href=(page) { (id) } } @else { (id) } }
}

fn finding(object: &Reviewed, remark: &Annotation<'_>, rule_url: Option<&str>) -> Markup {
    let page = rule_url.and_then(|url| rule_page(url, remark.rule));
    let Owner { project, name } = &object.owner;
    html! {
        tr role="row" data-level=(remark.weight.as_str()) {
            td role="cell" data-head=(HEADS[0]) {
                p { (object.title()) }
                @if !project.is_empty() { p.dim { "Project " (project) @if !name.is_empty() { ", " (name) } } }
            }
            (level(remark.weight.as_str()))
            td role="cell" data-head=(HEADS[2]) { (id(remark.id, page.as_deref())) }
            td role="cell" data-head=(HEADS[3]) { @if !remark.field.is_empty() { code { (remark.field) } } }
            td role="cell" data-head=(HEADS[4]) {
                p { (sentence(&remark.statement())) }
                @if let Some(occasion) = remark.occasion { p.dim { (occasion.as_str()) } }
                @if let Some(lowered) = remark.lowered() { p.dim { (lowered) } }
                @if !remark.help.is_empty() { p { (sentence(remark.help)) } }
            }
        }
    }
}
