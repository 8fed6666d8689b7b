//! `spec.networking`.

use crate::fields::object;

object! {
    Networking {
        ipFamilies: [String];
        nodes: String;
        pods: String;
        providerConfig: Any;
        services: String;
        type: String;
    }
}
