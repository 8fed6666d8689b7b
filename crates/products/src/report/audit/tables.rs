use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::audit::{Count, Group, InUse, ObjectCounts};
use crate::report::truncation::{and_more, counted};
use crate::report::{AuditSummary, By, ChangedSince};

/// Maximum number of rows in a table; JSON has all.
const ROWS: usize = 50;
/// Maximum number of finding ids that are named for a Project or owner.
const SORTS: usize = 4;

/// A table for people.
pub(crate) struct Table {
    pub(crate) title: &'static str,
    pub(crate) head: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<String>>,
    /// The number of omitted rows.
    pub(crate) more: usize,
}

/// Returns the requested tables that are not empty.
pub(crate) fn tables(audit: &AuditSummary) -> Vec<Table> {
    let mut tables: Vec<Table> = audit.by.iter().map(|by| table(*by, audit)).collect();
    tables.extend(audit.changed.as_ref().map(changed));
    tables.retain(|table| !table.rows.is_empty());
    tables
}

fn table(by: By, audit: &AuditSummary) -> Table {
    let tally = &audit.tally;
    match by {
        By::Rule => {
            let rows = tally
                .findings
                .iter()
                .map(|((level, id), count)| finding(level.0.as_str(), id, count));
            let head = vec!["level", "finding", "when", "objects"];
            Table::new("Findings", head, rows.collect())
        }
        By::Project => {
            let head = vec!["Project", "objects", "findings"];
            Table::new("By Project", head, groups(&tally.projects))
        }
        By::Owner => {
            let head = vec!["owner", "objects", "findings"];
            Table::new("By owner", head, groups(&tally.owners))
        }
        By::Version => {
            let head = vec!["profile", "version", "stage", "Shoots"];
            let rows = audit.versions.iter().map(|it| version(it, audit.at));
            Table::new("Versions in use", head, rows.collect())
        }
    }
}

impl Table {
    fn new(title: &'static str, head: Vec<&'static str>, mut rows: Vec<Vec<String>>) -> Self {
        let more = rows.len().saturating_sub(ROWS);
        rows.truncate(ROWS);
        Self { title, head, rows, more }
    }

    /// Returns a sentence with the number of omitted rows.
    pub(crate) fn rest(&self) -> Option<String> {
        (self.more > 0).then(|| format!("{}, which `--format json` has", and_more(self.more)))
    }
}

fn finding(level: &str, id: &str, count: &Count) -> Vec<String> {
    let kinds = count.kinds.iter().map(|(kind, count)| match count {
        1 => format!("1 {kind}"),
        count => format!("{count} {}", kind.name_of_several()),
    });
    let mut objects = kinds.collect::<Vec<_>>().join(", ");
    objects += ": ";
    objects += &count.examples.join(", ");
    let more = count.objects() - count.examples.len();
    if more > 0 {
        objects += &format!(" {}", and_more(more));
    }
    let when: Vec<&str> = count.occasions.iter().map(|it| it.as_str()).collect();
    vec![level.to_owned(), id.to_owned(), when.join(", "), objects]
}

/// Returns rows for groups with findings or undetermined checks, the most severe first.
fn groups(groups: &BTreeMap<String, Group>) -> Vec<Vec<String>> {
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
        vec![name, counts(&group.stands), sorts(&group.findings)]
    });
    rows.collect()
}

/// Formats counts, such as `5 objects: 2 refused, 1 warned about`.
pub(crate) fn counts(stands: &ObjectCounts) -> String {
    let ObjectCounts { objects, denied, undetermined, warned } = stands;
    let says = [
        counted(*denied, "refused", "refused"),
        counted(*undetermined, "undetermined", "undetermined"),
        counted(*warned, "warned about", "warned about"),
    ];
    let says: Vec<String> = says.into_iter().flatten().collect();
    let objects = counted(*objects, "object", "objects").unwrap_or_default();
    if says.is_empty() {
        format!("{objects}: all clean")
    } else {
        format!("{objects}: {}", says.join(", "))
    }
}

fn sorts(findings: &BTreeMap<&'static str, usize>) -> String {
    let mut sorts: Vec<_> = findings.iter().collect();
    sorts.sort_by_key(|(id, count)| (std::cmp::Reverse(**count), **id));
    let more = sorts.len().saturating_sub(SORTS);
    let named = sorts.into_iter().take(SORTS);
    let mut named: Vec<String> = named.map(|(id, count)| format!("{id} {count}")).collect();
    if more > 0 {
        named.push(and_more(more));
    }
    named.join(", ")
}

fn version(it: &InUse, at: Timestamp) -> Vec<String> {
    let date = |time: &Timestamp| time.strftime("%F").to_string();
    let mut stage = it.stage.as_deref().unwrap_or("not in the profile").to_owned();
    if let Some(since) = &it.since {
        stage += &format!(" since {}", date(since));
    }
    if let Some(expires) = it.expires.as_ref().filter(|it| **it >= at) {
        stage += &format!(", expires {}", date(expires));
    }
    vec![it.profile.clone(), format!("{} {}", it.what, it.version), stage, it.shoots.to_string()]
}

fn changed(changed: &ChangedSince) -> Table {
    let ids = changed.new.keys().chain(changed.gone.keys());
    let ids: std::collections::BTreeSet<&String> = ids.collect();
    let count = |of: &BTreeMap<String, usize>, id| of.get(id).copied().unwrap_or_default();
    let rows = ids.into_iter().map(|id| {
        vec![
            id.clone(),
            format!("{} new", count(&changed.new, id)),
            format!("{} gone", count(&changed.gone, id)),
        ]
    });
    Table::new("Changed since", vec!["finding", "new", "gone"], rows.collect())
}
