//! SecretBinding and CredentialsBinding: credentials that Shoots may use.

use crate::fields::object;
use crate::fields::shared::metadata::ObjectMeta;
use crate::fields::shared::references::{ObjectReference, SecretReference};

object! {
    /// A Secret whose credentials Shoots may use.
    SecretBinding {
        /// API group and version.
        apiVersion: String;
        /// The kind.
        kind: String;
        /// Name, labels and the like.
        metadata: ObjectMeta;
        /// The infrastructure.
        provider: SecretBindingProvider;
        /// The Secret; immutable.
        secretRef: SecretReference required;
        /// What the Shoots of the binding may use together.
        quotas: [ObjectReference];
    }
}

object! {
    /// An infrastructure.
    SecretBindingProvider {
        /// Which one it is.
        type: String required;
    }
}

object! {
    /// Credentials that Shoots may use.
    CredentialsBinding {
        /// API group and version.
        apiVersion: String;
        /// The kind.
        kind: String;
        /// Name, labels and the like.
        metadata: ObjectMeta;
        /// The infrastructure; immutable.
        provider: CredentialsBindingProvider required;
        /// The Secret, InternalSecret or WorkloadIdentity; immutable.
        credentialsRef: ObjectReference required;
        /// What the Shoots of the binding may use together.
        quotas: [ObjectReference];
    }
}

object! {
    /// An infrastructure.
    CredentialsBindingProvider {
        /// Which one it is.
        type: String required;
    }
}
