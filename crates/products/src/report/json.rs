// SPDX-License-Identifier: Apache-2.0
use std::io::{self, Write};
use std::iter::repeat;

use jiff::civil::Date;
use json_patch::Patch;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::affected_shoots::AffectedShoots;
use super::audit::{Document as Audit, document};
use super::baseline::Compared;
use super::pretty::{Item, Pretty};
use super::summary::{Counts, JudgedAs};
use super::{
    AuditSummary, ChangedVersions, Drifted, Edit, Fix, Outcome, Reviewed, ServerVerdict,
    ShootEffect, SkippedInput, Summary, Writer,
};
use crate::audit::Trigger;
use crate::coverage::Unjudged;
use crate::forecast::Impact;
use garden_gate_core::admission::{Finding, Operation, Silenced, Undetermined, Verdict};
use garden_gate_core::config::JudgedVersion;
use garden_gate_core::stored::Drift;
use garden_gate_text::yaml::{Excerpt, Position};

/// A reviewed object.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Review")]
struct Entry<'a> {
    /// The file; `-` for standard input.
    file: &'a str,
    /// The number of the document in the file, from 1.
    document: usize,
    /// The kind of the object.
    kind: &'a str,
    /// The namespace; empty if there is none.
    namespace: &'a str,
    /// The name of the object.
    name: &'a str,
    /// The operation of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<Operation>,
    /// The source of the old state, such as a Git revision.
    #[serde(skip_serializing_if = "str::is_empty")]
    from: &'a str,
    /// The garden directory, if several were given.
    #[serde(skip_serializing_if = "str::is_empty")]
    garden: &'a str,
    /// The verdict.
    verdict: Verdict,
    /// True if the verdict is `allowed`.
    allowed: bool,
    /// True if the profile refuses the object and the configuration lowers the level of every refusal.
    #[serde(rename = "wouldDeny", skip_serializing_if = "std::ops::Not::not")]
    would_deny: bool,
    /// Rules from which the configuration exempts the user.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    exempt: &'a [&'static str],
    /// The violations.
    findings: Vec<Located<'a>>,
    /// Rules that could not be evaluated, with the missing information.
    undetermined: &'a [Undetermined],
    /// Findings that annotations of the object silence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    silenced: Vec<Silence<'a>>,
    /// JSON Patch from the object to its stored form; complete for Shoots only, and not for updates of their status.
    patch: Option<&'a Patch>,
    /// Notes on the review of this object.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: &'a [String],
    /// Parts of the object that no rule checks.
    #[serde(rename = "notJudged", skip_serializing_if = "<[_]>::is_empty")]
    not_judged: &'a [Unjudged],
    /// The effect of a CloudProfile update on Shoots.
    #[serde(skip_serializing_if = "Option::is_none")]
    impact: Option<&'a Impact>,
    /// Shoots that a profile update strands within 90 days: an update was possible and no longer is. Absent without a
    /// known garden. If the profiles of the change have more than 200 Shoots, rules judge the updates of the first 200
    /// affected ones only.
    #[serde(rename = "shootsStranded", skip_serializing_if = "Option::is_none")]
    shoots_stranded: Option<AffectedShoots<'a>>,
    /// Shoots with a forced update that a profile update adds or makes earlier within 90 days; the stranded ones are not
    /// included.
    #[serde(rename = "shootsForcedEarlier", skip_serializing_if = "Option::is_none")]
    shoots_forced_earlier: Option<AffectedShoots<'a>>,
    /// Fields whose value differs from that in the garden.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    drift: Vec<Differs<'a>>,
    /// Response of the API server to a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<&'a ServerVerdict>,
    /// Error that prevented reading the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Error<'a>>,
    /// The fixed object, with `--fix` or `--diff`.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'a Fix>,
    /// Versions from the garden that were written to the file.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    edits: &'a [Edit],
}

/// A finding with its position in the file.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "LocatedFinding")]
struct Located<'a> {
    #[serde(flatten)]
    finding: &'a Finding,
    /// The line in the file, from 1.
    line: usize,
    /// The column in the file, from 1.
    column: usize,
    /// Trigger of the finding; only in audits.
    #[serde(skip_serializing_if = "Option::is_none")]
    occasion: Option<Trigger>,
    /// True if the baseline contains the finding.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    baseline: bool,
}

/// A field whose value differs from that in the garden, with its position in the file.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "LocatedDrift")]
struct Differs<'a> {
    #[serde(flatten)]
    drift: &'a Drift,
    /// The line in the file, from 1.
    line: usize,
    /// The column in the file, from 1.
    column: usize,
}

/// A silenced rule or finding.
#[derive(JsonSchema, Serialize)]
struct Silence<'a> {
    /// The id of the rule or finding.
    id: &'static str,
    /// The reason in the annotation.
    reason: &'a str,
    /// Last day on which the annotation applies.
    until: Option<Date>,
    /// The messages of the silenced findings.
    messages: Vec<&'a str>,
}

/// An error with its position in the file.
#[derive(JsonSchema, Serialize)]
struct Error<'a> {
    /// The error.
    message: &'a str,
    /// The line in the file, from 1.
    line: usize,
    /// The column in the file, from 1.
    column: usize,
}

/// The document of `review --format json`.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "the document is written piece by piece")]
pub(super) struct ReviewDocument<'a> {
    #[schemars(flatten)]
    judged: Judged<'a>,
    /// Counts of the review.
    summary: Counts,
    /// The changed versions of components, with `--components` and `--git`.
    #[schemars(skip_serializing_if = "Option::is_none")]
    versions: Option<ChangedVersions>,
}

/// The document of `audit --format json`. Only objects with findings are in `reviews`.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the document is written piece by piece")]
pub(super) struct AuditDocument<'a> {
    #[schemars(flatten)]
    judged: Judged<'a>,
    /// The counts of the audit.
    audit: Audit<'a>,
}

/// The common part of both documents.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "the document is written piece by piece")]
struct Judged<'a> {
    /// The objects, one entry each.
    reviews: Vec<Entry<'a>>,
    /// The version of Gardener whose checks apply.
    judged_as: JudgedAs<'a>,
    /// Skipped objects and files.
    left_out: SkippedInput,
    /// The configuration file that was found.
    #[schemars(skip_serializing_if = "Option::is_none")]
    config: Option<&'a str>,
    /// The comparison with a baseline, with `--baseline`.
    #[schemars(skip_serializing_if = "Option::is_none")]
    baseline: Option<Compared>,
}

/// Writes verdicts for programs: `{"reviews": [...]}`, one entry per object.
#[derive(Debug)]
pub struct JsonWriter(Pretty);

impl Default for JsonWriter {
    fn default() -> Self {
        Self(Pretty::new())
    }
}

impl Writer for JsonWriter {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.0.begin(out)?;
        self.0.begin_list(out, "reviews")
    }

    fn object(&mut self, out: &mut dyn Write, object: &Reviewed) -> io::Result<()> {
        self.objects(out, &[object])
    }

    fn objects(&mut self, out: &mut dyn Write, objects: &[&Reviewed]) -> io::Result<()> {
        let items: Vec<Item> =
            objects.par_iter().map(|object| Item::of(&entry(object))).collect::<io::Result<_>>()?;
        items.iter().try_for_each(|item| self.0.item(out, item))
    }

    fn end(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        self.0.end_list(out)?;
        self.0.field(out, "judgedAs", &summary.judged_as())?;
        self.0.field(out, "leftOut", &summary.left_out)?;
        if let Some(config) = &summary.config {
            self.0.field(out, "config", &config.path)?;
        }
        if let Some(baseline) = &summary.baseline {
            self.0.field(out, "baseline", baseline)?;
        }
        match &summary.audit {
            Some(audit) => self.0.field(out, "audit", &document(audit))?,
            None => self.0.field(out, "summary", &summary.numbers())?,
        }
        if let Some(versions) = &summary.versions {
            self.0.field(out, "versions", versions)?;
        }
        self.0.end(out)
    }
}

fn entry(object: &Reviewed) -> Entry<'_> {
    let verdict = object.verdict();
    let mut entry = Entry {
        file: &object.file,
        document: object.document,
        kind: &object.kind,
        namespace: &object.namespace,
        name: &object.name,
        operation: object.operation,
        from: &object.from,
        garden: &object.garden,
        verdict,
        allowed: verdict == Verdict::Allowed,
        would_deny: false,
        exempt: &[],
        findings: Vec::new(),
        undetermined: &[],
        silenced: Vec::new(),
        patch: None,
        notes: &object.notes,
        not_judged: &object.unjudged,
        impact: object.impact.as_ref(),
        shoots_stranded: object.shoots.as_ref().map(ShootEffect::stranded),
        shoots_forced_earlier: object.shoots.as_ref().map(ShootEffect::forced_earlier),
        drift: object.drift.iter().map(differs).collect(),
        server: object.server.as_ref(),
        error: None,
        fix: object.fix.as_ref(),
        edits: &object.edits,
    };
    match &object.outcome {
        Outcome::Judged(review, excerpts) => {
            let located =
                |(((finding, excerpt), baseline), occasion): (((_, &Excerpt), _), _)| Located {
                    finding,
                    line: excerpt.position.line,
                    column: excerpt.position.column,
                    occasion,
                    baseline,
                };
            let known = object.known.iter().copied().chain(repeat(false));
            let occasions = object.occasions.iter().copied().map(Some).chain(repeat(None));
            let findings = review.findings.iter().zip(excerpts).zip(known).zip(occasions);
            entry.findings = findings.map(located).collect();
            entry.would_deny = review.would_deny();
            entry.exempt = review.exempted.ids();
            entry.undetermined = &review.undetermined;
            entry.silenced = review.silenced.iter().map(silence).collect();
            entry.patch = object.patch.as_ref();
        }
        Outcome::Unreadable(message, excerpt) => {
            let Position { line, column } = excerpt.position;
            entry.error = Some(Error { message, line, column });
        }
    }
    entry
}

fn differs(drifted: &Drifted) -> Differs<'_> {
    let Position { line, column } = drifted.excerpt.position;
    Differs { drift: &drifted.drift, line, column }
}

fn silence(silenced: &Silenced) -> Silence<'_> {
    let findings = silenced.findings.iter();
    Silence {
        id: silenced.id,
        reason: &silenced.reason,
        until: silenced.until,
        messages: findings.map(|finding| finding.message.as_str()).collect(),
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
    let summary = Summary::of_audit(audit, judged);
    let (mut out, mut writer) = (Vec::new(), JsonWriter::default());
    writer.begin(&mut out)?;
    for object in objects {
        writer.object(&mut out, object)?;
    }
    writer.end(&mut out, &summary)?;
    Ok(out)
}
