// SPDX-License-Identifier: Apache-2.0
//! An open document: its text, and its objects as far as it can be parsed.

use std::collections::HashSet;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use gen_lsp_types::{Diagnostic, DiagnosticSeverity, Uri};
use serde_json::Value;

use super::diagnostics::SOURCE;
use super::source::SourceText;
use crate::files::{MAX_FILE, too_large};
use crate::review::surroundings::why_template;
use garden_gate_core::garden::ObjectKey;
use garden_gate_model::api::Described;
use garden_gate_products::editor::{manifest_at, part_at};
use garden_gate_products::review::subject::{self, FileObjects, Subject};
use garden_gate_text::escape;
use garden_gate_text::yaml::{self, SourceError};

/// A document that the client has opened.
pub(super) struct OpenDocument {
    pub(super) uri: Uri,
    /// The file; `None` for a document that has none.
    pub(super) path: Option<PathBuf>,
    /// The file in messages.
    pub(super) name: String,
    pub(super) version: i32,
    /// The number of edits so far.
    pub(super) edits: u64,
    /// Whether the objects are those of the text.
    pub(super) is_parsed: bool,
    /// Whether the client has diagnostics of it.
    pub(super) was_published: bool,
    pub(super) source: SourceText,
    /// The objects of the parts that can be parsed.
    pub(super) objects: Arc<FileObjects>,
    /// The last objects of the parts that cannot be parsed.
    pub(super) kept: Vec<Subject>,
    /// The parts that cannot be parsed, by their lines, with the errors.
    pub(super) broken: Vec<(Range<usize>, SourceError)>,
    /// The reason why the document is not judged.
    pub(super) skipped: Option<String>,
    /// The text and the diagnostics when all parts could be parsed.
    pub(super) last: Option<(SourceText, Vec<Diagnostic>)>,
}

impl OpenDocument {
    pub(super) fn new(uri: Uri, path: Option<PathBuf>, version: i32, source: SourceText) -> Self {
        let name = match &path {
            Some(path) => crate::review::repository::shown(path),
            None => uri.0.clone(),
        };
        let mut document = Self {
            uri,
            path,
            name,
            version,
            edits: 0,
            is_parsed: false,
            was_published: false,
            source,
            objects: Arc::default(),
            kept: Vec::new(),
            broken: Vec::new(),
            skipped: None,
            last: None,
        };
        document.parse();
        document
    }

    /// Parses the text after an edit.
    ///
    /// The last objects of parts that cannot be parsed any more are kept, since other documents may depend on them.
    pub(super) fn parse(&mut self) {
        self.is_parsed = true;
        let before = std::mem::take(&mut self.objects);
        self.broken.clear();
        self.skipped = None;
        let text = self.source.as_str();
        if text.len() as u64 > MAX_FILE {
            self.skipped = Some(format!("the document is {}", too_large()));
            self.kept.clear();
            return;
        }
        let mut whole = subject::read(&self.name, text.to_owned(), true);
        whole.leave_templates();
        if let Some(placeholder) = whole.template {
            self.skipped = Some(format!("the document {}", why_template(&self.name, placeholder)));
            self.objects = Arc::new(whole);
            self.kept.clear();
            return;
        }
        let is_unreadable = whole.subjects.iter().any(|it| it.why_unreadable().is_some());
        if !is_unreadable {
            self.objects = Arc::new(whole);
            self.kept.clear();
            return;
        }
        let was_read = !before.subjects.is_empty() || !self.kept.is_empty();
        let is_other = whole.subjects.iter().any(|it| it.why_no_manifest().is_some());
        if is_other && !was_read {
            self.kept.clear();
            return;
        }
        let (readable, broken) = without_broken_parts(&self.source);
        self.broken = broken;
        self.objects = Arc::new(subject::read(&self.name, readable, true));
        let subjects = self.objects.subjects.iter();
        let now: HashSet<ObjectKey> = subjects.filter_map(Subject::key).collect();
        let lost = before.subjects.iter().cloned().chain(std::mem::take(&mut self.kept));
        let is_lost = |it: &Subject| it.key().is_some_and(|key| !now.contains(&key));
        self.kept = lost.filter(is_lost).collect();
    }

    /// Reports whether the document has objects that are judged, or errors to report.
    pub(super) fn is_relevant(&self) -> bool {
        !self.objects.subjects.is_empty() || !self.broken.is_empty() || self.skipped.is_some()
    }

    /// Returns the ranges of the documents of the text.
    pub(super) fn parts(&self) -> Vec<Range<usize>> {
        let parts = yaml::split(self.source.as_str());
        parts.into_iter().map(|(_, range)| range).collect()
    }

    /// Returns the range of the document at an offset.
    pub(super) fn part_at(&self, offset: usize) -> Range<usize> {
        part_at(self.source.as_str(), offset)
    }

    /// Returns the object at a range as JSON, and its kind.
    pub(super) fn object(
        &self,
        part: &Range<usize>,
        offset: usize,
    ) -> Option<(&'static Described, Value)> {
        manifest_at(self.source.as_str(), part, offset)
    }

    /// Returns the diagnostics of the last valid text that are in broken parts, outside of the changed lines.
    pub(super) fn carried(&self) -> Vec<Diagnostic> {
        let Some((last, diagnostics)) = &self.last else {
            return Vec::new();
        };
        let (old, new) = (last.line_count(), self.source.line_count());
        let shorter = old.min(new);
        let same = |(a, b): (usize, usize)| last.line(a) == self.source.line(b);
        let before = (0..shorter).take_while(|it| same((*it, *it))).count();
        let after = (1..=shorter - before).take_while(|it| same((old - it, new - it))).count();
        let carried = diagnostics.iter().filter_map(|diagnostic| {
            let line = usize::try_from(diagnostic.range.start.line).ok()?;
            let now = match line {
                line if line < before => line,
                line if line >= old - after => line + new - old,
                _ => return None,
            };
            let next = self.broken.partition_point(|(lines, _)| lines.end <= now);
            let (_, error) = self.broken.get(next).filter(|(lines, _)| lines.contains(&now))?;
            if error.position.line == now + 1 {
                return None;
            }
            let mut diagnostic = diagnostic.clone();
            let moved = u32::try_from(now).ok()?;
            diagnostic.range.end.line =
                diagnostic.range.end.line - diagnostic.range.start.line + moved;
            diagnostic.range.start.line = moved;
            Some(diagnostic)
        });
        carried.collect()
    }

    /// Returns the diagnostics of parts that cannot be parsed, and of a document that is not judged.
    pub(super) fn errors(&self) -> Vec<Diagnostic> {
        let broken = self.broken.iter().map(|(_, error)| {
            let start = self.source.offset_of(error.position);
            let line = self.source.line_of(start);
            let end = self.source.start_of(line) + self.source.line(line).len();
            let message = escape::value(&error.message).into_owned();
            plain(self.source.range(start..end.max(start)), DiagnosticSeverity::Error, message)
        });
        let skipped = self.skipped.iter().map(|why| {
            let message = escape::value(why).into_owned();
            plain(self.source.range(0..0), DiagnosticSeverity::Information, message)
        });
        broken.chain(skipped).collect()
    }
}

/// Returns a diagnostic without a rule.
pub(super) fn plain(
    range: gen_lsp_types::Range,
    severity: DiagnosticSeverity,
    message: String,
) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(severity),
        code: None,
        code_description: None,
        source: Some(SOURCE.to_owned()),
        message: message.into(),
        tags: None,
        related_information: None,
        data: None,
    }
}

/// Replaces the documents that cannot be parsed by blanks, and returns their lines and errors.
fn without_broken_parts(source: &SourceText) -> (String, Vec<(Range<usize>, SourceError)>) {
    let text = source.as_str();
    let (mut readable, mut broken) = (String::with_capacity(text.len()), Vec::new());
    for (before, range) in yaml::split(text) {
        let part = &text[range.clone()];
        match yaml::parse_keeping_repeated(part) {
            Ok(_) => readable.push_str(part),
            Err(mut error) => {
                error.position.line += before;
                let lines = before..before + part.lines().count().max(1);
                broken.push((lines, error));
                let blanks = part.chars().filter(|it| matches!(it, '\n' | '\r'));
                readable.extend(blanks);
            }
        }
    }
    (readable, broken)
}
