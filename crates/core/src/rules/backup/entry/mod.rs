// SPDX-License-Identifier: Apache-2.0
//! Rules about BackupEntries.

pub(super) mod form;
pub(super) mod references;
