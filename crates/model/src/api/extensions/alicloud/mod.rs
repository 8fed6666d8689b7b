// SPDX-License-Identifier: Apache-2.0
//! Configurations of provider-alicloud, in the API group `alicloud.provider.extensions.gardener.cloud`.

pub mod backup;
pub mod cloud_profile;
pub mod control_plane;
pub mod infrastructure;

use super::{
    Configuration, ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion, Header,
};

use backup::BackupBucketConfig;
use cloud_profile::CloudProfileConfig;
use control_plane::ControlPlaneConfig;
use infrastructure::InfrastructureConfig;

const API: ConfigurationApi = ConfigurationApi {
    group: "alicloud.provider.extensions.gardener.cloud",
    versions: &["v1alpha1"],
    class: "alicloud",
};

/// provider-alicloud, for Alibaba Cloud.
pub static EXTENSION: Extension = Extension {
    name: "alicloud",
    component: "github.com/gardener/gardener-extension-provider-alicloud",
    resource: ("Infrastructure", "alicloud"),
    admission: Some("admission-alicloud"),
    webhooks: "gardener-extension-admission-alicloud",
    versions: [ExtensionVersion::new(1, 52), ExtensionVersion::new(1, 72)],
    configurations: &[
        API.configuration(&InfrastructureConfig, ConfigurationPlace::Infrastructure),
        Configuration {
            // The mutating webhook decodes it into the external type, and adds the header on CREATE.
            header: Header::Optional,
            ..API.configuration(&ControlPlaneConfig, ConfigurationPlace::ControlPlane)
        },
        API.configuration(&CloudProfileConfig, ConfigurationPlace::CloudProfile),
        API.configuration(&BackupBucketConfig, ConfigurationPlace::Backup),
    ],
};
