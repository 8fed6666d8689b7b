//! Configurations of provider-openstack, in the API group `openstack.provider.extensions.gardener.cloud`.

mod cloud_profile;
mod control_plane;
mod infrastructure;
mod worker;

use super::{Configuration, ConfigurationPlace, Extension, ExtensionVersion, Header};

use cloud_profile::CloudProfileConfig;
use control_plane::ControlPlaneConfig;
use infrastructure::InfrastructureConfig;
use worker::WorkerConfig;

const GROUP: &str = "openstack.provider.extensions.gardener.cloud";
const VERSIONS: &[&str] = &["v1alpha1"];
const CLASS: &str = "openstack";

/// provider-openstack, for OpenStack.
pub static EXTENSION: Extension = Extension {
    name: "openstack",
    resource: ("Infrastructure", CLASS),
    admission: Some("admission-openstack"),
    webhooks: "gardener-extension-admission-openstack",
    versions: [ExtensionVersion::new(1, 40), ExtensionVersion::new(1, 58)],
    configurations: &[
        Configuration {
            kind: "InfrastructureConfig",
            group: GROUP,
            versions: VERSIONS,
            object: &InfrastructureConfig,
            place: ConfigurationPlace::Infrastructure,
            class: CLASS,
            header: Header::Required,
            is_strict: true,
        },
        Configuration {
            kind: "ControlPlaneConfig",
            group: GROUP,
            versions: VERSIONS,
            object: &ControlPlaneConfig,
            place: ConfigurationPlace::ControlPlane,
            class: CLASS,
            header: Header::Required,
            is_strict: true,
        },
        Configuration {
            kind: "WorkerConfig",
            group: GROUP,
            versions: VERSIONS,
            object: &WorkerConfig,
            place: ConfigurationPlace::Worker,
            class: CLASS,
            header: Header::ApiVersion,
            is_strict: true,
        },
        Configuration {
            kind: "CloudProfileConfig",
            group: GROUP,
            versions: VERSIONS,
            object: &CloudProfileConfig,
            place: ConfigurationPlace::CloudProfile,
            class: CLASS,
            header: Header::Required,
            is_strict: true,
        },
    ],
};
