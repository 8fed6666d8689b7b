//! An audit: what was counted, as text, Markdown and JSON, and what was found as Report objects.

mod json;
mod openreports;
mod tables;
mod text;

pub(super) use json::{Document, document};
pub use openreports::OpenReportsWriter;
pub(super) use tables::{Table, tables};
pub use text::AuditTextWriter;

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::audit::{InUse, Tally};

/// What an audit counted.
#[derive(Debug)]
pub struct AuditSummary {
    /// The instant as of which it judged.
    pub at: Timestamp,
    /// What was said about all objects.
    pub tally: Tally,
    /// Every version that Shoots run; empty if only some Projects were looked at, or not all Shoots are known.
    pub versions: Vec<InUse>,
    /// What nobody uses that is no object, and the like; a sentence each.
    pub notes: Vec<String>,
    /// What is different from an earlier audit, if it was compared with one.
    pub changed: Option<ChangedSince>,
    /// Which tables are shown to people.
    pub by: Vec<By>,
}

/// A table of an audit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum By {
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
    /// All of them.
    pub const ALL: [By; 4] = [By::Rule, By::Project, By::Owner, By::Version];
}

/// How an audit differs from an earlier one.
#[derive(Clone, Debug, Default)]
pub struct ChangedSince {
    /// The earlier report.
    pub file: String,
    /// How many findings are in both.
    pub known: usize,
    /// How many findings are new, by id.
    pub new: BTreeMap<String, usize>,
    /// How many findings are gone, by id: their objects are put right, or gone.
    pub gone: BTreeMap<String, usize>,
}
