// SPDX-License-Identifier: Apache-2.0
//! Diagnostics: the findings of a review, at their positions.

use gen_lsp_types::{CodeDescription, Diagnostic, DiagnosticSeverity, Uri};
use serde_json::json;

use super::source::SourceText;
use garden_gate_core::admission::{Finding, POLICY_PREFIX};
use garden_gate_core::rules;
use garden_gate_products::report::{Annotation, AnnotationGroup, Outcome, Reviewed, Weight};
use garden_gate_text::escape;

/// The name of the source of diagnostics.
pub(super) const SOURCE: &str = "garden-gate";

/// Returns the diagnostics of an object.
///
/// `rule_url` is the template of the pages of rules.
pub(super) fn diagnostics(
    source: &SourceText,
    object: &Reviewed,
    rule_url: Option<&str>,
) -> Vec<Diagnostic> {
    let remarks = object.all_remarks();
    let once = AnnotationGroup::once(&remarks);
    let groups = once.iter().map(|it| annotated(source, it.first, rule_url));
    let range = source.range_of(&object.begin);
    let notes = object.notes.iter().map(|note| Diagnostic {
        range,
        severity: Some(DiagnosticSeverity::Information),
        code: None,
        code_description: None,
        source: Some(SOURCE.to_owned()),
        message: escape::value(note).into_owned().into(),
        tags: None,
        related_information: None,
        data: None,
    });
    groups.chain(notes).collect()
}

fn annotated(source: &SourceText, it: &Annotation<'_>, rule_url: Option<&str>) -> Diagnostic {
    let severity = match it.weight {
        Weight::Invalid | Weight::Refused => DiagnosticSeverity::Error,
        Weight::Warned if !it.is_open => DiagnosticSeverity::Warning,
        Weight::Warned | Weight::Unknown => DiagnosticSeverity::Information,
    };
    Diagnostic {
        range: source.range_of(it.excerpt),
        severity: Some(severity),
        code: Some(it.id.to_owned().into()),
        code_description: page(it.rule, rule_url).map(|href| CodeDescription { href }),
        source: Some(SOURCE.to_owned()),
        message: it.text().into(),
        tags: None,
        related_information: None,
        data: Some(json!({"rule": it.rule})),
    }
}

/// Returns the page of a rule; `None` for policies, and without a template.
pub(super) fn page(rule: &str, rule_url: Option<&str>) -> Option<Uri> {
    let is_rule = !rule.starts_with(POLICY_PREFIX) && rules::find(rule).is_some();
    let url = rule_url.filter(|_| is_rule)?;
    Some(Uri(url.replace("{rule}", rule)))
}

/// Returns the findings of an object with their ranges.
pub(super) fn findings<'o>(
    source: &SourceText,
    object: &'o Reviewed,
) -> Vec<(&'o Finding, gen_lsp_types::Range)> {
    let Outcome::Judged(review, excerpts) = &object.outcome else {
        return Vec::new();
    };
    let findings = review.findings.iter().zip(excerpts);
    findings.map(|(finding, excerpt)| (finding, source.range_of(excerpt))).collect()
}
