// SPDX-License-Identifier: Apache-2.0
//! Configurations of provider-azure, in the API group `azure.provider.extensions.gardener.cloud`.

pub mod backup;
pub mod cloud_profile;
pub mod control_plane;
pub mod infrastructure;
pub mod worker;

use super::{
    Configuration, ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion, Header,
};

use backup::BackupBucketConfig;
use cloud_profile::CloudProfileConfig;
use control_plane::ControlPlaneConfig;
use infrastructure::InfrastructureConfig;
use worker::WorkerConfig;

const API: ConfigurationApi = ConfigurationApi {
    group: "azure.provider.extensions.gardener.cloud",
    versions: &["v1alpha1"],
    class: "azure",
};

/// provider-azure, for Microsoft Azure.
pub static EXTENSION: Extension = Extension {
    name: "azure",
    component: "github.com/gardener/gardener-extension-provider-azure",
    resource: ("Infrastructure", "azure"),
    admission: Some("admission-azure"),
    webhooks: "gardener-extension-admission-azure",
    versions: [ExtensionVersion::new(1, 44), ExtensionVersion::new(1, 63)],
    configurations: &[
        API.configuration(&InfrastructureConfig, ConfigurationPlace::Infrastructure),
        API.configuration(&ControlPlaneConfig, ConfigurationPlace::ControlPlane),
        API.configuration(&WorkerConfig, ConfigurationPlace::Worker),
        API.configuration(&CloudProfileConfig, ConfigurationPlace::CloudProfile),
        Configuration {
            header: Header::ApiVersion,
            ..API.configuration(&BackupBucketConfig, ConfigurationPlace::Backup)
        },
    ],
};
