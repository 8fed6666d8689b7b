// SPDX-License-Identifier: Apache-2.0
//! Extensions and backups.

use crate::api::Constraint::{Filled, Format, Immutable};
use crate::api::Format::DnsLabel;
use crate::api::object;
use crate::api::shared::references::ObjectReference;

object! {
    /// Enabled extension.
    Extension {
        /// Type of the extension.
        "type": String required => [Filled, Format(DnsLabel)];
        /// Extension-specific configuration.
        "providerConfig": Any;
        /// Disables an extension that is enabled by default.
        "disabled": Boolean;
    }
}

object! {
    /// Backup of etcd.
    Backup {
        /// Infrastructure provider of the backup storage; immutable.
        "provider": String required -> provider: String => [Filled, Immutable];
        /// Region of the backup storage; immutable.
        "region": String => [Immutable];
        /// Credentials with write access to the backup storage.
        "credentialsRef": ObjectReference -> credentials_ref: ObjectReference => [Filled];
        /// Provider-specific configuration, read by the extension.
        "providerConfig": Any;
    }
}
