// SPDX-License-Identifier: Apache-2.0
//! The configuration of registry-mirror. Source: `pkg/apis/mirror/v1alpha1/types.go`.

use super::{
    Configuration, ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion, Header,
};
use crate::api::Constraint::Since;
use crate::api::object;

const API: ConfigurationApi = ConfigurationApi {
    group: "mirror.extensions.gardener.cloud",
    versions: &["v1alpha1"],
    class: "registry-mirror",
};

/// The extension registry-mirror, a part of registry-cache.
pub static EXTENSION: Extension = Extension {
    name: "registry-mirror",
    component: "github.com/gardener/gardener-extension-registry-cache",
    resource: ("Extension", "registry-mirror"),
    admission: Some("registry-cache-admission"),
    webhooks: "gardener-extension-registry-cache-admission",
    versions: [ExtensionVersion::new(0, 9), ExtensionVersion::new(0, 25)],
    configurations: &[Configuration {
        header: Header::ApiVersion,
        ..API.configuration(&MirrorConfig, ConfigurationPlace::Extension)
    }],
};

object! {
    /// Configuration of the extension registry-mirror.
    MirrorConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Mirrors, grouped by registry.
        "mirrors": [MirrorConfiguration] required -> mirrors: Vec<MirrorConfiguration>;
    }
}

object! {
    /// Mirrors of a registry.
    MirrorConfiguration {
        /// Host of the registry, with an optional port.
        "upstream": String required -> upstream: String;
        /// Mirrors, in the order in which they are tried.
        "hosts": [MirrorHost] required -> hosts: Vec<MirrorHost>;
    }
}

object! {
    /// Mirror of a registry.
    MirrorHost {
        /// URL of the mirror.
        "host": String required -> host: String;
        /// Operations that the mirror supports: `pull`, `resolve`; only `pull` if omitted.
        "capabilities": [String] -> capabilities: Vec<String>;
        /// Name in `spec.resources` of the Secret with the CA bundle of the mirror.
        "caBundleSecretReferenceName": String -> ca_bundle_secret_reference_name: Option<String> => [Since(21)];
        /// Whether the path of the URL replaces the path of the registry API.
        "overridePath": Boolean => [Since(22)];
    }
}
