// SPDX-License-Identifier: Apache-2.0
//! Configurations of provider-gcp, in the API group `gcp.provider.extensions.gardener.cloud`.

pub mod backup;
pub mod cloud_profile;
pub mod control_plane;
pub mod infrastructure;
pub mod worker;

use super::{ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion};

use backup::BackupBucketConfig;
use cloud_profile::CloudProfileConfig;
use control_plane::ControlPlaneConfig;
use infrastructure::InfrastructureConfig;
use worker::WorkerConfig;

const API: ConfigurationApi = ConfigurationApi {
    group: "gcp.provider.extensions.gardener.cloud",
    versions: &["v1alpha1"],
    class: "gcp",
};

/// provider-gcp, for Google Cloud.
pub static EXTENSION: Extension = Extension {
    name: "gcp",
    component: "github.com/gardener/gardener-extension-provider-gcp",
    resource: ("Infrastructure", "gcp"),
    admission: Some("admission-gcp"),
    webhooks: "gardener-extension-admission-gcp",
    versions: [ExtensionVersion::new(1, 36), ExtensionVersion::new(1, 55)],
    configurations: &[
        API.configuration(&InfrastructureConfig, ConfigurationPlace::Infrastructure),
        API.configuration(&ControlPlaneConfig, ConfigurationPlace::ControlPlane),
        API.configuration(&WorkerConfig, ConfigurationPlace::Worker),
        API.configuration(&CloudProfileConfig, ConfigurationPlace::CloudProfile),
        API.configuration(&BackupBucketConfig, ConfigurationPlace::Backup),
    ],
};
