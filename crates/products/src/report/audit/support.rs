// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;

use super::tables::{Table, stage};
use crate::audit::{Reason, ShootsOfProject, Unsupported};
use crate::report::AuditSummary;
use crate::report::truncation::{and_more, number_of};
use garden_gate_text::go::clip;

/// Maximum number of versions; JSON has all.
const ROWS: usize = 50;
/// Maximum number of Projects of a version, and of Shoots of a Project.
const PROJECTS: usize = 20;
const SHOOTS: usize = 3;
/// Maximum size of a name in bytes.
const NAME: usize = 300;

/// The Kubernetes versions of a garden without support, for people.
pub(crate) struct UnsupportedSection {
    pub(crate) title: String,
    pub(crate) rows: Vec<UnsupportedRow>,
    /// The number of omitted versions.
    pub(crate) more: usize,
    /// What to do.
    pub(crate) advice: &'static str,
}

/// A Kubernetes version without support in a profile or Seed, or several without Shoots.
pub(crate) struct UnsupportedRow {
    pub(crate) version: String,
    pub(crate) holder: String,
    /// The reason, and the classification in the profile.
    pub(crate) why: String,
    /// The Shoots by Project, such as `Project dev, anna@example.com: 2 Shoots: garden-dev/a, garden-dev/b`.
    pub(crate) shoots: Vec<String>,
}

impl UnsupportedSection {
    /// Returns the versions; `None` if there are none.
    pub(crate) fn of(audit: &AuditSummary) -> Option<Self> {
        let versions = &audit.support.versions;
        let is_certain = versions.iter().any(|it| it.reason != Reason::PromiseEnded);
        let is_upgrade = versions.iter().any(|it| it.reason != Reason::NotYet);
        let without = if is_certain { "does not support" } else { "may not support" };
        let gardener = audit.support.gardener;
        let mut rows: Vec<UnsupportedRow> =
            versions.iter().take(ROWS).map(|it| row(it, audit)).collect();
        rows.dedup_by(|next, row| row.merge(next));
        (!versions.is_empty()).then(|| Self {
            title: format!("Kubernetes versions that Gardener {gardener} {without}"),
            rows,
            more: versions.len().saturating_sub(ROWS),
            advice: if is_upgrade {
                "Update Shoots and Seeds, then expire these versions in the profiles."
            } else {
                "Remove these versions from the profiles until Gardener supports them."
            },
        })
    }

    /// Returns the versions as a table.
    pub(crate) fn table(&self) -> Table {
        let rows = self.rows.iter().map(|it| {
            let UnsupportedRow { version, holder, why, shoots } = it;
            vec![version.clone(), holder.clone(), why.clone(), shoots.join("; ")]
        });
        let head = vec!["Kubernetes", "in", "why", "Shoots"];
        let mut table = Table::new(self.title.clone(), head, rows.collect(), ROWS);
        table.more = self.more;
        table
    }
}

impl UnsupportedRow {
    /// Adds the version of another row, and reports whether the rows are otherwise equal and have no Shoots.
    fn merge(&mut self, next: &Self) -> bool {
        let has_shoots = !self.shoots.is_empty() || !next.shoots.is_empty();
        let is_equal = !has_shoots && (&self.holder, &self.why) == (&next.holder, &next.why);
        if is_equal {
            self.version += &format!(", {}", next.version);
        }
        is_equal
    }
}

fn row(it: &Unsupported, audit: &AuditSummary) -> UnsupportedRow {
    let mut shoots: Vec<String> = it.projects.iter().take(PROJECTS).map(of_project).collect();
    if it.projects.len() > PROJECTS {
        let rest = &it.projects[PROJECTS..];
        let count = rest.iter().map(|it| it.shoots.len()).sum();
        let shoots_of_rest = number_of(count, "Shoot", "Shoots");
        let projects = number_of(rest.len(), "other Project", "other Projects");
        shoots.push(format!("{shoots_of_rest} of {projects}, which `--format json` has"));
    }
    UnsupportedRow {
        version: clip(&it.version, NAME),
        holder: clip(&it.holder, NAME),
        why: format!("{}{}", why(it), lifecycle(it, audit.at)),
        shoots,
    }
}

fn why(it: &Unsupported) -> String {
    match (it.reason, &it.gardener, it.promised_until) {
        (Reason::Dropped, Some(by), _) => format!("dropped by Gardener {by}"),
        (Reason::Dropped, None, _) => {
            "no known version of Gardener supports it any more".to_owned()
        }
        (Reason::NotYet, Some(by), _) => format!("supported from Gardener {by} on"),
        (Reason::NotYet, None, _) => "no known version of Gardener supports it yet".to_owned(),
        (Reason::PromiseEnded, _, Some(until)) => {
            format!("may be dropped, since support was promised until {until}")
        }
        (Reason::PromiseEnded, _, None) => "may be dropped".to_owned(),
    }
}

/// Formats the classification in the profile; empty for a Seed.
fn lifecycle(it: &Unsupported, at: Timestamp) -> String {
    match it.holder.split_once(' ') {
        Some(("Seed", _)) => String::new(),
        _ => format!("; {}", stage(it.stage.as_deref(), [it.since, it.expires], at)),
    }
}

fn of_project(it: &ShootsOfProject) -> String {
    let ShootsOfProject { project, owner, shoots } = it;
    let project = match (project.as_str(), owner.as_str()) {
        ("", _) => "no known Project".to_owned(),
        (project, "") => format!("Project {project}"),
        (project, owner) => format!("Project {project}, {owner}"),
    };
    let named: Vec<String> = shoots.iter().take(SHOOTS).map(|it| clip(it, NAME)).collect();
    let count = number_of(shoots.len(), "Shoot", "Shoots");
    let mut line = format!("{}: {count}: {}", clip(&project, NAME), named.join(", "));
    if shoots.len() > SHOOTS {
        line += &format!(" {}", and_more(shoots.len() - SHOOTS));
    }
    line
}
