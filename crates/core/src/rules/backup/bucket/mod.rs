// SPDX-License-Identifier: Apache-2.0
//! Rules about BackupBuckets.

pub(super) mod delete_in_use;
pub(super) mod form;
pub(super) mod immutable_fields;
pub(super) mod references;
