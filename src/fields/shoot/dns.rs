//! `spec.dns`: the domain of the cluster.

use crate::fields::object;
use crate::fields::shared::references::CrossVersionObjectReference;

object! {
    Dns {
        domain: String;
        providers: [DNSProvider];
    }
}

object! {
    DNSProvider {
        credentialsRef: CrossVersionObjectReference;
        domains: DNSIncludeExclude;
        primary: Boolean;
        secretName: String;
        type: String;
        zones: DNSIncludeExclude;
    }
}

object! {
    DNSIncludeExclude {
        exclude: [String];
        include: [String];
    }
}
