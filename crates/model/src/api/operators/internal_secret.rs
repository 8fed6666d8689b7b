// SPDX-License-Identifier: Apache-2.0
//! InternalSecret: credentials that only operators can read.

use crate::api::object;
use crate::api::shared::metadata::ObjectMeta;

object! {
    /// Secret that only operators of the landscape can read.
    InternalSecret {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta;
        /// Whether `data` is immutable; cannot be reverted.
        "immutable": Boolean;
        /// Values by key, in base64.
        "data": {String};
        /// Values by key, as plain text; stored in `data`.
        "stringData": {String};
        /// Type of the Secret, by default `Opaque`; immutable.
        "type": String;
    }
}
