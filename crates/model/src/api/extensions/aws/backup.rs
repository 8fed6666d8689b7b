// SPDX-License-Identifier: Apache-2.0
//! The bucket of backups on AWS. Source: `types_backupbucket.go`.

use crate::api::Constraint::Since;
use crate::api::{DurationText, object};

object! {
    /// Bucket of backups on AWS.
    #[derive(PartialEq)]
    BackupBucketConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Protection of backups against changes and deletion.
        "immutability": ImmutableConfig -> immutability: Option<ImmutableConfig> => [Since(62)];
    }
}

object! {
    /// Protection of backups against changes and deletion.
    #[derive(PartialEq)]
    ImmutableConfig {
        /// Scope of the retention: `bucket`.
        "retentionType": String required -> retention_type: String;
        /// Time during which backups are protected, in full days.
        "retentionPeriod": Duration required -> retention_period: Option<DurationText>;
        /// Mode: `compliance` or `governance`.
        "mode": String required -> mode: String;
    }
}
