//! `spec.dns`: the domain of the cluster.

use serde::Serialize;

use crate::api::Constraint::{Format, RemovedFrom};
use crate::api::Format::DnsSubdomain;
use crate::api::object;
use crate::api::shared::references::CrossVersionObjectReference;

object! {
    /// The domain of a cluster.
    #[derive(PartialEq, Serialize)]
    Dns {
        /// The domain; made up by Gardener if it is left out, and immutable.
        "domain": String -> #[mutated] domain: Option<String> => [Format(DnsSubdomain)];
        /// Who serves the domain.
        "providers": [DNSProvider] -> #[mutated] providers: Vec<DNSProvider>;
    }
}

object! {
    /// Who serves domains of a cluster.
    #[derive(PartialEq, Serialize)]
    DNSProvider {
        /// Which service it is.
        "type": String -> kind: Option<String>;
        /// Whether it serves the domain of the cluster itself.
        "primary": Boolean -> #[mutated] primary: Option<bool>;
        /// Credentials for it.
        "credentialsRef": CrossVersionObjectReference -> credentials_ref: Option<CrossVersionObjectReference>;
        /// Name of the Secret with credentials for it; `credentialsRef` takes its place.
        "secretName": String -> secret_name: Option<String> => [RemovedFrom(35, "use `credentialsRef`")];
        /// Domains that it serves.
        "domains": DNSIncludeExclude;
        /// Zones that it serves.
        "zones": DNSIncludeExclude;
    }
}

object! {
    /// Which of several names count.
    DNSIncludeExclude {
        /// Names that count.
        "include": [String];
        /// Names that do not.
        "exclude": [String];
    }
}
