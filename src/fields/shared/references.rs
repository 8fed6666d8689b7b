//! How one object names another.

use crate::fields::Constraint::Filled;
use crate::fields::object;

object! {
    /// An object, named in full.
    ObjectReference {
        /// Its API group and version.
        apiVersion: String;
        /// Its kind.
        kind: String;
        /// Its name.
        name: String;
        /// Its namespace.
        namespace: String;
        /// A part of it.
        fieldPath: String;
        /// A state of it.
        resourceVersion: String;
        /// Its UID.
        uid: String;
    }
}

object! {
    /// A Secret.
    SecretReference {
        /// Its name.
        name: String;
        /// Its namespace.
        namespace: String;
    }
}

object! {
    /// An object of the same namespace.
    CrossVersionObjectReference {
        /// Its API group and version.
        apiVersion: String;
        /// Its kind.
        kind: String required;
        /// Its name.
        name: String required;
    }
}

object! {
    /// A CloudProfile or NamespacedCloudProfile.
    CloudProfileReference {
        /// `CloudProfile` or `NamespacedCloudProfile`.
        kind: String required;
        /// Its name.
        name: String required;
    }
}

object! {
    /// An object that extensions may use, under a separate name.
    NamedResourceReference {
        /// The name that extensions call it by.
        name: String required => [Filled];
        /// The object.
        resourceRef: CrossVersionObjectReference required;
    }
}
