// SPDX-License-Identifier: Apache-2.0
//! Configurations of provider-openstack, in the API group `openstack.provider.extensions.gardener.cloud`.

pub mod cloud_profile;
pub mod control_plane;
pub mod infrastructure;
pub mod worker;

use super::{
    Configuration, ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion, Header,
};

use cloud_profile::CloudProfileConfig;
use control_plane::ControlPlaneConfig;
use infrastructure::InfrastructureConfig;
use worker::WorkerConfig;

const API: ConfigurationApi = ConfigurationApi {
    group: "openstack.provider.extensions.gardener.cloud",
    versions: &["v1alpha1"],
    class: "openstack",
};

/// provider-openstack, for OpenStack.
pub static EXTENSION: Extension = Extension {
    name: "openstack",
    component: "github.com/gardener/gardener-extension-provider-openstack",
    resource: ("Infrastructure", "openstack"),
    admission: Some("admission-openstack"),
    webhooks: "gardener-extension-admission-openstack",
    versions: [ExtensionVersion::new(1, 40), ExtensionVersion::new(1, 58)],
    configurations: &[
        API.configuration(&InfrastructureConfig, ConfigurationPlace::Infrastructure),
        API.configuration(&ControlPlaneConfig, ConfigurationPlace::ControlPlane),
        Configuration {
            header: Header::ApiVersion,
            ..API.configuration(&WorkerConfig, ConfigurationPlace::Worker)
        },
        API.configuration(&CloudProfileConfig, ConfigurationPlace::CloudProfile),
    ],
};
