use std::io::{self, Write};

use super::Weight;
use super::annotation::AnnotationGroup;
use super::audit::{Table, tables};
use super::impact::table;
use super::markup::{code, summary, text};
use super::truncation::{and_more, counted, fit};
use super::{Reviewed, Summary, Writer};
use garden_gate_text::escape::is_clean;

/// Maximum size of the output, since GitHub truncates a comment at 65,536 characters.
const LIMIT: usize = 60_000;
/// Maximum size of the list of fields or rules of one annotation; the others are counted.
const LIST_LIMIT: usize = 2_000;

/// Writes verdicts as a comment for a pull request: a table of objects, with folded details.
///
/// It contains only objects with annotations, notes or changes. Objects beyond the size limit are counted.
#[derive(Debug, Default)]
pub struct MarkdownWriter {
    /// The number of objects in the table.
    count: usize,
    rows: CollectedTexts,
    details: CollectedTexts,
}

impl Writer for MarkdownWriter {
    fn object(&mut self, _out: &mut dyn Write, object: &Reviewed) -> io::Result<()> {
        let remarks = object.remarks_with_server();
        let is_silent = remarks.is_empty() && object.notes.is_empty() && object.drift.is_empty();
        let is_as_before = object.impact.is_none() && object.edits.is_empty();
        if !is_silent || !object.silences().is_empty() || !is_as_before {
            self.count += 1;
            let groups = AnnotationGroup::once(&remarks);
            self.rows.add(|| row(object, &groups));
            self.details.add(|| details(object, &groups));
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        writeln!(out, "### garden-gate: {}\n", summary.counts())?;
        for line in summary.judged_lines() {
            writeln!(out, "{}\n", text(&line))?;
        }
        if let Some(compared) = &summary.baseline {
            writeln!(out, "{}\n", compared.summary())?;
        }
        let mut rest = LIMIT;
        if let Some(audit) = &summary.audit {
            for table in tables(audit) {
                let text = markdown_of(&table);
                rest = rest.saturating_sub(text.len());
                writeln!(out, "{text}")?;
            }
        }
        if self.count == 0 {
            return Ok(());
        }
        writeln!(out, "| object | file | verdict | findings |\n|---|---|---|---|")?;
        self.rows.write(out, &mut rest, self.count, "|")?;
        writeln!(out)?;
        self.details.write(out, &mut rest, self.count, "")
    }
}

/// The first strings, up to the size limit of a comment.
#[derive(Debug, Default)]
struct CollectedTexts {
    texts: Vec<String>,
    size: usize,
}

impl CollectedTexts {
    fn add(&mut self, text: impl FnOnce() -> String) {
        if self.size > LIMIT {
            return;
        }
        let text = text();
        self.size += text.len();
        if self.size <= LIMIT {
            self.texts.push(text);
        }
    }

    /// Writes the strings that fit into the rest of the comment, and the number of the others.
    fn write(
        &self,
        out: &mut dyn Write,
        rest: &mut usize,
        all: usize,
        mark: &str,
    ) -> io::Result<()> {
        let mut written = 0;
        for text in &self.texts {
            let Some(less) = rest.checked_sub(text.len()) else {
                break;
            };
            *rest = less;
            writeln!(out, "{text}")?;
            written += 1;
        }
        match all - written {
            0 => Ok(()),
            more => writeln!(out, "{mark} {}", and_more(more)),
        }
    }
}

fn markdown_of(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let head = table.head.iter().map(ToString::to_string).collect();
    let mut lines = format!("**{}**\n\n{}", table.title, line(head));
    lines += &format!("|{}\n", "---|".repeat(table.head.len()));
    for row in &table.rows {
        lines += &line(row.iter().map(|cell| text(cell)).collect());
    }
    if let Some(rest) = table.rest() {
        lines += &format!("\n{}\n", text(&rest));
    }
    lines
}

fn row(object: &Reviewed, groups: &[AnnotationGroup<'_, '_>]) -> String {
    let count = |weight, one: &str, many: &str| {
        let weighty = groups.iter().filter(|it| it.first.weight == weight);
        counted(weighty.count(), one, many)
    };
    let silenced = object.silenced().len();
    let says = [
        count(Weight::Refused, "refusal", "refusals"),
        count(Weight::Unknown, "open question", "open questions"),
        count(Weight::Warned, "warning", "warnings"),
        object
            .server
            .as_ref()
            .filter(|server| server.disagrees())
            .map(|_| "the API server disagrees".to_owned()),
        (!object.notes.is_empty()).then(|| format!("{} to note", object.notes.len())),
        counted(object.drift.len(), "field that drifted", "fields that drifted"),
        (silenced > 0).then(|| format!("{silenced} silenced")),
    ];
    format!(
        "| {}{} | {} | **{}** | {} |",
        object.operation.map_or(String::new(), |it| format!("{it} of ")),
        code(&object.title()),
        code(&object.file),
        object.verdict().as_str(),
        says.into_iter().flatten().collect::<Vec<_>>().join(", ")
    )
}

fn details(object: &Reviewed, groups: &[AnnotationGroup<'_, '_>]) -> String {
    let title = object.title();
    let title = summary(&title);
    let mut details = format!("<details><summary>{title}</summary>\n\n");
    for group in groups {
        details += &item(object, group);
    }
    for silence in object.silences() {
        details += &format!("- silenced: {}\n", text(&silence));
    }
    for note in &object.notes {
        details += &format!("- note: {}\n", text(note));
    }
    if let Some((heading, lines)) = object.drift() {
        details += &format!("- drift: {heading}\n");
        for line in lines {
            details += &format!("  - {}\n", text(&line));
        }
    }
    for edit in &object.edits {
        let (what, line) = edit.line(&object.file);
        details += &format!("- {what}: {}\n", text(&line));
    }
    if let Some(impact) = &object.impact {
        details += &table(impact);
    }
    details + "\n</details>\n"
}

fn item(object: &Reviewed, group: &AnnotationGroup<'_, '_>) -> String {
    let (remark, fields) = (group.first, group.fields());
    let at = code(&format!("{}:{}", object.file, remark.excerpt.position));
    let mut item = format!("- **{}** at {at}", remark.weight.as_str());
    match fields[..] {
        [] => {}
        [field] => item += &format!(", field {}", code(field)),
        _ => item += &format!(", fields {}", codes(&fields)),
    }
    item += &format!(": {}", text(remark.message));
    if let Some(lowered) = remark.lowered() {
        item += &format!("\n  *{lowered}*");
    }
    if !remark.help.is_empty() {
        item += &format!("\n  *{}*", text(remark.help));
    }
    item += &format!("\n  ({})\n", codes(&group.ids()));
    let lines = remark.text_fix.and_then(|it| it.lines.as_deref());
    item + &lines.and_then(suggestion).unwrap_or_default()
}

/// Formats lines as a suggested change of GitHub; the fence is longer than any in them.
///
/// Returns `None` for lines with unsafe characters, which cannot be escaped there.
fn suggestion(lines: &str) -> Option<String> {
    if !is_clean(lines) {
        return None;
    }
    let longest = lines.split(|char| char != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or_default().max(2) + 1);
    let lines = lines.lines().map(|line| format!("  {line}\n"));
    let lines: String = lines.collect();
    Some(format!("\n  {fence}suggestion\n{lines}  {fence}\n"))
}

/// Formats a list of code with commas, up to a size limit.
fn codes(texts: &[&str]) -> String {
    let items = texts.iter().map(|it| code(it));
    fit(items, texts.len(), LIST_LIMIT, ", ".len()).join(", ")
}
