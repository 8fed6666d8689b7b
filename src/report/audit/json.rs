use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::AuditSummary;
use crate::admission::Kind;
use crate::audit::{Group, InUse, ObjectCounts, Trigger};
use crate::config::Level;

/// The counts of an audit, as JSON.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Audit")]
pub(in crate::report) struct Document<'a> {
    at: Timestamp,
    /// Counts of objects by kind.
    #[schemars(with = "BTreeMap<String, usize>")]
    objects: &'a BTreeMap<Kind, usize>,
    #[serde(flatten)]
    stands: Counts,
    by_rule: Vec<Found<'a>>,
    by_project: Vec<Named<'a>>,
    by_owner: Vec<Named<'a>>,
    versions: &'a [InUse],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_since: Option<Changed<'a>>,
}

#[derive(JsonSchema, Serialize)]
struct Counts {
    count: usize,
    denied: usize,
    undetermined: usize,
    warned: usize,
}

#[derive(JsonSchema, Serialize)]
struct Found<'a> {
    finding: &'a str,
    rule: &'a str,
    level: Level,
    occasions: Vec<Trigger>,
    objects: usize,
    #[schemars(with = "BTreeMap<String, usize>")]
    kinds: &'a BTreeMap<Kind, usize>,
    findings: usize,
    examples: &'a [String],
}

#[derive(JsonSchema, Serialize)]
struct Named<'a> {
    name: &'a str,
    #[serde(flatten)]
    stands: Counts,
    findings: &'a BTreeMap<&'static str, usize>,
}

#[derive(JsonSchema, Serialize)]
struct Changed<'a> {
    file: &'a str,
    known: usize,
    new: &'a BTreeMap<String, usize>,
    gone: &'a BTreeMap<String, usize>,
}

impl From<&ObjectCounts> for Counts {
    fn from(stands: &ObjectCounts) -> Self {
        let ObjectCounts {
            objects,
            denied,
            undetermined,
            warned,
        } = *stands;
        Self {
            count: objects,
            denied,
            undetermined,
            warned,
        }
    }
}

/// Returns the counts of an audit as a document.
pub(in crate::report) fn document(audit: &AuditSummary) -> Document<'_> {
    let tally = &audit.tally;
    let by_rule = tally
        .findings
        .iter()
        .map(|((level, finding), count)| Found {
            finding,
            rule: count.rule,
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
