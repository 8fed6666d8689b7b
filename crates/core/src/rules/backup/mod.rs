// SPDX-License-Identifier: Apache-2.0
//! Rules about BackupBuckets and BackupEntries.

mod bucket;
mod entry;
mod owner;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[
    &bucket::form::RULE,
    &bucket::immutable_fields::RULE,
    &bucket::references::RULE,
    &bucket::delete_in_use::RULE,
    &entry::form::RULE,
    &entry::references::RULE,
];
