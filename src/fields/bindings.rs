//! SecretBinding and CredentialsBinding: credentials that Shoots may use.

use crate::fields::Constraint::{Filled, Format, Immutable, ImmutableOnceSet};
use crate::fields::Format::WithoutComma;
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
        /// The infrastructure; immutable once it is set.
        provider: SecretBindingProvider => [ImmutableOnceSet];
        /// The Secret; immutable.
        secretRef: SecretReference required => [Immutable];
        /// What the Shoots of the binding may use together; immutable.
        quotas: [ObjectReference] => [Immutable];
    }
}

object! {
    /// An infrastructure.
    SecretBindingProvider {
        /// Which one it is; several with commas between them.
        type: String required => [Filled];
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
        provider: CredentialsBindingProvider required => [Immutable];
        /// The Secret, InternalSecret or WorkloadIdentity; immutable.
        credentialsRef: ObjectReference required => [Immutable];
        /// What the Shoots of the binding may use together; immutable.
        quotas: [ObjectReference] => [Immutable];
    }
}

object! {
    /// An infrastructure.
    CredentialsBindingProvider {
        /// Which one it is.
        type: String required => [Filled, Format(WithoutComma)];
    }
}
