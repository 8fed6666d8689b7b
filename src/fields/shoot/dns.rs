//! `spec.dns`: the domain of the cluster.

use crate::fields::Constraint::{Format, RemovedFrom};
use crate::fields::Format::DnsSubdomain;
use crate::fields::object;
use crate::fields::shared::references::CrossVersionObjectReference;

object! {
    /// The domain of a cluster.
    Dns {
        /// The domain; made up by Gardener if it is left out, and immutable.
        domain: String => [Format(DnsSubdomain)];
        /// Who serves the domain.
        providers: [DNSProvider];
    }
}

object! {
    /// Who serves domains of a cluster.
    DNSProvider {
        /// Which service it is.
        type: String;
        /// Whether it serves the domain of the cluster itself.
        primary: Boolean;
        /// Credentials for it.
        credentialsRef: CrossVersionObjectReference;
        /// Name of the Secret with credentials for it; `credentialsRef` takes its place.
        secretName: String => [RemovedFrom(35, "use `credentialsRef`")];
        /// Domains that it serves.
        domains: DNSIncludeExclude;
        /// Zones that it serves.
        zones: DNSIncludeExclude;
    }
}

object! {
    /// Which of several names count.
    DNSIncludeExclude {
        /// Names that count.
        include: [String];
        /// Names that do not.
        exclude: [String];
    }
}
