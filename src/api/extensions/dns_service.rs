//! The configuration of shoot-dns-service, in the API group `service.dns.extensions.gardener.cloud`.

use super::{
    Configuration, ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion, Header,
};
use crate::api::Constraint::{Enum, Filled, Since, ValueSince};
use crate::api::object;

const API: ConfigurationApi = ConfigurationApi {
    group: "service.dns.extensions.gardener.cloud",
    versions: &["v1alpha1"],
    class: "shoot-dns-service",
};

/// shoot-dns-service, which manages DNS records of Shoots.
pub static EXTENSION: Extension = Extension {
    name: "dns-service",
    resource: ("Extension", "shoot-dns-service"),
    admission: Some("admission-shoot-dns-service"),
    webhooks: "gardener-extension-admission-shoot-dns-service",
    versions: [ExtensionVersion::new(1, 49), ExtensionVersion::new(1, 91)],
    configurations: &[Configuration {
        // The webhooks ignore unknown fields. The controller fails on them, unless the mutating webhook has dropped them.
        header: Header::ApiVersion,
        is_strict: false,
        ..API.configuration(&DNSConfig, ConfigurationPlace::Extension)
    }],
};

object! {
    /// DNS providers of a Shoot.
    DNSConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Replication of DNSProvider objects from the Shoot to the control plane.
        "dnsProviderReplication": DNSProviderReplication;
        /// DNS providers of the Shoot.
        "providers": [DNSProvider];
        /// Overwrites `providers` by `spec.dns.providers`. The default without `providers` is true.
        "syncProvidersFromShootSpecDNS": Boolean;
        /// Uses the next-generation DNS controller.
        "useNextGenerationController": Boolean => [Since(76)];
    }
}

object! {
    /// Replication of DNSProvider objects.
    DNSProviderReplication {
        /// Enables the replication.
        "enabled": Boolean;
    }
}

object! {
    /// DNS provider. Either `credentials` or `secretName` must be set.
    DNSProvider {
        /// Domains that the provider is responsible for.
        "domains": DNSIncludeExclude;
        /// Name of a Secret in `spec.resources`; deprecated in favor of `credentials`.
        "secretName": String;
        /// Name of a Secret or WorkloadIdentity in `spec.resources`.
        "credentials": String => [Since(78)];
        /// Type of the provider.
        "type": String required => [
            Filled,
            Enum(&[
                "alicloud-dns",
                "aws-route53",
                "azure-dns",
                "azure-private-dns",
                "cloudflare-dns",
                "gdch-dns",
                "google-clouddns",
                "infoblox-dns",
                "netlify-dns",
                "openstack-designate",
                "powerdns",
                "remote",
                "rfc2136",
            ]),
            ValueSince(53, "powerdns"),
            ValueSince(68, "gdch-dns"),
        ];
        /// Hosted zones that the provider is responsible for.
        "zones": DNSIncludeExclude;
    }
}

object! {
    /// Included and excluded domains or zones.
    DNSIncludeExclude {
        /// Included domains or zones.
        "include": [String];
        /// Excluded domains or zones.
        "exclude": [String];
    }
}
