//! Extensions, and where backups go.

use crate::fields::object;
use crate::fields::shared::references::ObjectReference;

object! {
    Extension {
        disabled: Boolean;
        providerConfig: Any;
        type: String required;
    }
}

object! {
    Backup {
        credentialsRef: ObjectReference;
        provider: String required;
        providerConfig: Any;
        region: String;
    }
}
