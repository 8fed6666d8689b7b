// SPDX-License-Identifier: Apache-2.0
//! BackupBucket and BackupEntry: object storage for backups of etcd.

use crate::api::Constraint::Immutable;
use crate::api::object;
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::references::{ObjectReference, SecretReference};
use crate::api::shared::status::LastOperation;
use crate::api::shoot::status::LastError;

object! {
    /// Bucket of an object store for backups of etcd.
    BackupBucket {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta required -> metadata: ObjectMeta;
        /// Desired state of the bucket.
        "spec": BackupBucketSpec required -> spec: BackupBucketSpec;
        /// Observed state of the bucket; set by the system.
        "status": BackupBucketStatus filled;
    }
}

object! {
    /// Desired state of a BackupBucket.
    BackupBucketSpec {
        /// Infrastructure provider of the bucket; immutable.
        "provider": BackupBucketProvider required -> provider: BackupBucketProvider => [Immutable];
        /// Provider-specific configuration, read by the extension.
        "providerConfig": Any;
        /// Name of the Seed that uses the bucket; immutable. Excludes `shootRef`.
        "seedName": String => [Immutable];
        /// Secret or WorkloadIdentity with the credentials for the object store.
        "credentialsRef": ObjectReference;
        /// Self-hosted Shoot that uses the bucket. Excludes `seedName`.
        "shootRef": ObjectReference;
    }
}

object! {
    /// Infrastructure provider of a BackupBucket.
    BackupBucketProvider {
        /// Type of the provider.
        "type": String required -> kind: String;
        /// Region of the bucket.
        "region": String required;
    }
}

object! {
    /// Observed state of a BackupBucket.
    BackupBucketStatus {
        /// Provider-specific state, written by the extension.
        "providerStatus": Any;
        /// Last operation on the bucket.
        "lastOperation": LastOperation;
        /// Last error of an operation on the bucket.
        "lastError": LastError;
        /// Generation of the object that was processed last.
        "observedGeneration": Integer64;
        /// Secret with credentials that the extension created for the bucket.
        "generatedSecretRef": SecretReference;
    }
}

object! {
    /// Directory of a BackupBucket with the backups of one etcd.
    BackupEntry {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta required -> metadata: ObjectMeta;
        /// Desired state of the entry.
        "spec": BackupEntrySpec -> spec: BackupEntrySpec;
        /// Observed state of the entry; set by the system.
        "status": BackupEntryStatus;
    }
}

object! {
    /// Desired state of a BackupEntry.
    BackupEntrySpec {
        /// Name of the BackupBucket.
        "bucketName": String required -> bucket_name: String;
        /// Name of the Seed that writes the backups. Excludes `shootRef`.
        "seedName": String;
        /// Self-hosted Shoot that writes the backups. Excludes `seedName`.
        "shootRef": ObjectReference;
    }
}

object! {
    /// Observed state of a BackupEntry.
    BackupEntryStatus {
        /// Last operation on the entry.
        "lastOperation": LastOperation;
        /// Last error of an operation on the entry.
        "lastError": LastError;
        /// Generation of the object that was processed last.
        "observedGeneration": Integer64;
        /// Seed that writes the backups at present.
        "seedName": String;
        /// Start of the migration to another Seed.
        "migrationStartTime": Time;
    }
}
