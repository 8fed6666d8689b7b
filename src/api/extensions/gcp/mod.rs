//! Configurations of provider-gcp, in the API group `gcp.provider.extensions.gardener.cloud`.

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

const GROUP: &str = "gcp.provider.extensions.gardener.cloud";
const VERSIONS: &[&str] = &["v1alpha1"];
const CLASS: &str = "gcp";

/// provider-gcp, for Google Cloud.
pub static EXTENSION: Extension = Extension {
    name: "gcp",
    resource: ("Infrastructure", CLASS),
    admission: Some("admission-gcp"),
    webhooks: "gardener-extension-admission-gcp",
    versions: [ExtensionVersion::new(1, 36), ExtensionVersion::new(1, 55)],
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
            header: Header::Required,
            is_strict: true,
        },
    ],
};
