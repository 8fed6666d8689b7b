// SPDX-License-Identifier: Apache-2.0
//! `status.credentials` of a Shoot: progress of rotations.

use jiff::Timestamp;
use serde::Deserialize;

use crate::api::time::time;
use crate::api::{bounded, object};

object! {
    /// Status of the cluster's credentials.
    ShootCredentials {
        /// Encryption of resources at rest in etcd.
        "encryptionAtRest": EncryptionAtRest -> encryption_at_rest: EncryptionAtRest;
        /// Progress of credential rotations.
        "rotation": ShootCredentialsRotation -> rotation: Option<Box<ShootCredentialsRotation>>;
    }
}

object! {
    /// Encryption of resources at rest in etcd.
    EncryptionAtRest {
        /// Encryption provider.
        "provider": EncryptionProviderStatus required -> provider: EncryptionProviderStatus;
        /// Encrypted resources.
        "resources": [String] -> resources: Vec<String>;
    }
}

object! {
    /// Encryption provider for resources in etcd.
    EncryptionProviderStatus {
        /// Type of the provider.
        "type": String required -> kind: String;
    }
}

object! {
    /// Progress of credential rotations.
    ShootCredentialsRotation {
        /// Rotation of the certificate authorities.
        "certificateAuthorities": CARotation -> certificate_authorities: Option<Rotation>;
        /// Rotation of the etcd encryption key.
        "etcdEncryptionKey": ETCDEncryptionKeyRotation -> etcd_encryption_key: Option<Rotation>;
        /// Rotation of the observability passwords.
        "observability": ObservabilityRotation -> observability: Option<Rotation>;
        /// Rotation of the service account signing key.
        "serviceAccountKey": ServiceAccountKeyRotation -> service_account_key: Option<Rotation>;
        /// Rotation of the nodes' SSH key pair.
        "sshKeypair": ShootSSHKeypairRotation -> ssh_keypair: Option<Rotation>;
    }
}

object! {
    /// Progress of the rotation of the certificate authorities.
    CARotation {
        /// Time when the last rotation was completed.
        "lastCompletionTime": Time;
        /// Time when the completion of the rotation was last triggered.
        "lastCompletionTriggeredTime": Time;
        /// Time when the initiation of the rotation last finished.
        "lastInitiationFinishedTime": Time;
        /// Time when the rotation was last initiated.
        "lastInitiationTime": Time;
        /// Worker pools that still must be rolled.
        "pendingWorkersRollouts": [PendingWorkersRollout];
        /// Phase of the rotation.
        "phase": String required;
    }
}

object! {
    /// Progress of the rotation of the etcd encryption key.
    ETCDEncryptionKeyRotation {
        /// Completes the rotation automatically after its preparation.
        "autoCompleteAfterPrepared": Boolean;
        /// Time when the last rotation was completed.
        "lastCompletionTime": Time;
        /// Time when the completion of the rotation was last triggered.
        "lastCompletionTriggeredTime": Time;
        /// Time when the initiation of the rotation last finished.
        "lastInitiationFinishedTime": Time;
        /// Time when the rotation was last initiated.
        "lastInitiationTime": Time;
        /// Phase of the rotation.
        "phase": String required;
    }
}

object! {
    /// Progress of the rotation of the observability passwords.
    ObservabilityRotation {
        /// Time when the last rotation was completed.
        "lastCompletionTime": Time;
        /// Time when the rotation was last initiated.
        "lastInitiationTime": Time;
    }
}

object! {
    /// Progress of the rotation of the service account signing key.
    ServiceAccountKeyRotation {
        /// Time when the last rotation was completed.
        "lastCompletionTime": Time;
        /// Time when the completion of the rotation was last triggered.
        "lastCompletionTriggeredTime": Time;
        /// Time when the initiation of the rotation last finished.
        "lastInitiationFinishedTime": Time;
        /// Time when the rotation was last initiated.
        "lastInitiationTime": Time;
        /// Worker pools that still must be rolled.
        "pendingWorkersRollouts": [PendingWorkersRollout];
        /// Phase of the rotation.
        "phase": String required;
    }
}

object! {
    /// Progress of the rotation of the nodes' SSH key pair.
    ShootSSHKeypairRotation {
        /// Time when the last rotation was completed.
        "lastCompletionTime": Time;
        /// Time when the rotation was last initiated.
        "lastInitiationTime": Time;
    }
}

object! {
    /// Worker pool that still must be rolled.
    PendingWorkersRollout {
        /// Name of the pool.
        "name": String required -> name: String;
        /// Time when the rollout was last initiated.
        "lastInitiationTime": Time -> #[serde(deserialize_with = "time")] last_initiation_time: Option<Timestamp>;
    }
}

/// The rotation of one kind of credentials.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rotation {
    /// Empty or `Completed` if no rotation is in progress.
    #[serde(default, deserialize_with = "bounded::short_text")]
    pub phase: String,
    /// The start of the last rotation.
    #[serde(default, deserialize_with = "time")]
    pub last_initiation_time: Option<Timestamp>,
    /// The end of its first part.
    #[serde(default, deserialize_with = "time")]
    pub last_initiation_finished_time: Option<Timestamp>,
    /// The request for its second part.
    #[serde(default, deserialize_with = "time")]
    pub last_completion_triggered_time: Option<Timestamp>,
    /// Pools that still have the old credentials.
    #[serde(default, deserialize_with = "bounded::list")]
    pub pending_workers_rollouts: Vec<PendingWorkersRollout>,
}
