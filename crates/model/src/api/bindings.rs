// SPDX-License-Identifier: Apache-2.0
//! SecretBinding and CredentialsBinding: infrastructure credentials for Shoots.

use crate::api::Constraint::{Filled, Format, Immutable, ImmutableOnceSet};
use crate::api::Format::WithoutComma;
use crate::api::object;
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::references::{ObjectReference, SecretReference};

object! {
    /// Reference to a Secret with infrastructure credentials for Shoots.
    SecretBinding {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta -> metadata: ObjectMeta;
        /// Infrastructure provider of the credentials; immutable once it is set.
        "provider": SecretBindingProvider -> provider: CredentialsBindingProvider => [ImmutableOnceSet];
        /// Secret with the credentials; immutable.
        "secretRef": SecretReference required -> secret_ref: ObjectReference => [Immutable];
        /// Quotas shared by all Shoots of the binding; immutable.
        "quotas": [ObjectReference] -> quotas: Vec<ObjectReference>
            => [Immutable];
    }
}

object! {
    /// Infrastructure provider of a SecretBinding.
    SecretBindingProvider {
        /// Type of the provider; multiple types are separated by commas.
        "type": String required => [Filled];
    }
}

object! {
    /// Reference to infrastructure credentials for Shoots.
    CredentialsBinding {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta -> metadata: ObjectMeta;
        /// Infrastructure provider of the credentials; immutable.
        "provider": CredentialsBindingProvider required -> provider: CredentialsBindingProvider => [Immutable];
        /// Secret, InternalSecret or WorkloadIdentity with the credentials; immutable.
        "credentialsRef": ObjectReference required -> credentials_ref: ObjectReference => [Immutable];
        /// Quotas shared by all Shoots of the binding; immutable.
        "quotas": [ObjectReference] -> quotas: Vec<ObjectReference>
            => [Immutable];
    }
}

object! {
    /// Infrastructure provider of a CredentialsBinding.
    CredentialsBindingProvider {
        /// Type of the provider.
        "type": String required -> kind: String => [Filled, Format(WithoutComma)];
    }
}
