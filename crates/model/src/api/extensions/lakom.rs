// SPDX-License-Identifier: Apache-2.0
//! The configuration of shoot-lakom-service, in the API group `lakom.extensions.gardener.cloud`.

use super::{
    Configuration, ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion, Header,
};
use crate::api::Constraint::{Enum, Since};
use crate::api::object;

const API: ConfigurationApi = ConfigurationApi {
    group: "lakom.extensions.gardener.cloud",
    versions: &["v1alpha1"],
    class: "shoot-lakom-service",
};

/// The scopes of verification, in ascending order.
pub const SCOPES: &[&str] = &["KubeSystemManagedByGardener", "KubeSystem", "Cluster"];

/// shoot-lakom-service, which verifies signatures of images.
pub static EXTENSION: Extension = Extension {
    name: "lakom",
    component: "github.com/gardener/gardener-extension-shoot-lakom-service",
    resource: ("Extension", "shoot-lakom-service"),
    admission: Some("shoot-lakom-admission"),
    webhooks: "gardener-extension-shoot-lakom-admission",
    versions: [ExtensionVersion::new(0, 14), ExtensionVersion::new(0, 27)],
    configurations: &[Configuration {
        header: Header::ApiVersion,
        ..API.configuration(&LakomConfig, ConfigurationPlace::Extension)
    }],
};

object! {
    /// Verification of image signatures in a Shoot.
    LakomConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Pods whose images are verified: managed Pods of `kube-system`, all Pods of `kube-system`, or all Pods.
        "scope": String -> scope: Option<String> => [Enum(SCOPES)];
        /// Name of a Secret in `spec.resources` with additional public keys of cosign.
        "trustedKeysResourceName": String -> trusted_keys_resource_name: Option<String> => [Since(18)];
    }
}
