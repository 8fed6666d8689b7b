// SPDX-License-Identifier: Apache-2.0
//! WorkloadIdentity: identity of a component at an infrastructure.

use crate::api::Constraint::{Filled, Format, Immutable};
use crate::api::Format::WithoutComma;
use crate::api::object;
use crate::api::shared::metadata::ObjectMeta;

object! {
    /// Identity of a Gardener component at an infrastructure, which replaces credentials.
    WorkloadIdentity {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta -> metadata: ObjectMeta;
        /// Desired state of the identity.
        "spec": WorkloadIdentitySpec required -> spec: WorkloadIdentitySpec;
        /// Observed state of the identity; set by the API server.
        "status": WorkloadIdentityStatus filled;
    }
}

object! {
    /// Desired state of a WorkloadIdentity.
    WorkloadIdentitySpec {
        /// Audiences of issued tokens.
        "audiences": [String] required;
        /// System that accepts the tokens.
        "targetSystem": TargetSystem required -> target_system: TargetSystem;
    }
}

object! {
    /// System that accepts the tokens of a WorkloadIdentity.
    TargetSystem {
        /// Type of the provider; immutable.
        "type": String required -> kind: String => [Filled, Format(WithoutComma), Immutable];
        /// Provider-specific configuration, read by the extension.
        "providerConfig": Any;
    }
}

object! {
    /// Observed state of a WorkloadIdentity.
    WorkloadIdentityStatus {
        /// Subject of issued tokens; set by the API server.
        "sub": String filled;
    }
}
