use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::Weight;
use super::annotation::AnnotationGroup;
use super::impact::lines;
use super::truncation::{clip, fit};
use super::{Lines, Outcome, Reviewed, Summary, Writer};
use garden_gate_core::admission::{POLICY_PREFIX, Verdict};
use garden_gate_text::escape;

/// Maximum size of a field in bytes, since keys may be long.
const LONGEST_FIELD: usize = 1024;

/// The look of text output.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Whether the text has colours.
    pub is_coloured: bool,
    /// Maximum number of characters in a line of source; longer lines are cut around the annotation.
    pub width: usize,
    /// Whether only objects with findings are printed, without a summary.
    pub is_quiet: bool,
}

impl Default for Look {
    /// Returns a look without colours, with the usual width of terminals.
    fn default() -> Self {
        Self { is_coloured: false, width: 80, is_quiet: false }
    }
}

/// Writes verdicts for people: the annotations per object, as compilers do, and a summary line.
#[derive(Debug)]
pub struct TextWriter {
    renderer: Renderer,
    is_coloured: bool,
    is_quiet: bool,
}

impl TextWriter {
    /// Returns a writer of text with this look.
    pub fn new(look: Look) -> Self {
        let renderer = if look.is_coloured { Renderer::styled() } else { Renderer::plain() };
        Self {
            renderer: renderer.term_width(look.width),
            is_coloured: look.is_coloured,
            is_quiet: look.is_quiet,
        }
    }
}

impl Writer for TextWriter {
    fn object(&mut self, out: &mut dyn Write, object: &Reviewed) -> io::Result<()> {
        let mut out = Lines::new(out, self.is_coloured);
        if self.is_quiet {
            return if object.says_anything() {
                write_findings(&mut out, object, &self.renderer)
            } else {
                Ok(())
            };
        }
        write_object(&mut out, object, &self.renderer)
    }

    fn end(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        if self.is_quiet {
            return Ok(());
        }
        let mut out = Lines::plain(out);
        if summary.is_empty() {
            out.line(format_args!(
                "there is nothing to review: no file has an object of core.gardener.cloud/v1beta1 or an AdmissionReview"
            ))?
        } else {
            for line in summary.judged_lines() {
                out.line(format_args!("{line}"))?;
            }
            out.line(format_args!("{}", summary.counts()))?;
        }
        if let Some(compared) = &summary.baseline {
            out.line(format_args!("{}", compared.summary()))?;
        }
        if !summary.left_out.is_empty() {
            out.line(format_args!("left out: {}", summary.left_out.summary()))?;
        }
        match &summary.config {
            Some(config) if config.is_found => {
                out.line(format_args!("configuration: {}", config.path))
            }
            _ => Ok(()),
        }
    }
}

/// Writes an object with its annotations; an object without any takes one line.
fn write_findings(out: &mut Lines<'_>, object: &Reviewed, renderer: &Renderer) -> io::Result<()> {
    let remarks = object.remarks();
    if let Outcome::Judged(review, _) = &object.outcome {
        let verdict = review.verdict().as_str();
        let from = match object.from.as_str() {
            "" => String::new(),
            from => format!(" (from {from})"),
        };
        let before = if object.is_denied_as_before() { ", as in the baseline" } else { "" };
        let open = if is_short(object) { open_fields(object) } else { String::new() };
        out.line(format_args!(
            "{}: {}{from}: {verdict}{before}{open}",
            object.file,
            object.heading()
        ))?;
    }
    for annotation in AnnotationGroup::once(&remarks) {
        out.painted(&renderer.render(&[group(object, &annotation)]))?;
        out.line(format_args!(""))?;
    }
    Ok(())
}

/// Reports whether an object takes one line: it is allowed without annotations and notes.
fn is_short(object: &Reviewed) -> bool {
    let is_allowed = object.verdict() == Verdict::Allowed;
    is_allowed && !object.says_anything() && object.notes.is_empty()
}

/// Returns the fields of an object that are not judged, for the line with its verdict.
fn open_fields(object: &Reviewed) -> String {
    let fields: Vec<&str> = object.unjudged.iter().map(|it| it.field.as_str()).collect();
    if fields.is_empty() { String::new() } else { format!(" (not judged: {})", joined(&fields)) }
}

fn write_object(out: &mut Lines<'_>, object: &Reviewed, renderer: &Renderer) -> io::Result<()> {
    write_findings(out, object, renderer)?;
    for silence in object.silences() {
        out.line(format_args!("silenced: {silence}"))?;
    }
    for note in &object.notes {
        out.line(format_args!("note: {note}"))?;
    }
    if let Some((heading, lines)) = object.drift() {
        out.line(format_args!("drift: {heading}"))?;
        for line in lines {
            out.line(format_args!("  {line}"))?;
        }
    }
    if let Some(impact) = &object.impact {
        out.line(format_args!("what the change means for Shoots:"))?;
        for line in lines(impact) {
            out.line(format_args!("  {line}"))?;
        }
    }
    if !is_short(object) {
        for part in not_judged(object) {
            out.line(format_args!("not judged: {part}"))?;
        }
    }
    if let Some(server) = &object.server {
        out.line(format_args!("server: {}", server.line()))?;
        if server.disagrees() {
            out.line(format_args!("disagrees: {}", server.help()))?;
        }
    }
    if !object.changes.is_empty() {
        out.block(&object.changes)?;
    }
    if let Some(fix) = &object.fix {
        out.block(&fix.diff)?;
    }
    for edit in &object.edits {
        let (what, line) = edit.line(&object.file);
        out.line(format_args!("{what}: {line}"))?;
    }
    Ok(())
}

/// Returns the parts of an object that are not judged, grouped by reason.
fn not_judged(object: &Reviewed) -> Vec<String> {
    let mut by_reason: Vec<(&str, Vec<&str>)> = Vec::new();
    for part in &object.unjudged {
        match by_reason.iter_mut().find(|(why, _)| *why == part.why) {
            Some((_, fields)) => fields.push(&part.field),
            None => by_reason.push((&part.why, vec![&part.field])),
        }
    }
    let annotations =
        by_reason.into_iter().map(|(why, fields)| format!("{}: {why}", fields.join(", ")));
    annotations.collect()
}

fn group<'a>(object: &'a Reviewed, annotation: &AnnotationGroup<'_, 'a>) -> Group<'a> {
    let remark = annotation.first;
    let level = match remark.weight {
        Weight::Refused | Weight::Unknown => Level::ERROR,
        Weight::Warned => Level::WARNING,
    };
    let title = level.with_name(remark.weight.as_str());
    let excerpt = remark.excerpt;
    let mut group = Group::with_title(title.primary_title(escape::value(remark.message)));
    let path = escape::value(&object.file);
    group = match excerpt.line.as_str() {
        "" => group.element(
            Origin::path(path).line(excerpt.position.line).char_column(excerpt.position.column),
        ),
        line => {
            let (line, span) = escape::excerpt(line, excerpt.span.clone());
            group.element(
                Snippet::source(line)
                    .path(path)
                    .line_start(excerpt.position.line)
                    .annotation(AnnotationKind::Primary.span(span)),
            )
        }
    };
    for (name, text) in about(annotation) {
        group =
            group.element(Level::NOTE.with_name(name).message(escape::value(&text).into_owned()));
    }
    group
}

/// Returns the notes below the source of an annotation.
fn about(annotation: &AnnotationGroup<'_, '_>) -> Vec<(&'static str, String)> {
    let (remark, fields, ids) = (annotation.first, annotation.fields(), annotation.ids());
    let mut about = Vec::new();
    match fields[..] {
        [] => {}
        [field] => about.push(("field", clip(field, LONGEST_FIELD))),
        _ => about.push(("fields", joined(&fields))),
    }
    if let Some(lowered) = remark.lowered() {
        about.push(("level", lowered.to_owned()));
    }
    if let Some(origin) = remark.own_refusal {
        about.push(("origin", origin.to_owned()));
    }
    if let Some(occasion) = remark.occasion {
        about.push(("when", occasion.as_str().to_owned()));
    }
    if !remark.help.is_empty() {
        about.push(("help", remark.help.to_owned()));
    }
    if let Some(fix) = remark.fix {
        about.push(("fix", fix.to_owned()));
    }
    if garden_gate_core::rules::find(remark.rule).is_some() {
        let name = match ids.len() {
            1 => "rule",
            _ => "rules",
        };
        let ids = joined(&ids);
        about.push((name, format!("{ids} (see garden-gate rules {})", remark.rule)));
    } else if remark.rule.starts_with(POLICY_PREFIX) {
        about.push(("rule", remark.rule.to_owned()));
    }
    about
}

/// Joins strings with commas, up to a size limit.
fn joined(texts: &[&str]) -> String {
    let items = texts.iter().map(|it| (*it).to_owned());
    fit(items, texts.len(), LONGEST_FIELD, ", ".len()).join(", ")
}
