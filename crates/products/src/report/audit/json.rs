// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::findings::sentence;
use crate::audit::{Group, InUse, ObjectCounts, Trigger, Unsupported};
use crate::report::AuditSummary;
use garden_gate_core::admission::Kind;
use garden_gate_core::config::Level;

/// The counts of an audit, as JSON.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Audit")]
pub(crate) struct Document<'a> {
    /// The time of the audit.
    at: Timestamp,
    /// Counts of objects by kind.
    #[schemars(with = "BTreeMap<String, usize>")]
    objects: &'a BTreeMap<Kind, usize>,
    #[serde(flatten)]
    stands: Counts,
    /// The Kubernetes versions of profiles, Shoots and Seeds that Gardener does not support.
    unsupported: &'a [Unsupported],
    /// The findings, by level and id.
    by_rule: Vec<Found<'a>>,
    /// Counts by Project.
    by_project: Vec<Named<'a>>,
    /// Counts by owner of Projects.
    by_owner: Vec<Named<'a>>,
    /// The versions that Shoots use.
    versions: &'a [InUse],
    /// Notes on the audit, such as missing data.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: &'a [String],
    /// The comparison with a file, with `--changed-since`.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_since: Option<Changed<'a>>,
}

#[derive(JsonSchema, Serialize)]
struct Counts {
    /// The number of objects.
    count: usize,
    /// Objects of which a write would be refused.
    denied: usize,
    /// Objects with undetermined rules.
    undetermined: usize,
    /// Objects with warnings only.
    warned: usize,
}

/// A finding with its counts.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "CountedFinding")]
struct Found<'a> {
    /// The id of the finding.
    finding: &'a str,
    /// The id of the rule.
    rule: &'a str,
    /// The violation as a sentence; the first message for the finding of a policy.
    summary: &'a str,
    /// The level.
    level: Level,
    /// The occasions on which it matters.
    occasions: Vec<Trigger>,
    /// The number of objects with the finding.
    objects: usize,
    /// The number of these objects by kind.
    #[schemars(with = "BTreeMap<String, usize>")]
    kinds: &'a BTreeMap<Kind, usize>,
    /// The number of findings; an object may have several.
    findings: usize,
    /// The first objects.
    examples: &'a [String],
}

/// Counts of a Project or owner.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "CountedOwner")]
struct Named<'a> {
    /// The Project or owner.
    name: &'a str,
    #[serde(flatten)]
    stands: Counts,
    /// The number of objects with each finding, by id.
    findings: &'a BTreeMap<&'static str, usize>,
}

/// The comparison with an earlier audit.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "ChangedSince")]
struct Changed<'a> {
    /// The file of the earlier audit.
    file: &'a str,
    /// The number of findings in both audits.
    known: usize,
    /// The number of findings that only this audit has, by id.
    new: &'a BTreeMap<String, usize>,
    /// The number of findings that only the earlier audit has, by id.
    gone: &'a BTreeMap<String, usize>,
}

impl From<&ObjectCounts> for Counts {
    fn from(stands: &ObjectCounts) -> Self {
        let ObjectCounts { objects, denied, undetermined, warned } = *stands;
        Self { count: objects, denied, undetermined, warned }
    }
}

/// Returns the counts of an audit as a document.
pub(crate) fn document(audit: &AuditSummary) -> Document<'_> {
    let tally = &audit.tally;
    let by_rule = tally.findings.iter().map(|((level, finding), count)| Found {
        finding,
        rule: count.rule,
        summary: sentence(finding, count),
        level: level.0,
        occasions: count.occasions.iter().copied().collect(),
        objects: count.objects(),
        kinds: &count.kinds,
        findings: count.findings,
        examples: &count.examples,
    });
    Document {
        at: audit.at,
        objects: &tally.objects,
        stands: (&tally.all).into(),
        unsupported: &audit.support.versions,
        by_rule: by_rule.collect(),
        by_project: named(&tally.projects),
        by_owner: named(&tally.owners),
        versions: &audit.versions,
        notes: &audit.notes,
        changed_since: audit.changed.as_ref().map(|changed| Changed {
            file: &changed.file,
            known: changed.known,
            new: &changed.new,
            gone: &changed.gone,
        }),
    }
}

fn named(groups: &BTreeMap<String, Group>) -> Vec<Named<'_>> {
    let named = groups.iter().map(|(name, group)| Named {
        name,
        stands: (&group.stands).into(),
        findings: &group.findings,
    });
    named.collect()
}
