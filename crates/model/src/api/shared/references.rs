// SPDX-License-Identifier: Apache-2.0
//! References between objects.

use crate::api::Constraint::Filled;
use crate::api::object;

object! {
    /// Reference to an object by kind, namespace and name.
    ObjectReference {
        /// API group and version of the object.
        "apiVersion": String -> api_version: String;
        /// Kind of the object.
        "kind": String -> kind: String;
        /// Name of the object.
        "name": String -> name: String;
        /// Namespace of the object.
        "namespace": String -> namespace: String;
        /// Path of a field of the object.
        "fieldPath": String;
        /// Resource version of the object.
        "resourceVersion": String;
        /// UID of the object.
        "uid": String;
    }
}

object! {
    /// Reference to a Secret.
    SecretReference {
        /// Name of the Secret.
        "name": String;
        /// Namespace of the Secret.
        "namespace": String;
    }
}

object! {
    /// Reference to an object in the same namespace.
    #[derive(PartialEq)]
    CrossVersionObjectReference {
        /// API group and version of the object.
        "apiVersion": String -> api_version: String;
        /// Kind of the object.
        "kind": String required -> kind: String;
        /// Name of the object.
        "name": String required -> name: String;
    }
}

object! {
    /// Reference to a CloudProfile or NamespacedCloudProfile.
    #[derive(Eq, PartialEq)]
    CloudProfileReference {
        /// Kind of the profile: `CloudProfile` or `NamespacedCloudProfile`.
        "kind": String required -> kind: String;
        /// Name of the profile.
        "name": String required -> name: String;
    }
}

object! {
    /// Named reference to an object that extensions can use.
    NamedResourceReference {
        /// Name by which extensions refer to the object.
        "name": String required => [Filled];
        /// Reference to the object.
        "resourceRef": CrossVersionObjectReference required;
    }
}
