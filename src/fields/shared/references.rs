//! How one object names another.

use crate::fields::object;

object! {
    ObjectReference {
        apiVersion: String;
        fieldPath: String;
        kind: String;
        name: String;
        namespace: String;
        resourceVersion: String;
        uid: String;
    }
}

object! {
    SecretReference {
        name: String;
        namespace: String;
    }
}

object! {
    CrossVersionObjectReference {
        apiVersion: String;
        kind: String required;
        name: String required;
    }
}

object! {
    CloudProfileReference {
        kind: String required;
        name: String required;
    }
}

object! {
    NamedResourceReference {
        name: String required;
        resourceRef: CrossVersionObjectReference required;
    }
}
