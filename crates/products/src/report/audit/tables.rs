// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;
use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::audit::{Group, InUse, ObjectCounts};
use crate::report::truncation::{and_more, counted};
use crate::report::{AuditSummary, By, ChangedSince};
use garden_gate_core::admission::Kind;

/// Maximum number of rows in a table, and of findings of a level; JSON has all.
pub(super) const FINDINGS: usize = 50;
const VERSIONS: usize = 50;
const GROUPS: usize = 20;

/// The head of the column with owners.
pub(super) const OWNER: &str = "owner";

/// A table for people.
pub(crate) struct Table {
    pub(crate) title: Cow<'static, str>,
    pub(crate) head: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<String>>,
    /// The number of omitted rows.
    pub(crate) more: usize,
}

/// Returns the requested tables that are not empty, other than the findings.
pub(crate) fn tables(audit: &AuditSummary) -> Vec<Table> {
    let mut tables: Vec<Table> = audit.by.iter().filter_map(|by| table(*by, audit)).collect();
    tables.extend(audit.changed.as_ref().map(changed));
    tables.retain(|table| !table.rows.is_empty());
    tables
}

fn table(by: By, audit: &AuditSummary) -> Option<Table> {
    let tally = &audit.tally;
    match by {
        By::Rule | By::Support => None,
        By::Project => Some(groups("By Project", "Project", &tally.projects)),
        By::Owner => Some(groups("By owner", OWNER, &tally.owners)),
        By::Version => {
            let head = vec!["profile", "version", "stage", "Shoots"];
            let rows = audit.versions.iter().map(|it| version(it, audit.at));
            Some(Table::new("Versions in use", head, rows.collect(), VERSIONS))
        }
    }
}

impl Table {
    pub(super) fn new(
        title: impl Into<Cow<'static, str>>,
        head: Vec<&'static str>,
        mut rows: Vec<Vec<String>>,
        limit: usize,
    ) -> Self {
        let more = rows.len().saturating_sub(limit);
        rows.truncate(limit);
        Self { title: title.into(), head, rows, more }
    }

    /// Returns a sentence with the number of omitted rows.
    pub(crate) fn rest(&self) -> Option<String> {
        rest(self.more)
    }
}

/// Returns a sentence with this number of omitted rows.
pub(crate) fn rest(more: usize) -> Option<String> {
    (more > 0).then(|| format!("{}, which `--format json` has", and_more(more)))
}

/// Formats the numbers of objects by kind, such as `2 Shoots, 1 Project`.
pub(super) fn kinds(kinds: &BTreeMap<Kind, usize>) -> String {
    kinds
        .iter()
        .map(|(kind, count)| match count {
            1 => format!("1 {kind}"),
            count => format!("{count} {}", kind.name_of_several()),
        })
        .collect::<Vec<_>>()
        .join(", ")
}

/// Returns a table of groups with findings or undetermined checks, the most severe first.
fn groups(title: &'static str, what: &'static str, groups: &BTreeMap<String, Group>) -> Table {
    let mut groups: Vec<(&String, &Group)> = groups.iter().collect();
    groups.retain(|(_, group)| !group.findings.is_empty() || group.stands.undetermined > 0);
    groups.sort_by_key(|(_, group)| {
        let ObjectCounts { denied, undetermined, warned, .. } = group.stands;
        std::cmp::Reverse((denied, undetermined, warned))
    });
    let rows = groups.into_iter().map(|(name, group)| {
        let name = match name.as_str() {
            "" => "(no Project)".to_owned(),
            name => name.to_owned(),
        };
        vec![name, counts(&group.stands)]
    });
    Table::new(title, vec![what, "objects"], rows.collect(), GROUPS)
}

/// Formats counts, such as `5 objects: 2 would be refused, 1 has warnings`.
pub(crate) fn counts(stands: &ObjectCounts) -> String {
    let ObjectCounts { objects, denied, undetermined, warned } = stands;
    let says: Vec<String> = [
        counted(*denied, "would be refused", "would be refused"),
        counted(*undetermined, "is undetermined", "are undetermined"),
        counted(*warned, "has warnings", "have warnings"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let objects = counted(*objects, "object", "objects").unwrap_or_default();
    if says.is_empty() {
        format!("{objects}: all clean")
    } else {
        format!("{objects}: {}", says.join(", "))
    }
}

fn version(it: &InUse, at: Timestamp) -> Vec<String> {
    let stage = stage(it.stage.as_deref(), [it.since, it.expires], at);
    vec![it.profile.clone(), format!("{} {}", it.what, it.version), stage, it.shoots.to_string()]
}

/// Formats the classification of a version in its profile, with its start and the expiration date.
pub(super) fn stage(
    stage: Option<&str>,
    [since, expires]: [Option<Timestamp>; 2],
    at: Timestamp,
) -> String {
    let date = |time: Timestamp| time.strftime("%F").to_string();
    let mut stage = stage.unwrap_or("not in the profile").to_owned();
    if let Some(since) = since {
        stage += &format!(" since {}", date(since));
    }
    if let Some(expires) = expires.filter(|it| *it >= at) {
        stage += &format!(", expires {}", date(expires));
    }
    stage
}

fn changed(changed: &ChangedSince) -> Table {
    let ids: std::collections::BTreeSet<&String> =
        changed.new.keys().chain(changed.gone.keys()).collect();
    let count = |of: &BTreeMap<String, usize>, id| of.get(id).copied().unwrap_or_default();
    let rows = ids.into_iter().map(|id| {
        vec![
            id.clone(),
            format!("{} new", count(&changed.new, id)),
            format!("{} gone", count(&changed.gone, id)),
        ]
    });
    Table::new("Changed since", vec!["finding", "new", "gone"], rows.collect(), FINDINGS)
}
