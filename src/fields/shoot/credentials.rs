//! `status.credentials` of a Shoot: how far rotations are.

use crate::fields::object;

object! {
    ShootCredentials {
        encryptionAtRest: EncryptionAtRest;
        rotation: ShootCredentialsRotation;
    }
}

object! {
    EncryptionAtRest {
        provider: EncryptionProviderStatus required;
        resources: [String];
    }
}

object! {
    EncryptionProviderStatus {
        type: String required;
    }
}

object! {
    ShootCredentialsRotation {
        certificateAuthorities: CARotation;
        etcdEncryptionKey: ETCDEncryptionKeyRotation;
        observability: ObservabilityRotation;
        serviceAccountKey: ServiceAccountKeyRotation;
        sshKeypair: ShootSSHKeypairRotation;
    }
}

object! {
    CARotation {
        lastCompletionTime: Time;
        lastCompletionTriggeredTime: Time;
        lastInitiationFinishedTime: Time;
        lastInitiationTime: Time;
        pendingWorkersRollouts: [PendingWorkersRollout];
        phase: String required;
    }
}

object! {
    ETCDEncryptionKeyRotation {
        autoCompleteAfterPrepared: Boolean;
        lastCompletionTime: Time;
        lastCompletionTriggeredTime: Time;
        lastInitiationFinishedTime: Time;
        lastInitiationTime: Time;
        phase: String required;
    }
}

object! {
    ObservabilityRotation {
        lastCompletionTime: Time;
        lastInitiationTime: Time;
    }
}

object! {
    ServiceAccountKeyRotation {
        lastCompletionTime: Time;
        lastCompletionTriggeredTime: Time;
        lastInitiationFinishedTime: Time;
        lastInitiationTime: Time;
        pendingWorkersRollouts: [PendingWorkersRollout];
        phase: String required;
    }
}

object! {
    ShootSSHKeypairRotation {
        lastCompletionTime: Time;
        lastInitiationTime: Time;
    }
}

object! {
    PendingWorkersRollout {
        lastInitiationTime: Time;
        name: String required;
    }
}
