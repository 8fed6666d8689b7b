//! Configurations of provider-azure, in the API group `azure.provider.extensions.gardener.cloud`.

mod backup;
mod cloud_profile;
mod control_plane;
mod infrastructure;
mod worker;

use super::{Configuration, ConfigurationPlace, Extension, ExtensionVersion, Header};

use backup::BackupBucketConfig;
use cloud_profile::CloudProfileConfig;
use control_plane::ControlPlaneConfig;
use infrastructure::InfrastructureConfig;
use worker::WorkerConfig;

const GROUP: &str = "azure.provider.extensions.gardener.cloud";
const VERSIONS: &[&str] = &["v1alpha1"];
const CLASS: &str = "azure";

/// provider-azure, for Microsoft Azure.
pub static EXTENSION: Extension = Extension {
    name: "azure",
    resource: ("Infrastructure", CLASS),
    admission: Some("admission-azure"),
    webhooks: "gardener-extension-admission-azure",
    versions: [ExtensionVersion::new(1, 44), ExtensionVersion::new(1, 63)],
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
            header: Header::Required,
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
        Configuration {
            kind: "BackupBucketConfig",
            group: GROUP,
            versions: VERSIONS,
            object: &BackupBucketConfig,
            place: ConfigurationPlace::Backup,
            class: CLASS,
            header: Header::ApiVersion,
            is_strict: true,
        },
    ],
};
