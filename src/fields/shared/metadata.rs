//! Metadata of any object.

use crate::fields::object;

object! {
    ObjectMeta {
        annotations: {String};
        creationTimestamp: Time;
        deletionGracePeriodSeconds: Integer64;
        deletionTimestamp: Time;
        finalizers: [String; set];
        generateName: String;
        generation: Integer64;
        labels: {String};
        managedFields: [ManagedFieldsEntry];
        name: String;
        namespace: String;
        ownerReferences: [OwnerReference; by uid];
        resourceVersion: String;
        selfLink: String;
        uid: String;
    }
}

object! {
    OwnerReference {
        apiVersion: String required;
        blockOwnerDeletion: Boolean;
        controller: Boolean;
        kind: String required;
        name: String required;
        uid: String required;
    }
}

object! {
    ManagedFieldsEntry {
        apiVersion: String;
        fieldsType: String;
        fieldsV1: Any;
        manager: String;
        operation: String;
        subresource: String;
        time: Time;
    }
}
