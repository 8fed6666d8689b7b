// SPDX-License-Identifier: Apache-2.0
//! Text for terminals: findings in the style of a compiler, a line for each, or counts.

mod concise;
mod statistics;

pub use concise::ConciseWriter;
pub use statistics::StatisticsWriter;

use std::collections::BTreeMap;
use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::findings::{FindingList, LISTED, Remainder, RepeatedFinding};
use super::impact::lines;
use super::truncation::{clip, counted, fit};
use super::{Compared, Lines, Outcome, Reviewed, Summary, Weight, Writer};
use garden_gate_core::admission::Verdict;
use garden_gate_text::escape;

/// Maximum size of a field in bytes, since keys may be long.
const LONGEST_FIELD: usize = 1024;

/// Number of findings that are all printed in full.
const FEW: usize = 20;
/// Maximum number of messages of an id that are printed in full if there are many findings.
const MESSAGES: usize = 3;
/// Maximum number of objects without findings whose differences are printed.
const DIFFERENT: usize = 20;

/// The amount of text output.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Verbosity {
    /// Only findings, without a summary.
    Quiet,
    /// Findings, equal ones once, and a summary.
    #[default]
    Normal,
    /// Every object with all of its findings, and a summary.
    Verbose,
}

/// The look of text output.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Whether the text has colours.
    pub is_coloured: bool,
    /// Maximum number of characters in a line of source; longer lines are cut around the annotation.
    pub width: usize,
    /// The amount of output.
    pub verbosity: Verbosity,
}

impl Default for Look {
    /// Returns a look without colours, with the usual width of terminals.
    fn default() -> Self {
        let verbosity = Verbosity::default();
        Self { is_coloured: false, width: 80, verbosity }
    }
}

/// Writes verdicts for people: findings as compilers do, the most severe objects first, and a summary.
///
/// Equal findings of several objects are written once, with a count. Objects without findings are counted.
#[derive(Debug)]
pub struct TextWriter {
    look: Look,
    findings: FindingList,
    sections: Vec<Section>,
    /// The numbers of objects with details only: denied, undetermined and allowed.
    detailed: [usize; 3],
    /// The number of such objects that are not kept.
    hidden: usize,
    remainder: Remainder,
}

/// An object that is written.
#[derive(Debug)]
struct Section {
    verdict: Verdict,
    /// The heading; empty for an object that could not be read.
    heading: String,
    /// The positions of findings that no earlier object has.
    findings: Vec<usize>,
    /// Other lines about the object, escaped.
    details: String,
    /// Whether the details were requested.
    is_requested: bool,
}

impl TextWriter {
    /// Returns a writer of text with this look.
    pub fn new(look: Look) -> Self {
        let findings = match look.verbosity {
            Verbosity::Verbose => FindingList::complete(),
            Verbosity::Quiet | Verbosity::Normal => FindingList::merging(FEW),
        };
        Self {
            look,
            findings,
            sections: Vec::new(),
            detailed: [0; 3],
            hidden: 0,
            remainder: Remainder::default(),
        }
    }

    /// Reports whether an object with details only is kept: the first ones with its verdict are.
    fn keeps(&mut self, object: &Reviewed, details: &str) -> bool {
        if details.is_empty() {
            return false;
        }
        let [denied, undetermined, allowed] = &mut self.detailed;
        let count = match object.verdict() {
            Verdict::Denied => denied,
            Verdict::Undetermined => undetermined,
            Verdict::Allowed => allowed,
        };
        *count += 1;
        self.hidden += usize::from(*count > DIFFERENT);
        *count <= DIFFERENT
    }

    /// Writes the objects with findings or details, the most severe ones first.
    pub(super) fn write_objects(
        &mut self,
        out: &mut dyn Write,
        rule_url: Option<&str>,
    ) -> io::Result<()> {
        self.sections.sort_by_key(|it| match it.verdict {
            _ if it.heading.is_empty() => 0,
            Verdict::Denied => 1,
            Verdict::Undetermined => 2,
            Verdict::Allowed if !it.findings.is_empty() => 3,
            Verdict::Allowed => 4,
        });
        let shown = Selection::of(&self.findings, self.look, self.sections.len());
        let mut lines = Lines::new(out, self.look.is_coloured);
        let (mut different, mut hidden) = (0, self.hidden);
        for section in &self.sections {
            let findings: Vec<&RepeatedFinding> = section
                .findings
                .iter()
                .filter(|at| shown.items[**at])
                .map(|at| &self.findings.items[*at])
                .collect();
            if findings.is_empty()
                && !section.is_requested
                && self.look.verbosity != Verbosity::Verbose
            {
                // Its findings are counted.
                if section.details.is_empty() {
                    continue;
                }
                different += 1;
                if different > DIFFERENT {
                    hidden += 1;
                    continue;
                }
            }
            if !section.heading.is_empty() {
                lines.painted(&section.heading)?;
            }
            for finding in findings {
                lines.painted(&shown.renderer.render(&[group(finding, rule_url)]))?;
                lines.line(format_args!(""))?;
            }
            lines.block(&section.details)?;
        }
        for ((weight, id), more) in shown.more {
            let findings = counted(more, "other finding", "other findings").unwrap_or_default();
            let weight = weight.as_str();
            lines
                .line(format_args!("{weight}: {findings} of {id} with other messages: {LISTED}"))?;
        }
        if let Some(hidden) = counted(hidden, "other object has", "other objects have") {
            lines.line(format_args!("{hidden} notes or differences: `--verbose` lists them"))?;
        }
        Ok(())
    }
}

/// The findings that are written in full.
struct Selection {
    renderer: Renderer,
    /// Whether each finding is written.
    items: Vec<bool>,
    /// The numbers of the others by severity and id.
    more: BTreeMap<(Weight, &'static str), usize>,
}

impl Selection {
    fn of(findings: &FindingList, look: Look, objects: usize) -> Self {
        let renderer = if look.is_coloured { Renderer::styled() } else { Renderer::plain() };
        let mut items = Vec::new();
        let mut more = findings.not_kept();
        let is_all = look.verbosity == Verbosity::Verbose
            || objects <= MESSAGES
            || (more.is_empty() && findings.items.len() <= FEW);
        let mut written: BTreeMap<_, usize> = BTreeMap::new();
        for item in &findings.items {
            let key = (item.weight, item.ids[0]);
            let count = written.entry(key).or_default();
            *count += 1;
            let is_shown = is_all || *count <= MESSAGES;
            items.push(is_shown);
            if !is_shown {
                *more.entry(key).or_default() += item.count;
            }
        }
        Self { renderer: renderer.term_width(look.width), items, more }
    }
}

impl Writer for TextWriter {
    fn object(&mut self, _out: &mut dyn Write, object: &Reviewed) -> io::Result<()> {
        let findings = self.findings.add(object);
        let is_verbose = self.look.verbosity == Verbosity::Verbose;
        let details = match self.look.verbosity {
            Verbosity::Quiet => String::new(),
            Verbosity::Normal | Verbosity::Verbose => details(object, is_verbose)?,
        };
        if !is_verbose {
            self.remainder.add(object);
        }
        let affects_shoots = object.impact.is_some() || object.effect_on_shoots().is_some();
        let is_requested = !object.changes.is_empty() || object.fix.is_some() || affects_shoots;
        if findings.is_empty() && !is_requested && !is_verbose && !self.keeps(object, &details) {
            return Ok(());
        }
        self.sections.push(Section {
            verdict: object.verdict(),
            heading: heading(object, self.look.is_coloured),
            findings,
            details,
            is_requested,
        });
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        self.write_objects(out, summary.rule_url.as_deref())?;
        if self.look.verbosity == Verbosity::Quiet {
            return Ok(());
        }
        let mut out = Lines::new(out, self.look.is_coloured);
        for line in self.remainder.lines() {
            out.line(format_args!("{line}"))?;
        }
        if !summary.left_out.is_empty() {
            out.line(format_args!("left out: {}", summary.left_out.summary()))?;
        }
        let mut about: Vec<String> =
            if summary.is_empty() { Vec::new() } else { summary.judged_lines().collect() };
        if let Some(config) = summary.config.as_ref().filter(|it| it.is_found) {
            let configuration = format!("configuration: {}", config.path);
            match about.first_mut() {
                Some(first) => *first += &format!("; {configuration}"),
                None => about.push(configuration),
            }
        }
        about.extend(summary.baseline.as_ref().map(Compared::summary));
        about.extend(summary.last_lines());
        about.iter().try_for_each(|line| out.line(format_args!("{line}")))
    }
}

/// Formats the heading of an object, with its verdict.
fn heading(object: &Reviewed, is_coloured: bool) -> String {
    if !matches!(object.outcome, Outcome::Judged(..)) {
        return String::new();
    }
    let verdict = object.verdict();
    let from = match object.from.as_str() {
        "" => String::new(),
        from => format!(" (from {from})"),
    };
    let before = if object.is_denied_as_before() { ", as in the baseline" } else { "" };
    let title = format!("{}: {}{from}", object.file, object.heading());
    let title = escape::line(&title);
    let colour = match verdict {
        _ if !is_coloured => return format!("{title}: {}{before}\n", verdict.as_str()),
        Verdict::Denied => 31,
        Verdict::Undetermined => 33,
        Verdict::Allowed => 32,
    };
    format!("{title}: \u{1b}[1;{colour}m{}\u{1b}[0m{before}\n", verdict.as_str())
}

/// Formats the details of an object other than its findings.
///
/// Without `is_verbose`, notes, silences and parts that are not judged are missing, which are counted for all objects together.
fn details(object: &Reviewed, is_verbose: bool) -> io::Result<String> {
    let mut text = Vec::new();
    let mut out = Lines::plain(&mut text);
    if is_verbose {
        for silence in object.silences() {
            out.line(format_args!("silenced: {silence}"))?;
        }
        for note in &object.notes {
            out.line(format_args!("note: {note}"))?;
        }
    }
    if let Some((heading, lines)) = object.drift() {
        out.line(format_args!("drift: {heading}"))?;
        for line in lines {
            out.line(format_args!("  {line}"))?;
        }
    }
    let effect = object.effect_on_shoots();
    if effect.is_some() || object.impact.is_some() {
        out.line(format_args!("what the change means for Shoots:"))?;
        for line in effect.into_iter().chain(object.impact.iter().flat_map(lines)) {
            out.line(format_args!("  {line}"))?;
        }
    }
    if is_verbose {
        for part in not_judged(object) {
            out.line(format_args!("not judged: {part}"))?;
        }
    }
    if let Some(server) =
        object.server.as_ref().filter(|it| is_verbose || it.adds_to(object.verdict()))
    {
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
    String::from_utf8(text).map_err(io::Error::other)
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

/// Formats a finding with its first place.
fn group<'a>(finding: &'a RepeatedFinding, rule_url: Option<&str>) -> Group<'a> {
    let level = match finding.weight {
        Weight::Invalid | Weight::Refused | Weight::Unknown => Level::ERROR,
        Weight::Warned => Level::WARNING,
    };
    let mut title = level
        .with_name(finding.weight.as_str())
        .primary_title(escape::value(&finding.message))
        .id(finding.ids[0]);
    if let Some(url) = rule_url.and_then(|it| finding.page(it)) {
        title = title.id_url(url);
    }
    let excerpt = &finding.excerpt;
    let mut group = Group::with_title(title);
    let path = escape::value(&finding.file);
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
    for (name, text) in about(finding) {
        group =
            group.element(Level::NOTE.with_name(name).message(escape::value(&text).into_owned()));
    }
    group
}

/// Returns the notes below the source of a finding.
fn about(finding: &RepeatedFinding) -> Vec<(&'static str, String)> {
    let mut about = Vec::new();
    match &finding.fields[..] {
        [] => {}
        [field] => about.push(("field", clip(field, LONGEST_FIELD))),
        fields => about.push(("fields", joined(fields))),
    }
    about.extend(finding.notes.iter().cloned());
    if !finding.help.is_empty() {
        about.push(("help", finding.help.clone()));
    }
    if finding.ids.len() > 1 {
        about.push(("rules", joined(&finding.ids)));
    }
    about.extend(finding.other_places().map(|places| ("also at", places)));
    about
}

/// Joins strings with commas, up to a size limit.
fn joined(texts: &[impl AsRef<str>]) -> String {
    let items = texts.iter().map(|it| it.as_ref().to_owned());
    fit(items, texts.len(), LONGEST_FIELD, ", ".len()).join(", ")
}
