//! Extensions, and where backups go.

use crate::api::Constraint::{Filled, Format, Immutable};
use crate::api::Format::DnsLabel;
use crate::api::object;
use crate::api::shared::references::ObjectReference;

object! {
    /// An extension that is switched on.
    Extension {
        /// Which one.
        "type": String required => [Filled, Format(DnsLabel)];
        /// What the extension reads.
        "providerConfig": Any;
        /// Whether it is switched off although it would be on by default.
        "disabled": Boolean;
    }
}

object! {
    /// Where backups of etcd go.
    Backup {
        /// The infrastructure that keeps them; immutable.
        "provider": String required -> provider: String => [Filled, Immutable];
        /// The region that keeps them; immutable.
        "region": String => [Immutable];
        /// Credentials to write them with.
        "credentialsRef": ObjectReference -> credentials_ref: ObjectReference => [Filled];
        /// What the extension reads.
        "providerConfig": Any;
    }
}
