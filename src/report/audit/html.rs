use maud::{Markup, html};

use super::AuditSummary;
use super::tables::{Table, stands, tables};
use crate::report::Reviewed;
use crate::report::annotation::Annotation;
use crate::report::page::{page, sentence, table};

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
            @for counts in tables(audit) {
                h2 { (counts.title) }
                (summary(&counts))
            }
            h2 #findings { "By object" }
            @if objects.is_empty() { p { "There are no findings." } } @else { (findings(&objects)) }
        }
    };
    page(&title, &body, None)
}

fn summary(counts: &Table) -> Markup {
    let rows = html! {
        @for row in &counts.rows {
            tr role="row" {
                @for (head, cell) in counts.head.iter().zip(row) { td role="cell" data-head=(head) { (cell) } }
            }
        }
    };
    table(None, &counts.head, &rows)
}

fn findings(objects: &[&Reviewed]) -> Markup {
    let rows = html! {
        @for object in objects {
            @for remark in object.remarks() { (finding(object, &remark)) }
        }
    };
    table(None, &HEADS, &rows)
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
