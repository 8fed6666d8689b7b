//! How one object names another.

use crate::api::Constraint::Filled;
use crate::api::object;

object! {
    /// An object, named in full.
    ObjectReference {
        /// Its API group and version.
        "apiVersion": String -> api_version: String;
        /// Its kind.
        "kind": String -> kind: String;
        /// Its name.
        "name": String -> name: String;
        /// Its namespace.
        "namespace": String -> namespace: String;
        /// A part of it.
        "fieldPath": String;
        /// A state of it.
        "resourceVersion": String;
        /// Its UID.
        "uid": String;
    }
}

object! {
    /// A Secret.
    SecretReference {
        /// Its name.
        "name": String;
        /// Its namespace.
        "namespace": String;
    }
}

object! {
    /// An object of the same namespace.
    #[derive(PartialEq)]
    CrossVersionObjectReference {
        /// Its API group and version.
        "apiVersion": String -> api_version: String;
        /// Its kind.
        "kind": String required -> kind: String;
        /// Its name.
        "name": String required -> name: String;
    }
}

object! {
    /// A CloudProfile or NamespacedCloudProfile.
    #[derive(Eq, PartialEq)]
    CloudProfileReference {
        /// `CloudProfile` or `NamespacedCloudProfile`.
        "kind": String required -> kind: String;
        /// Its name.
        "name": String required -> name: String;
    }
}

object! {
    /// An object that extensions may use, under a separate name.
    NamedResourceReference {
        /// The name that extensions call it by.
        "name": String required => [Filled];
        /// The object.
        "resourceRef": CrossVersionObjectReference required;
    }
}
