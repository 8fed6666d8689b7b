// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::audit::{InUse, Support, Tally};

/// The result of an audit.
#[derive(Debug)]
pub struct AuditSummary {
    /// The time as of which the audit judged.
    pub at: Timestamp,
    /// The counts of all objects and findings.
    pub tally: Tally,
    /// Kubernetes versions without support of the judging version of Gardener.
    pub support: Support,
    /// All versions in use; empty if the audit is limited to some Projects or not all Shoots are known.
    pub versions: Vec<InUse>,
    /// Notes, one sentence each, such as unused default tolerations.
    pub notes: Vec<String>,
    /// The comparison with an earlier audit, if requested.
    pub changed: Option<ChangedSince>,
    /// The tables that are shown to people.
    pub by: Vec<By>,
}

impl AuditSummary {
    /// Returns the summary of an audit of some namespaces only.
    pub fn of_part(at: Timestamp, tally: Tally) -> Self {
        Self {
            at,
            tally,
            support: Support::default(),
            versions: Vec::new(),
            notes: Vec::new(),
            changed: None,
            by: vec![By::Rule],
        }
    }
}

/// A table of an audit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum By {
    /// A row for each Kubernetes version that Gardener does not support.
    Support,
    /// A row for each finding.
    Rule,
    /// A row for each Project.
    Project,
    /// A row for each owner of Projects.
    Owner,
    /// A row for each version that Shoots run.
    Version,
}

impl By {
    /// All tables.
    pub const ALL: [By; 5] = [By::Support, By::Rule, By::Owner, By::Project, By::Version];
}

/// The comparison of an audit with an earlier one.
#[derive(Clone, Debug, Default)]
pub struct ChangedSince {
    /// The file of the earlier report.
    pub file: String,
    /// The number of findings in both reports.
    pub known: usize,
    /// The numbers of new findings by id.
    pub new: BTreeMap<String, usize>,
    /// The numbers of findings by id that are no longer there: fixed, or of deleted objects.
    pub gone: BTreeMap<String, usize>,
}
