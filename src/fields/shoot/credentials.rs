//! `status.credentials` of a Shoot: how far rotations are.

use crate::fields::object;

object! {
    /// Credentials of a cluster.
    ShootCredentials {
        /// How objects are encrypted in the database.
        encryptionAtRest: EncryptionAtRest;
        /// How far rotations are.
        rotation: ShootCredentialsRotation;
    }
}

object! {
    /// How objects are encrypted in the database.
    EncryptionAtRest {
        /// By what method.
        provider: EncryptionProviderStatus required;
        /// Which resources.
        resources: [String];
    }
}

object! {
    /// By what method objects are encrypted.
    EncryptionProviderStatus {
        /// Its name.
        type: String required;
    }
}

object! {
    /// How far rotations are.
    ShootCredentialsRotation {
        /// Certificate authorities.
        certificateAuthorities: CARotation;
        /// The key that encrypts objects in the database.
        etcdEncryptionKey: ETCDEncryptionKeyRotation;
        /// Passwords of the monitoring.
        observability: ObservabilityRotation;
        /// The key that signs tokens of service accounts.
        serviceAccountKey: ServiceAccountKeyRotation;
        /// The SSH key of the nodes.
        sshKeypair: ShootSSHKeypairRotation;
    }
}

object! {
    /// How far the rotation of certificate authorities is.
    CARotation {
        /// When it last ended.
        lastCompletionTime: Time;
        /// When its second half last began.
        lastCompletionTriggeredTime: Time;
        /// When its first half last ended.
        lastInitiationFinishedTime: Time;
        /// When it last began.
        lastInitiationTime: Time;
        /// Pools that still have to be rolled.
        pendingWorkersRollouts: [PendingWorkersRollout];
        /// How far it is.
        phase: String required;
    }
}

object! {
    /// How far the rotation of the database's key is.
    ETCDEncryptionKeyRotation {
        /// Whether it is completed without being asked.
        autoCompleteAfterPrepared: Boolean;
        /// When it last ended.
        lastCompletionTime: Time;
        /// When its second half last began.
        lastCompletionTriggeredTime: Time;
        /// When its first half last ended.
        lastInitiationFinishedTime: Time;
        /// When it last began.
        lastInitiationTime: Time;
        /// How far it is.
        phase: String required;
    }
}

object! {
    /// How far the rotation of the monitoring's passwords is.
    ObservabilityRotation {
        /// When it last ended.
        lastCompletionTime: Time;
        /// When it last began.
        lastInitiationTime: Time;
    }
}

object! {
    /// How far the rotation of the key for tokens is.
    ServiceAccountKeyRotation {
        /// When it last ended.
        lastCompletionTime: Time;
        /// When its second half last began.
        lastCompletionTriggeredTime: Time;
        /// When its first half last ended.
        lastInitiationFinishedTime: Time;
        /// When it last began.
        lastInitiationTime: Time;
        /// Pools that still have to be rolled.
        pendingWorkersRollouts: [PendingWorkersRollout];
        /// How far it is.
        phase: String required;
    }
}

object! {
    /// How far the rotation of the SSH key is.
    ShootSSHKeypairRotation {
        /// When it last ended.
        lastCompletionTime: Time;
        /// When it last began.
        lastInitiationTime: Time;
    }
}

object! {
    /// A pool that still has to be rolled.
    PendingWorkersRollout {
        /// Its name.
        name: String required;
        /// When it last began.
        lastInitiationTime: Time;
    }
}
