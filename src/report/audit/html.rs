use std::io;

use maud::{Markup, html};

use super::tables::{Table, stands, tables};
use super::{AuditSummary, By};
use crate::config::JudgedVersion;
use crate::report::annotation::Annotation;
use crate::report::page::{page, sentence};
use crate::report::{JsonWriter, JudgedGarden, Reviewed, SkippedInput, Summary, Writer as _};

const HEADS: [&str; 5] = [
    "Object",
    "Level",
    "Finding",
    "Field",
    "Why, and what you can do",
];

/// Formats an audit as an HTML page, with the findings of these objects.
#[must_use]
pub fn audit_html<'a>(
    audit: &AuditSummary,
    objects: impl IntoIterator<Item = &'a Reviewed>,
) -> String {
    let title = format!(
        "Findings about stored objects: {}",
        stands(&audit.tally.all)
    );
    let objects: Vec<&Reviewed> = objects.into_iter().collect();
    let body = html! {
        a.skip href="#findings" { "To the findings" }
        main {
            h1 { "Findings about stored objects" }
            p { strong { (stands(&audit.tally.all)) } " · as of " (format!("{:.0}", audit.at)) }
            @for table in tables(audit) {
                h2 { (table.title) }
                (summary(&table))
            }
            h2 #findings { "By object" }
            @if objects.is_empty() { p { "There are no findings." } } @else { (findings(&objects)) }
        }
    };
    page(&title, &body, None)
}

fn summary(table: &Table) -> Markup {
    html! {
        div.scroll {
            table role="table" {
                thead role="rowgroup" {
                    tr role="row" { @for head in &table.head { th role="columnheader" scope="col" { (head) } } }
                }
                tbody role="rowgroup" {
                    @for row in &table.rows {
                        tr role="row" {
                            @for (head, cell) in table.head.iter().zip(row) { td role="cell" data-head=(head) { (cell) } }
                        }
                    }
                }
            }
        }
    }
}

fn findings(objects: &[&Reviewed]) -> Markup {
    html! {
        div.scroll {
            table role="table" {
                thead role="rowgroup" {
                    tr role="row" { @for head in HEADS { th role="columnheader" scope="col" { (head) } } }
                }
                tbody role="rowgroup" {
                    @for object in objects {
                        @for remark in object.remarks() { (finding(object, &remark)) }
                    }
                }
            }
        }
    }
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

/// Formats an audit as the JSON document of `garden-gate audit`, with these objects.
///
/// # Errors
/// Fails if `serde_json` fails, which does not happen for strings.
pub fn audit_json<'a>(
    audit: AuditSummary,
    judged: JudgedVersion,
    objects: impl IntoIterator<Item = &'a Reviewed>,
) -> io::Result<Vec<u8>> {
    let mut summary = Summary::new(SkippedInput::default(), None);
    summary.judged.push(JudgedGarden {
        judged,
        ..JudgedGarden::default()
    });
    summary.audit = Some(audit);
    let (mut out, mut writer) = (Vec::new(), JsonWriter::default());
    writer.begin(&mut out)?;
    for object in objects {
        writer.object(&mut out, object)?;
    }
    writer.end(&mut out, &summary)?;
    Ok(out)
}

impl AuditSummary {
    /// Returns the summary of an audit of some namespaces only.
    #[must_use]
    pub fn of_part(at: jiff::Timestamp, tally: crate::audit::Tally) -> Self {
        Self {
            at,
            tally,
            versions: Vec::new(),
            notes: Vec::new(),
            changed: None,
            by: vec![By::Rule],
        }
    }
}
