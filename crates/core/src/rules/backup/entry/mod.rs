//! Rules about BackupEntries.

pub(super) mod form;
pub(super) mod references;
