//! Configurations of provider-alicloud, in the API group `alicloud.provider.extensions.gardener.cloud`.

mod backup;
mod cloud_profile;
mod control_plane;
mod infrastructure;

use super::{Configuration, ConfigurationPlace, Extension, ExtensionVersion, Header};

use backup::BackupBucketConfig;
use cloud_profile::CloudProfileConfig;
use control_plane::ControlPlaneConfig;
use infrastructure::InfrastructureConfig;

const GROUP: &str = "alicloud.provider.extensions.gardener.cloud";
const VERSIONS: &[&str] = &["v1alpha1"];
const CLASS: &str = "alicloud";

/// provider-alicloud, for Alibaba Cloud.
pub static EXTENSION: Extension = Extension {
    name: "alicloud",
    resource: ("Infrastructure", CLASS),
    admission: Some("admission-alicloud"),
    webhooks: "gardener-extension-admission-alicloud",
    versions: [ExtensionVersion::new(1, 52), ExtensionVersion::new(1, 72)],
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
            // The mutating webhook decodes it into the external type, and adds the header on CREATE.
            header: Header::Optional,
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
