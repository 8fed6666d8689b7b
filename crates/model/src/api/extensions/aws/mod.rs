// SPDX-License-Identifier: Apache-2.0
//! The configurations of provider-aws. Source: `pkg/apis/aws/v1alpha1` of gardener-extension-provider-aws.

pub mod backup;
pub mod cloud_profile;
pub mod control_plane;
pub mod infrastructure;
pub mod worker;

use super::{ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion};

const API: ConfigurationApi = ConfigurationApi {
    group: "aws.provider.extensions.gardener.cloud",
    versions: &["v1alpha1"],
    class: "aws",
};

/// The extension provider-aws.
pub static EXTENSION: Extension = Extension {
    name: "aws",
    component: "github.com/gardener/gardener-extension-provider-aws",
    resource: ("Infrastructure", "aws"),
    admission: Some("admission-aws"),
    webhooks: "gardener-extension-admission-aws",
    versions: [ExtensionVersion::new(1, 55), ExtensionVersion::new(1, 74)],
    configurations: &[
        API.configuration(
            &infrastructure::InfrastructureConfig,
            ConfigurationPlace::Infrastructure,
        ),
        API.configuration(&control_plane::ControlPlaneConfig, ConfigurationPlace::ControlPlane),
        API.configuration(&worker::WorkerConfig, ConfigurationPlace::Worker),
        API.configuration(&cloud_profile::CloudProfileConfig, ConfigurationPlace::CloudProfile),
        API.configuration(&backup::BackupBucketConfig, ConfigurationPlace::Backup),
    ],
};
