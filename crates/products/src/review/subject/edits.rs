// SPDX-License-Identifier: Apache-2.0
//! Edits of the file that have the effect of fixes.

use std::ops::Range;

use serde_json::value::to_raw_value;

use super::Subject;
use super::source::Source;
use crate::report::TextFix;
use garden_gate_core::admission::{self, Finding, Review};
use garden_gate_core::garden;
use garden_gate_text::json::Json;
use garden_gate_text::yaml::{self, Document, Editor, Position, Proposal, TextEdit};

/// Maximum number of lines of a suggested change.
const MOST_LINES: usize = 20;

/// Maximum size of a document whose fixes reports contain, in bytes, because each fix parses it.
const LONGEST_FIXED: usize = 128 << 10;
/// Maximum number of bytes that are parsed for one fix of each object in a text: each parses the whole text.
const MOST_PARSED: usize = 1 << 20;

/// Maximum number of findings of an object whose fixes are shown, since each is checked by parsing the result.
const MOST_FIXES: usize = 100;

impl Subject {
    /// Returns an editor of the part of the file that contains the object; `None` if it cannot be edited.
    pub fn editor(&self) -> Option<Editor<'_>> {
        Editor::new(self.written.as_str())
    }

    /// Returns the byte range in the file of the part that contains the object.
    pub fn range(&self) -> Range<usize> {
        self.written.range()
    }

    /// Returns the text edits of this part, by its editor, that have the effect of edits of the object.
    ///
    /// Returns `None` for an AdmissionReview, and if a merged object differs from the file there.
    pub fn text_edits(
        &self,
        editor: &Editor<'_>,
        edits: &[admission::Edit],
    ) -> Option<Vec<TextEdit>> {
        editor.edits(&self.editable(edits)?, edits)
    }

    /// Returns text edits as [`Self::text_edits`], which the editor has yet to confirm.
    pub(in crate::review) fn proposal(
        &self,
        editor: &Editor<'_>,
        edits: &[admission::Edit],
    ) -> Option<Proposal> {
        editor.propose(&self.editable(edits)?, edits)
    }

    /// Returns the document; `None` if it does not have the values that the edits change.
    fn editable(&self, edits: &[admission::Edit]) -> Option<Document> {
        let document = self.document()?;
        let change = self.change()?;
        if change.is_applied {
            let written = document.to_value();
            let merged = Json::text(change.new.as_ref()?.get()).to_value();
            let is_same = |edit: &admission::Edit| {
                let pointer = edit.pointer();
                written.pointer(pointer) == merged.pointer(pointer)
                    && (written.pointer(pointer).is_some() || !has_index(pointer))
            };
            if !edits.iter().all(is_same) {
                return None;
            }
        }
        Some(document)
    }

    /// Returns the first fix of each finding as replacements of text; empty if there are none.
    pub(super) fn text_fixes(&self, review: &Review) -> Vec<Option<TextFix>> {
        let mut findings = review.findings.iter();
        if findings.all(|it| it.fixes.is_empty()) {
            return Vec::new();
        }
        let text = self.written.as_str();
        if text.len() > LONGEST_FIXED || text.len() * self.written.objects > MOST_PARSED {
            return Vec::new();
        }
        let Some(editor) = self.editor() else {
            return Vec::new();
        };
        let before = self.written.lines_before();
        let in_file = |position: Position| Position { line: position.line + before, ..position };
        let fix = |finding: &Finding| {
            let fix = finding.fixes.first()?;
            let edits = self.text_edits(&editor, &fix.edits)?;
            let lines = yaml::edited_lines(text, &edits)
                .filter(|(old, _)| old.lines().count() <= MOST_LINES)
                .filter(|_| !self.hides_any(text, &edits));
            Some(TextFix {
                title: fix.title.clone(),
                lines: lines.map(|(_, new)| new),
                replacements: edits
                    .into_iter()
                    .map(|it| (it.positions(text).map(in_file), it.text))
                    .collect(),
            })
        };
        let findings = review.findings.iter().enumerate();
        findings
            .map(|(index, finding)| (index < MOST_FIXES).then(|| fix(finding)).flatten())
            .collect()
    }

    /// Reports whether edits change lines that are not shown.
    fn hides_any(&self, text: &str, edits: &[TextEdit]) -> bool {
        let mut lines = edits.iter().flat_map(|it| {
            let [first, last] = it.positions(text);
            first.line..=last.line
        });
        lines.any(|line| self.written.is_hidden(line))
    }

    /// Returns the subject with the text of `again`, in which only these edits were made.
    pub(in crate::review) fn rewritten(
        &self,
        again: &Subject,
        edits: &[&admission::Edit],
    ) -> Option<Subject> {
        let mut subject =
            Subject { written: again.written.clone(), begin: again.begin, ..self.clone() };
        if edits.is_empty() {
            return Some(subject);
        }
        let Ok(Source::Manifest(kind, change)) = &mut subject.source else {
            return None;
        };
        let mut object = Json::text(change.new.as_ref()?.get()).to_value();
        edits.iter().try_for_each(|edit| edit.apply(&mut object))?;
        let new = to_raw_value(&object).ok()?;
        subject.kept = garden::read_with_configuration(*kind, new.get()).ok().flatten();
        change.new = Some(new);
        Some(subject)
    }
}

/// Reports whether a JSON pointer leads through a list.
fn has_index(pointer: &str) -> bool {
    let mut steps = pointer.split('/').skip(1);
    steps.any(|step| step.parse::<usize>().is_ok())
}
