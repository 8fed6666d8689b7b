// SPDX-License-Identifier: Apache-2.0
//! The BackupBucketConfig of provider-gcp.

use crate::api::Constraint::{Enum, LastsAtLeast, Since};
use crate::api::{DurationText, object};

object! {
    /// Bucket for etcd backups on Google Cloud.
    BackupBucketConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Retention policy of the bucket. It cannot be removed while it is locked.
        "immutability": ImmutableConfig -> immutability: Option<ImmutableConfig> => [Since(42)];
        /// Settings of the backup store.
        "store": Store -> store: Option<Store> => [Since(50)];
    }
}

object! {
    /// Retention policy of a bucket.
    ImmutableConfig {
        /// Scope of the policy.
        "retentionType": String required -> retention_type: String => [Enum(&["bucket"])];
        /// Minimum age of deleted backups, at least `24h`. It cannot be reduced while the policy is locked.
        "retentionPeriod": Duration required -> retention_period: Option<DurationText> => [LastsAtLeast(86_400.0)];
        /// Locks the policy; a locked policy cannot be unlocked.
        "locked": Boolean -> locked: bool;
    }
}

object! {
    /// Settings of the backup store.
    Store {
        /// HTTPS URL of a regional endpoint; the operator limits the possible URLs.
        "endpointOverride": String -> endpoint_override: Option<String>;
    }
}
