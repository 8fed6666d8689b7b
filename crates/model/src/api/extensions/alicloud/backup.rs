// SPDX-License-Identifier: Apache-2.0
//! The BackupBucketConfig of provider-alicloud.

use crate::api::Constraint::{AtLeast, Enum, Since};
use crate::api::object;

object! {
    /// Bucket for etcd backups on Alibaba Cloud.
    BackupBucketConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Retention policy of the bucket.
        "immutability": ImmutableConfig -> immutability: Option<ImmutableConfig> => [Since(65)];
    }
}

object! {
    /// Retention policy of a bucket.
    ImmutableConfig {
        /// Scope of the policy.
        "retentionType": String required -> retention_type: String => [Enum(&["bucket"])];
        /// Minimum age of deleted backups, in days. It cannot be reduced.
        "retentionPeriod": Integer64 required -> retention_period: i64 => [AtLeast(1.0)];
        /// Locks the policy; a locked policy cannot be unlocked.
        "locked": Boolean -> locked: bool;
    }
}
