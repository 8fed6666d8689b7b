// SPDX-License-Identifier: Apache-2.0
//! The findings of a review as ranges of texts, with fixes as edits.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::code_units::CodeUnits;
use garden_gate_core::admission::{Applicability, Verdict};
use garden_gate_products::report::{Annotation, AnnotationGroup, Reviewed, TextFix, Weight};
use garden_gate_products::review::ReviewedManifests;
use garden_gate_text::escape;
use garden_gate_text::yaml::{Excerpt, Position};

/// The findings of a review for an editor.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Details {
    /// The objects, in the order of the review.
    pub(crate) objects: Vec<ObjectDetails>,
    /// The findings, and the checks that are undetermined.
    pub(crate) markers: Vec<Marker>,
    /// Warnings and notes on the input as a whole.
    pub(crate) notes: Vec<String>,
}

/// A reviewed object.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ObjectDetails {
    /// The file.
    pub(crate) file: String,
    /// The operation, the kind and the name, such as `CREATE of Shoot garden-dev/web`.
    pub(crate) heading: String,
    /// The verdict.
    pub(crate) verdict: Verdict,
    /// The difference between the object and the one that would be stored, as a unified diff of YAML; empty without one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) diff: String,
}

/// The weight of a marker.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    /// The object is refused.
    Error,
    /// The object is accepted with a warning.
    Warning,
    /// A note, or a check that is undetermined.
    Info,
}

/// A message at a range of a file. Offsets are in code units of UTF-16, as in strings of JavaScript.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Marker {
    /// The file.
    pub(crate) file: String,
    /// The beginning of the range.
    pub(crate) from: usize,
    /// The end of the range.
    pub(crate) to: usize,
    /// The weight.
    pub(crate) severity: Severity,
    /// The id of the finding or of the undetermined rule; empty for notes.
    pub(crate) id: String,
    /// The id of the rule that documents it; empty for notes.
    pub(crate) rule: String,
    /// The field in Gardener's notation; empty for the whole object.
    pub(crate) field: String,
    /// The message; help is on a line of its own.
    pub(crate) message: String,
    /// True if a check is undetermined.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) undetermined: bool,
    /// The fix.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fix: Option<FixEdits>,
}

/// A fix as edits of the text.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FixEdits {
    /// The change in the imperative.
    pub(crate) title: String,
    /// Whether it may be made without a review of it.
    pub(crate) applicability: Option<Applicability>,
    /// The edits, which do not overlap.
    pub(crate) edits: Vec<EditOfText>,
}

/// A replacement of a range of a text.
#[derive(Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditOfText {
    /// The beginning of the range.
    pub(crate) from: usize,
    /// The end of the range.
    pub(crate) to: usize,
    /// The new text.
    pub(crate) insert: String,
}

impl Details {
    /// Returns the findings of a review of these texts, by their names.
    pub(crate) fn of(reviewed: &ReviewedManifests, texts: &BTreeMap<String, String>) -> Self {
        let units: BTreeMap<&str, CodeUnits<'_>> =
            texts.iter().map(|(name, text)| (name.as_str(), CodeUnits::of(text))).collect();
        let nothing = CodeUnits::of("");
        let mut markers = Vec::new();
        for object in &reviewed.objects {
            add(object, units.get(object.file.as_str()).unwrap_or(&nothing), &mut markers);
        }
        for skipped in &reviewed.summary.left_out.incomplete {
            markers.push(note(&skipped.file, 0..0, &format!("this file {}", skipped.why)));
        }
        let objects = reviewed.objects.iter().map(|it| ObjectDetails {
            file: it.file.clone(),
            heading: it.heading(),
            verdict: it.verdict(),
            diff: it.changes.clone(),
        });
        Self { objects: objects.collect(), markers, notes: reviewed.notes.clone() }
    }
}

/// Adds the markers of an object.
fn add(object: &Reviewed, units: &CodeUnits<'_>, markers: &mut Vec<Marker>) {
    if let Some(placeholder) = object.template {
        let why = format!("this file {}", placeholder.why(None));
        return markers.push(note(&object.file, 0..0, &why));
    }
    let remarks = object.all_remarks();
    let groups = AnnotationGroup::once(&remarks);
    markers.extend(groups.iter().map(|it| marker(object, it.first, units)));
    let begin = range(units, &object.begin);
    markers.extend(object.notes.iter().map(|it| note(&object.file, begin.clone(), it)));
}

fn marker(object: &Reviewed, it: &Annotation<'_>, units: &CodeUnits<'_>) -> Marker {
    let range = range(units, it.excerpt);
    let severity = match it.weight {
        Weight::Invalid | Weight::Refused => Severity::Error,
        Weight::Warned if !it.is_open => Severity::Warning,
        Weight::Warned | Weight::Unknown => Severity::Info,
    };
    Marker {
        file: object.file.clone(),
        from: range.start,
        to: range.end,
        severity,
        id: it.id.to_owned(),
        rule: it.rule.to_owned(),
        field: it.field.to_owned(),
        message: it.text(),
        undetermined: it.is_open,
        fix: it.text_fix.map(|fix| edits(fix, it.fixable, units)),
    }
}

fn edits(fix: &TextFix, applicability: Option<Applicability>, units: &CodeUnits<'_>) -> FixEdits {
    let at = |position: Position| units.before(units.offset(position));
    let edits = fix.replacements.iter().map(|([from, to], text)| EditOfText {
        from: at(*from),
        to: at(*to),
        insert: text.clone(),
    });
    FixEdits {
        title: escape::value(&fix.title).into_owned(),
        applicability,
        edits: edits.collect(),
    }
}

fn note(file: &str, range: std::ops::Range<usize>, message: &str) -> Marker {
    Marker {
        file: file.to_owned(),
        from: range.start,
        to: range.end,
        severity: Severity::Info,
        id: String::new(),
        rule: String::new(),
        field: String::new(),
        message: escape::value(message).into_owned(),
        undetermined: false,
        fix: None,
    }
}

fn range(units: &CodeUnits<'_>, excerpt: &Excerpt) -> std::ops::Range<usize> {
    let start = units.offset(excerpt.position);
    units.before(start)..units.before(start + excerpt.span.len())
}
