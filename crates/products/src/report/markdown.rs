// SPDX-License-Identifier: Apache-2.0
use std::io::{self, Write};

use super::audit::{FindingRow, Table, UnsupportedSection, finding_rows, rest, tables};
use super::findings::{FindingList, LISTED, Remainder, RepeatedFinding};
use super::impact::table;
use super::markup::{code, link, summary, text};
use super::truncation::{and_more, clip, counted, fit};
use super::{AuditSummary, By, Reviewed, Summary, Weight, Writer};
use garden_gate_core::config::Level;
use garden_gate_text::escape::is_clean;

/// Maximum size of the output in bytes, since GitHub refuses a comment of more than 65,536 characters.
const LIMIT: usize = 60_000;
/// The part of it for the numbers of what does not fit.
const RESERVE: usize = 2_000;
/// The part of it for what follows the tables of an audit.
const BELOW_TABLES: usize = 30_000;
/// Maximum size of a line above the findings, and of a cell in a table, before it is escaped.
const LINE_LIMIT: usize = 400;
/// Maximum size of the list of fields or rules of one finding; the others are counted.
const LIST_LIMIT: usize = 2_000;
/// Maximum size of a message.
const MESSAGE_LIMIT: usize = 4_000;
/// Maximum number of different messages of an id.
const MESSAGES: usize = 200;

/// By this comment, a job finds the comment of its last run, and edits it.
const MARKER: &str = "<!-- garden-gate -->";

/// Writes verdicts as a comment for a pull request: a headline, and the findings, refusals first.
///
/// Equal findings of several objects are written once, with a count. What does not fit is counted: details of objects first, then
/// warnings, and refusals last.
#[derive(Debug)]
pub struct MarkdownWriter {
    findings: FindingList,
    details: CollectedTexts,
    /// The number of objects with details.
    count: usize,
    remainder: Remainder,
}

impl Default for MarkdownWriter {
    fn default() -> Self {
        Self {
            findings: FindingList::merging(MESSAGES),
            details: CollectedTexts::default(),
            count: 0,
            remainder: Remainder::default(),
        }
    }
}

impl Writer for MarkdownWriter {
    fn object(&mut self, _out: &mut dyn Write, object: &Reviewed) -> io::Result<()> {
        self.findings.add(object);
        self.remainder.add(object);
        let details = details(object);
        if !details.is_empty() {
            self.count += 1;
            self.details.add(details);
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        let mut page = Page { out, rest: LIMIT };
        page.add(&format!("{MARKER}\n### garden-gate: {}\n", summary.headline()))?;
        let left_out = (summary.left_out.has_incomplete())
            .then(|| format!("**left out**: {}", short(&summary.left_out.summary())));
        let lines = summary
            .last_lines()
            .into_iter()
            .chain(summary.judged_lines())
            .map(|it| short(&it))
            .chain(left_out);
        for line in lines.chain(summary.baseline.as_ref().map(|it| it.summary())) {
            page.add(&format!("{line}\n"))?;
        }
        if let Some(audit) = &summary.audit {
            if let Some(section) = UnsupportedSection::of(audit)
                && audit.by.contains(&By::Support)
            {
                page.add_table(&markdown_of(&section.table()))?;
                page.add(&format!("{}\n", section.advice))?;
            }
            if audit.by.contains(&By::Rule) {
                page.add_table(&counted_findings(audit, summary.rule_url.as_deref()))?;
            }
            for table in tables(audit) {
                page.add_table(&markdown_of(&table))?;
            }
        }
        for (weight, title) in [
            (Weight::Invalid, "Not valid YAML"),
            (Weight::Refused, "Refused"),
            (Weight::Unknown, "Undetermined"),
            (Weight::Warned, "Warnings"),
        ] {
            self.write_findings(&mut page, (weight, title), summary.rule_url.as_deref())?;
        }
        let remarks = self.remainder.lines();
        for line in &remarks {
            page.add(&format!("- {}", short(line)))?;
        }
        if !remarks.is_empty() && self.count > 0 {
            page.add("")?;
        }
        self.details.write(&mut page, self.count)
    }
}

impl MarkdownWriter {
    /// Writes the findings of one severity that fit, and the number of the others.
    fn write_findings(
        &self,
        page: &mut Page<'_>,
        (weight, title): (Weight, &str),
        rule_url: Option<&str>,
    ) -> io::Result<()> {
        let items = self.findings.items.iter().filter(|it| it.weight == weight);
        let not_kept = self.findings.not_kept();
        let of_weight = not_kept.iter().filter(|((it, _), _)| *it == weight);
        let mut more: usize = of_weight.map(|(_, more)| more).sum();
        let mut is_first = true;
        for finding in items {
            if is_first {
                page.add(&format!("**{title}**\n"))?;
                is_first = false;
            }
            let forms = [item(finding, rule_url, true), item(finding, rule_url, false)];
            let Some(form) = forms.iter().find(|it| page.fits(it)) else {
                more += finding.count;
                continue;
            };
            page.add(form)?;
        }
        match counted(more, "other finding", "other findings") {
            Some(findings) => page.add(&format!("- {findings}: {LISTED}\n")),
            None if is_first => Ok(()),
            None => page.add(""),
        }
    }
}

/// A comment with the number of bytes that still fit.
struct Page<'o> {
    out: &'o mut dyn Write,
    rest: usize,
}

impl Page<'_> {
    /// Reports whether a text fits, with what must be written after it.
    fn fits(&self, text: &str) -> bool {
        text.len() + RESERVE < self.rest
    }

    /// Writes a text and a line break; nothing if the comment would be too long.
    fn add(&mut self, text: &str) -> io::Result<()> {
        let Some(rest) = self.rest.checked_sub(text.len() + 1) else {
            return Ok(());
        };
        self.rest = rest;
        writeln!(self.out, "{text}")
    }

    /// Writes the lines of a table that leave enough room, and the number of the others.
    fn add_table(&mut self, table: &str) -> io::Result<()> {
        let mut lines = table.split('\n');
        for line in lines.by_ref() {
            if line.len() + BELOW_TABLES > self.rest {
                let more = 1 + lines.filter(|it| !it.is_empty()).count();
                return self.add(&format!("\n{}: `--format json` has them\n", and_more(more)));
            }
            self.add(line)?;
        }
        Ok(())
    }
}

/// The first strings, up to the size limit of a comment.
#[derive(Debug, Default)]
struct CollectedTexts {
    texts: Vec<String>,
    size: usize,
}

impl CollectedTexts {
    fn add(&mut self, text: String) {
        self.size += text.len();
        if self.size <= LIMIT {
            self.texts.push(text);
        }
    }

    /// Writes the strings that fit into the rest of the comment, and the number of the others.
    fn write(&self, page: &mut Page<'_>, all: usize) -> io::Result<()> {
        let mut written = 0;
        for text in &self.texts {
            if !page.fits(text) {
                break;
            }
            page.add(text)?;
            written += 1;
        }
        match counted(all - written, "other object has", "other objects have") {
            Some(objects) => {
                page.add(&format!("{objects} details: `--format text --verbose` lists them"))
            }
            None => Ok(()),
        }
    }
}

/// Formats a sentence as [`text`], up to a size limit.
fn short(line: &str) -> String {
    text(&clip(line, LINE_LIMIT))
}

/// Formats the findings of an audit as a table, the most severe first; empty without any.
fn counted_findings(audit: &AuditSummary, rule_url: Option<&str>) -> String {
    let mut lines = String::new();
    for level in [Level::Deny, Level::Warn] {
        let (rows, more) = finding_rows(audit, level, rule_url);
        for row in rows {
            if lines.is_empty() {
                lines +=
                    "**Findings**\n\n| level | what | finding | objects |\n|---|---|---|---|\n";
            }
            let FindingRow { level, sentence, id, page, extent, examples } = row;
            let id = page.map_or_else(|| code(id), |url| link(id, &url));
            let objects = short(&format!("{extent}: {examples}"));
            lines += &format!("| {} | {} | {id} | {objects} |\n", level.as_str(), short(sentence));
        }
        if let Some(rest) = rest(more) {
            lines += &format!("| {} | {} | | |\n", level.as_str(), text(&rest));
        }
    }
    lines
}

fn markdown_of(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let head = table.head.iter().map(ToString::to_string).collect();
    let mut lines = format!("**{}**\n\n{}", table.title, line(head));
    lines += &format!("|{}\n", "---|".repeat(table.head.len()));
    for row in &table.rows {
        lines += &line(row.iter().map(|cell| short(cell)).collect());
    }
    if let Some(rest) = table.rest() {
        lines += &format!("\n{}\n", text(&rest));
    }
    lines
}

/// Formats the details of an object other than its findings; empty without any.
fn details(object: &Reviewed) -> String {
    let mut details = String::new();
    for silence in object.silences() {
        details += &format!("- silenced: {}\n", text(&silence));
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
    if let Some(effect) = object.effect_on_shoots() {
        details += &format!("- {}\n", text(&effect));
    }
    if let Some(impact) = &object.impact {
        details += &table(impact);
    }
    if details.is_empty() {
        return details;
    }
    let title = object.title();
    format!("<details><summary>{}</summary>\n\n{details}\n</details>\n", summary(&title))
}

/// Formats a finding; only in full with its help, its fix and the other places.
fn item(finding: &RepeatedFinding, rule_url: Option<&str>, is_full: bool) -> String {
    let at = code(&format!("{}:{}", finding.file, finding.excerpt.position));
    let ids: Vec<&str> = finding.ids.clone();
    let id = match rule_url.and_then(|url| finding.page(url)) {
        Some(url) if ids.len() == 1 => link(ids[0], &url),
        _ => codes(&ids),
    };
    let mut item =
        format!("- **{}** {id} at {at}, {}", finding.weight.as_str(), code(&finding.object));
    let fields: Vec<&str> = finding.fields.iter().map(String::as_str).collect();
    match fields[..] {
        [] => {}
        [field] => item += &format!(", field {}", code(field)),
        _ => item += &format!(", fields {}", codes(&fields)),
    }
    item += &format!(": {}", text(&clip(&finding.message, MESSAGE_LIMIT)));
    if !is_full {
        if finding.count > 1 {
            item += &format!(" ({})", and_more(finding.count - 1));
        }
        return item;
    }
    for (name, note) in &finding.notes {
        item += &format!("\n  *{name}: {}*", text(note));
    }
    if !finding.help.is_empty() {
        item += &format!("\n  *{}*", text(&finding.help));
    }
    if let Some(places) = finding.other_places() {
        item += &format!("\n  also at {}", text(&places));
    }
    item + &finding.fixed_lines.as_deref().and_then(suggestion).unwrap_or_default()
}

/// Formats lines as a suggested change of GitHub; the fence is longer than any in them.
///
/// Returns `None` for lines with unsafe characters, which cannot be escaped there, and if no line remains: the box would be empty.
fn suggestion(lines: &str) -> Option<String> {
    if lines.is_empty() || !is_clean(lines) {
        return None;
    }
    let longest = lines.split(|char| char != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or_default().max(2) + 1);
    let lines: String = lines.lines().map(|line| format!("  {line}\n")).collect();
    Some(format!("\n  {fence}suggestion\n{lines}  {fence}\n"))
}

/// Formats a list of code with commas, up to a size limit.
fn codes(texts: &[&str]) -> String {
    let items = texts.iter().map(|it| code(it));
    fit(items, texts.len(), LIST_LIMIT, ", ".len()).join(", ")
}
