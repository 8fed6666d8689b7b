//! Metadata of any object.

use crate::fields::object;

object! {
    /// Name, labels and what the API server keeps about an object.
    ObjectMeta {
        /// Name of the object, unique in its namespace.
        name: String;
        /// Namespace of the object; empty for kinds that are in none.
        namespace: String;
        /// Beginning of a name that the API server completes.
        generateName: String;
        /// Labels, to select the object by.
        labels: {String};
        /// Annotations, for tools and people.
        annotations: {String};
        /// Cleanup that is required before the object is removed.
        finalizers: [String; set];
        /// Objects that this one goes with.
        ownerReferences: [OwnerReference; by uid];
        /// When it was made; set by the API server.
        creationTimestamp: Time;
        /// Since when it is being deleted; set by the API server.
        deletionTimestamp: Time;
        /// Seconds that deletion may take; set by the API server.
        deletionGracePeriodSeconds: Integer64;
        /// Counts changes of the specification; set by the API server.
        generation: Integer64;
        /// The state that a change is meant for; set by the API server.
        resourceVersion: String;
        /// Distinguishes this object from others of the same name; set by the API server.
        uid: String;
        /// No longer used.
        selfLink: String;
        /// Who set which field; kept by the API server.
        managedFields: [ManagedFieldsEntry];
    }
}

object! {
    /// An object that another one goes with.
    OwnerReference {
        /// API group and version of the owner.
        apiVersion: String required;
        /// Kind of the owner.
        kind: String required;
        /// Name of the owner.
        name: String required;
        /// UID of the owner.
        uid: String required;
        /// Whether the owner manages the object.
        controller: Boolean;
        /// Whether the owner waits until the object is gone.
        blockOwnerDeletion: Boolean;
    }
}

object! {
    /// Fields that one writer set.
    ManagedFieldsEntry {
        /// Who wrote them.
        manager: String;
        /// How they were written, `Apply` or `Update`.
        operation: String;
        /// Version of the object that the fields belong to.
        apiVersion: String;
        /// When they were written.
        time: Time;
        /// Always `FieldsV1`.
        fieldsType: String;
        /// The fields.
        fieldsV1: Any;
        /// Part of the object that was written.
        subresource: String;
    }
}
