//! `status.credentials` of a Shoot: how far rotations are.

use jiff::Timestamp;
use serde::Deserialize;

use crate::api::time::time;
use crate::api::{bounded, object};

object! {
    /// Credentials of a cluster.
    ShootCredentials {
        /// How objects are encrypted in the database.
        "encryptionAtRest": EncryptionAtRest -> encryption_at_rest: EncryptionAtRest;
        /// How far rotations are.
        "rotation": ShootCredentialsRotation -> rotation: Option<Box<ShootCredentialsRotation>>;
    }
}

object! {
    /// How objects are encrypted in the database.
    EncryptionAtRest {
        /// By what method.
        "provider": EncryptionProviderStatus required -> provider: EncryptionProviderStatus;
        /// Which resources.
        "resources": [String] -> resources: Vec<String>;
    }
}

object! {
    /// By what method objects are encrypted.
    EncryptionProviderStatus {
        /// Its name.
        "type": String required -> kind: String;
    }
}

object! {
    /// How far rotations are.
    ShootCredentialsRotation {
        /// Certificate authorities.
        "certificateAuthorities": CARotation -> certificate_authorities: Option<Rotation>;
        /// The key that encrypts objects in the database.
        "etcdEncryptionKey": ETCDEncryptionKeyRotation -> etcd_encryption_key: Option<Rotation>;
        /// Passwords of the monitoring.
        "observability": ObservabilityRotation -> observability: Option<Rotation>;
        /// The key that signs tokens of service accounts.
        "serviceAccountKey": ServiceAccountKeyRotation -> service_account_key: Option<Rotation>;
        /// The SSH key of the nodes.
        "sshKeypair": ShootSSHKeypairRotation -> ssh_keypair: Option<Rotation>;
    }
}

object! {
    /// How far the rotation of certificate authorities is.
    CARotation {
        /// When it last ended.
        "lastCompletionTime": Time;
        /// When its second half last began.
        "lastCompletionTriggeredTime": Time;
        /// When its first half last ended.
        "lastInitiationFinishedTime": Time;
        /// When it last began.
        "lastInitiationTime": Time;
        /// Pools that still have to be rolled.
        "pendingWorkersRollouts": [PendingWorkersRollout];
        /// How far it is.
        "phase": String required;
    }
}

object! {
    /// How far the rotation of the database's key is.
    ETCDEncryptionKeyRotation {
        /// Whether it is completed without being asked.
        "autoCompleteAfterPrepared": Boolean;
        /// When it last ended.
        "lastCompletionTime": Time;
        /// When its second half last began.
        "lastCompletionTriggeredTime": Time;
        /// When its first half last ended.
        "lastInitiationFinishedTime": Time;
        /// When it last began.
        "lastInitiationTime": Time;
        /// How far it is.
        "phase": String required;
    }
}

object! {
    /// How far the rotation of the monitoring's passwords is.
    ObservabilityRotation {
        /// When it last ended.
        "lastCompletionTime": Time;
        /// When it last began.
        "lastInitiationTime": Time;
    }
}

object! {
    /// How far the rotation of the key for tokens is.
    ServiceAccountKeyRotation {
        /// When it last ended.
        "lastCompletionTime": Time;
        /// When its second half last began.
        "lastCompletionTriggeredTime": Time;
        /// When its first half last ended.
        "lastInitiationFinishedTime": Time;
        /// When it last began.
        "lastInitiationTime": Time;
        /// Pools that still have to be rolled.
        "pendingWorkersRollouts": [PendingWorkersRollout];
        /// How far it is.
        "phase": String required;
    }
}

object! {
    /// How far the rotation of the SSH key is.
    ShootSSHKeypairRotation {
        /// When it last ended.
        "lastCompletionTime": Time;
        /// When it last began.
        "lastInitiationTime": Time;
    }
}

object! {
    /// A pool that still has to be rolled.
    PendingWorkersRollout {
        /// Its name.
        "name": String required -> name: String;
        /// When it last began.
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
