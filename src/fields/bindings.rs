//! SecretBinding and CredentialsBinding: credentials that Shoots may use.

use crate::fields::object;
use crate::fields::shared::metadata::ObjectMeta;
use crate::fields::shared::references::{ObjectReference, SecretReference};

object! {
    SecretBinding {
        apiVersion: String;
        kind: String;
        metadata: ObjectMeta;
        provider: SecretBindingProvider;
        quotas: [ObjectReference];
        secretRef: SecretReference required;
    }
}

object! {
    SecretBindingProvider {
        type: String required;
    }
}

object! {
    CredentialsBinding {
        apiVersion: String;
        kind: String;
        metadata: ObjectMeta;
        credentialsRef: ObjectReference required;
        provider: CredentialsBindingProvider required;
        quotas: [ObjectReference];
    }
}

object! {
    CredentialsBindingProvider {
        type: String required;
    }
}
