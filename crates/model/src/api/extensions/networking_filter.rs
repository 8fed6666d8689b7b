// SPDX-License-Identifier: Apache-2.0
//! The configuration of shoot-networking-filter. Source: `pkg/apis/config/v1alpha1/types.go`.

use std::fmt;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{
    Configuration, ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion, Header,
};
use crate::api::Constraint::Since;
use crate::api::object;
use crate::api::scalar::{DurationText, Opaque};

const API: ConfigurationApi = ConfigurationApi {
    group: "shoot-networking-filter.extensions.config.gardener.cloud",
    versions: &["v1alpha1"],
    class: "shoot-networking-filter",
};

/// The extension shoot-networking-filter.
pub static EXTENSION: Extension = Extension {
    name: "networking-filter",
    component: "github.com/gardener/gardener-extension-shoot-networking-filter",
    resource: ("Extension", "shoot-networking-filter"),
    admission: Some("admission-shoot-network-filter"),
    webhooks: "gardener-extension-admission-shoot-network-filter",
    versions: [ExtensionVersion::new(0, 24), ExtensionVersion::new(0, 30)],
    configurations: &[Configuration {
        kind: "Configuration",
        header: Header::Optional,
        ..API.configuration(&NetworkingFilterConfiguration, ConfigurationPlace::Extension)
    }],
};

object! {
    /// Configuration of the extension shoot-networking-filter.
    NetworkingFilterConfiguration {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Filter of outgoing traffic.
        "egressFilter": EgressFilter -> egress_filter: EgressFilter;
        /// Health checks; only in the configuration of the extension itself.
        "healthCheckConfig": HealthCheckConfig -> health_check_config: Option<Opaque>;
    }
}

object! {
    /// Filter of outgoing traffic.
    EgressFilter {
        /// Drops packets by routes instead of a firewall.
        "blackholingEnabled": Boolean required;
        /// Another method for some worker pools.
        "workers": Workers -> workers: Option<Workers>;
        /// Time between updates; only in the configuration of the extension itself.
        "sleepDuration": Duration -> sleep_duration: Option<DurationText>;
        /// Source of the list, `static` or `download`; only in the configuration of the extension itself.
        "filterListProviderType": String -> filter_list_provider_type: String;
        /// Entries of the list.
        "staticFilterList": [Filter] -> #[serde(deserialize_with = "serde::Deserialize::deserialize")] static_filter_list: FilterList;
        /// Download of the list; only in the configuration of the extension itself.
        "downloaderConfig": DownloaderConfig -> downloader_config: Option<Opaque>;
        /// Load balancers that are never blocked; only in the configuration of the extension itself.
        "ensureConnectivity": EnsureConnectivity -> ensure_connectivity: Option<Opaque>;
        /// Selection of entries by tags.
        "tagFilters": [TagFilter] => [Since(27)];
        /// Secret in `spec.resources` with further entries.
        "projectFilterListSource": FilterListSource -> project_filter_list_source: Option<FilterListSource> => [Since(27)];
        /// Secret in the cluster with further entries.
        "shootFilterListSource": FilterListSource -> shoot_filter_list_source: Option<FilterListSource> => [Since(28)];
    }
}

object! {
    /// Entry of the list.
    Filter {
        /// CIDR.
        "network": String required -> network: String;
        /// `BLOCK_ACCESS` or `ALLOW_ACCESS`.
        "policy": String required -> policy: String;
        /// Tags.
        "tags": [Tag] => [Since(27)];
    }
}

object! {
    /// Tag of an entry.
    Tag {
        /// Name.
        "name": String required;
        /// Values.
        "values": [String] required;
    }
}

object! {
    /// Selection of entries by a tag.
    TagFilter {
        /// Name of the tag.
        "name": String required;
        /// Values of the tag; one of them is enough.
        "values": [String] required;
        /// Policy of the selected entries, `BLOCK_ACCESS` or `ALLOW_ACCESS`; their own if omitted.
        "policy": String;
    }
}

object! {
    /// Secret with entries of the list.
    FilterListSource {
        /// Name of the Secret.
        "name": String required -> name: String;
        /// Key in the Secret.
        "key": String;
        /// Namespace of the Secret in the cluster.
        "namespace": String -> namespace: String => [Since(28)];
    }
}

object! {
    /// Method for some worker pools.
    Workers {
        /// Drops packets by routes instead of a firewall.
        "blackholingEnabled": Boolean required;
        /// Names of the worker pools.
        "names": [String] required -> names: Vec<String>;
    }
}

object! {
    /// Download of the list.
    DownloaderConfig {
        /// URL of the list.
        "endpoint": String required;
        /// URL for access tokens.
        "oauth2Endpoint": String;
        /// Time between downloads.
        "refreshPeriod": Duration;
    }
}

object! {
    /// Load balancers that are never blocked.
    EnsureConnectivity {
        /// Namespaces of the seed with such load balancers.
        "seedNamespaces": [String];
    }
}

object! {
    /// Health checks of the extension.
    HealthCheckConfig {
        /// Time between checks.
        "syncPeriod": Duration required;
        /// Client for clusters.
        "shootRESTOptions": RESTOptions;
    }
}

object! {
    /// Client of an API server.
    RESTOptions {
        /// Requests per second.
        "qps": Number;
        /// Requests at once.
        "burst": Integer64;
        /// Timeout in nanoseconds.
        "timeout": Integer64;
    }
}

/// The entries of the list, of which only the first are kept.
#[derive(Clone, Debug, Default)]
pub struct FilterList {
    /// The first entries, [`FilterList::MOST`] at most.
    pub first: Vec<Filter>,
    /// The number of all entries.
    pub count: usize,
}

impl FilterList {
    /// Maximum number of entries that are kept.
    pub const MOST: usize = 50_000;
}

impl<'de> Deserialize<'de> for FilterList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(FirstFilters)
    }
}

struct FirstFilters;

impl<'de> Visitor<'de> for FirstFilters {
    type Value = FilterList;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<FilterList, A::Error> {
        let mut all = FilterList::default();
        while all.first.len() < FilterList::MOST {
            let Some(filter) = list.next_element::<Option<Filter>>()? else {
                return Ok(all);
            };
            all.first.push(filter.unwrap_or_default());
            all.count += 1;
        }
        while list.next_element::<IgnoredAny>()?.is_some() {
            all.count += 1;
        }
        Ok(all)
    }
}
