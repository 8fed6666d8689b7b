// SPDX-License-Identifier: Apache-2.0
//! The BackupBucketConfig of provider-azure.

use crate::api::Constraint::{AtLeast, Enum, LastsAtLeast, Since};
use crate::api::extensions::azure::cloud_profile::CloudConfiguration;
use crate::api::{DurationText, object};

object! {
    /// Bucket for etcd backups on Azure.
    BackupBucketConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Cloud of the bucket.
        "cloudConfiguration": CloudConfiguration => [Since(47)];
        /// Retention policy of the bucket. It cannot be removed while it is locked.
        "immutability": ImmutableConfig -> immutability: Option<ImmutableConfig> => [Since(52)];
        /// Rotation of the keys of the storage account.
        "rotationConfig": RotationConfig -> rotation_config: Option<RotationConfig> => [Since(52)];
    }
}

object! {
    /// Retention policy of a bucket.
    ImmutableConfig {
        /// Scope of the policy.
        "retentionType": String required -> retention_type: String => [Enum(&["bucket"])];
        /// Minimum age of deleted backups in full days, for example `24h` or `240h`. It cannot be reduced while the policy is locked.
        "retentionPeriod": Duration required -> retention_period: Option<DurationText>
            => [LastsAtLeast(86_400.0)];
        /// Locks the policy; a locked policy cannot be unlocked.
        "locked": Boolean -> locked: bool;
    }
}

object! {
    /// Rotation of the keys of a storage account.
    RotationConfig {
        /// Age of a key at which it is rotated, in days.
        "rotationPeriodDays": Integer32 required -> rotation_period_days: i32 => [AtLeast(2.0)];
        /// Age of a key at which it expires, in days; more than `rotationPeriodDays`.
        "expirationPeriodDays": Integer32 -> expiration_period_days: Option<i32>;
    }
}
