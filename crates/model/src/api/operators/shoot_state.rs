// SPDX-License-Identifier: Apache-2.0
//! ShootState: the state of a Shoot during a migration of its control plane.

use crate::api::object;
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::references::NamedResourceReference;

object! {
    /// State of a Shoot during a migration of its control plane; written by gardenlets.
    ShootState {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta;
        /// State of the Shoot.
        "spec": ShootStateSpec;
    }
}

object! {
    /// State of a Shoot.
    ShootStateSpec {
        /// Data from which the gardenlet generates resources.
        "gardener": [GardenerResourceData; by name];
        /// State of extension resources.
        "extensions": [ExtensionResourceState];
        /// Objects that states of extension resources reference.
        "resources": [ResourceData];
    }
}

object! {
    /// Data from which the gardenlet generates a resource.
    GardenerResourceData {
        /// Name of the data.
        "name": String required;
        /// Type of the data.
        "type": String required;
        /// Content.
        "data": Any required;
        /// Labels of the data.
        "labels": {String};
    }
}

object! {
    /// State of an extension resource.
    ExtensionResourceState {
        /// Kind of the extension resource.
        "kind": String required;
        /// Name of the extension resource.
        "name": String;
        /// Purpose of the extension resource.
        "purpose": String;
        /// State.
        "state": Any;
        /// Named references to objects that the state uses.
        "resources": [NamedResourceReference];
    }
}

object! {
    /// Object that the state of an extension resource references.
    ResourceData {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String required;
        /// Name of the object.
        "name": String required;
        /// Content of the object.
        "data": Any required;
    }
}
