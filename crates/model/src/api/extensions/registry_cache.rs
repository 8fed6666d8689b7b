// SPDX-License-Identifier: Apache-2.0
//! The configuration of registry-cache. Source: `pkg/apis/registry/v1alpha3/types.go`.

use super::{
    Configuration, ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion, Header,
};
use crate::api::Constraint::Since;
use crate::api::object;
use crate::api::scalar::DurationText;
use garden_gate_text::go::Quantity;

const API: ConfigurationApi = ConfigurationApi {
    group: "registry.extensions.gardener.cloud",
    versions: &["v1alpha3"],
    class: "registry-cache",
};

/// The extension registry-cache.
pub static EXTENSION: Extension = Extension {
    name: "registry-cache",
    component: "github.com/gardener/gardener-extension-registry-cache",
    resource: ("Extension", "registry-cache"),
    admission: Some("registry-cache-admission"),
    webhooks: "gardener-extension-registry-cache-admission",
    versions: [ExtensionVersion::new(0, 9), ExtensionVersion::new(0, 25)],
    configurations: &[Configuration {
        header: Header::ApiVersion,
        ..API.configuration(&RegistryConfig, ConfigurationPlace::Extension)
    }],
};

object! {
    /// Configuration of the extension registry-cache.
    RegistryConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Caches, one for each registry.
        "caches": [RegistryCache] required -> caches: Vec<RegistryCache>;
    }
}

object! {
    /// Cache of a registry.
    RegistryCache {
        /// Host of the registry, with an optional port.
        "upstream": String required -> upstream: String;
        /// URL of the registry; `https://` and the upstream if omitted.
        "remoteURL": String -> remote_url: Option<String>;
        /// Volume of the cache.
        "volume": Volume -> volume: Volume;
        /// Garbage collection of the cache.
        "garbageCollection": GarbageCollection -> garbage_collection: Option<GarbageCollection>;
        /// Name in `spec.resources` of the Secret with credentials for the registry.
        "secretReferenceName": String -> secret_reference_name: Option<String>;
        /// Proxy between the cache and the registry.
        "proxy": Proxy -> proxy: Option<Proxy> => [Since(13)];
        /// HTTP server of the cache.
        "http": HTTP -> http: Option<HTTP> => [Since(14)];
        /// Availability of the cache.
        "highAvailability": HighAvailability -> high_availability: Option<HighAvailability> => [Since(16)];
        /// End of the name of the Service; derived from the upstream if omitted.
        "serviceNameSuffix": String -> service_name_suffix: Option<String> => [Since(18)];
    }
}

object! {
    /// Volume of a cache.
    Volume {
        /// Size; `10Gi` if omitted. It cannot be changed.
        "size": Quantity -> size: Option<Quantity>;
        /// Name of the StorageClass. It cannot be changed.
        "storageClassName": String -> storage_class_name: Option<String>;
    }
}

object! {
    /// Garbage collection of a cache.
    GarbageCollection {
        /// Time that content stays in the cache; 0 turns garbage collection off for good.
        "ttl": Duration required -> ttl: Option<DurationText>;
    }
}

object! {
    /// Proxy between a cache and its registry.
    #[derive(PartialEq)]
    Proxy {
        /// URL of the proxy for HTTP.
        "httpProxy": String -> http_proxy: Option<String>;
        /// URL of the proxy for HTTPS.
        "httpsProxy": String -> https_proxy: Option<String>;
    }
}

object! {
    /// HTTP server of a cache.
    HTTP {
        /// Enables TLS.
        "tls": Boolean required -> tls: bool;
    }
}

object! {
    /// Availability of a cache.
    HighAvailability {
        /// Enables high availability.
        "enabled": Boolean -> enabled: bool;
    }
}
