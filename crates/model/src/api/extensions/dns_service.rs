// SPDX-License-Identifier: Apache-2.0
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
    component: "github.com/gardener/gardener-extension-shoot-dns-service",
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
    #[derive(PartialEq)]
    DNSConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Replication of DNSProvider objects from the Shoot to the control plane.
        "dnsProviderReplication": DNSProviderReplication -> replication: Option<DNSProviderReplication>;
        /// DNS providers of the Shoot.
        "providers": [DNSProvider] -> providers: Vec<DNSProvider>;
        /// Overwrites `providers` by `spec.dns.providers`. The default without `providers` is true.
        "syncProvidersFromShootSpecDNS": Boolean -> is_synchronized: Option<bool>;
        /// Uses the next-generation DNS controller.
        "useNextGenerationController": Boolean -> uses_next_generation: Option<bool> => [Since(76)];
    }
}

object! {
    /// Replication of DNSProvider objects.
    #[derive(PartialEq)]
    DNSProviderReplication {
        /// Enables the replication.
        "enabled": Boolean -> enabled: bool;
    }
}

object! {
    /// DNS provider. Either `credentials` or `secretName` must be set.
    #[derive(PartialEq)]
    DNSProvider {
        /// Domains that the provider is responsible for.
        "domains": DNSIncludeExclude -> domains: Option<DNSIncludeExclude>;
        /// Name of a Secret in `spec.resources`; deprecated in favor of `credentials`.
        "secretName": String -> secret_name: Option<String>;
        /// Name of a Secret or WorkloadIdentity in `spec.resources`.
        "credentials": String -> credentials: Option<String> => [Since(78)];
        /// Type of the provider.
        "type": String required -> kind: Option<String> => [
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
        "zones": DNSIncludeExclude -> zones: Option<DNSIncludeExclude>;
    }
}

object! {
    /// Included and excluded domains or zones.
    #[derive(PartialEq)]
    DNSIncludeExclude {
        /// Included domains or zones.
        "include": [String] -> include: Vec<String>;
        /// Excluded domains or zones.
        "exclude": [String] -> exclude: Vec<String>;
    }
}
