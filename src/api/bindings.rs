//! SecretBinding and CredentialsBinding: credentials that Shoots may use.

use crate::api::Constraint::{Filled, Format, Immutable, ImmutableOnceSet};
use crate::api::Format::WithoutComma;
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::references::{ObjectReference, SecretReference};
use crate::api::{null_is_default, object};

object! {
    /// A Secret whose credentials Shoots may use.
    SecretBinding {
        /// API group and version.
        "apiVersion": String;
        /// The kind.
        "kind": String;
        /// Name, labels and the like.
        "metadata": ObjectMeta -> metadata: ObjectMeta;
        /// The infrastructure; immutable once it is set.
        "provider": SecretBindingProvider -> provider: CredentialsBindingProvider => [ImmutableOnceSet];
        /// The Secret; immutable.
        "secretRef": SecretReference required -> secret_ref: ObjectReference => [Immutable];
        /// What the Shoots of the binding may use together; immutable.
        "quotas": [ObjectReference] -> #[serde(deserialize_with = "null_is_default")] quotas: Vec<ObjectReference>
            => [Immutable];
    }
}

object! {
    /// An infrastructure.
    SecretBindingProvider {
        /// Which one it is; several with commas between them.
        "type": String required => [Filled];
    }
}

object! {
    /// Credentials that Shoots may use.
    CredentialsBinding {
        /// API group and version.
        "apiVersion": String;
        /// The kind.
        "kind": String;
        /// Name, labels and the like.
        "metadata": ObjectMeta -> metadata: ObjectMeta;
        /// The infrastructure; immutable.
        "provider": CredentialsBindingProvider required -> provider: CredentialsBindingProvider => [Immutable];
        /// The Secret, InternalSecret or WorkloadIdentity; immutable.
        "credentialsRef": ObjectReference required -> credentials_ref: ObjectReference => [Immutable];
        /// What the Shoots of the binding may use together; immutable.
        "quotas": [ObjectReference] -> #[serde(deserialize_with = "null_is_default")] quotas: Vec<ObjectReference>
            => [Immutable];
    }
}

object! {
    /// An infrastructure.
    CredentialsBindingProvider {
        /// Which one it is.
        "type": String required -> kind: String => [Filled, Format(WithoutComma)];
    }
}
