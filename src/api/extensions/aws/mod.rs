//! The configurations of provider-aws. Source: `pkg/apis/aws/v1alpha1` of gardener-extension-provider-aws.

pub mod backup;
pub mod cloud_profile;
pub mod control_plane;
pub mod infrastructure;
pub mod worker;

use super::{Configuration, ConfigurationPlace, Extension, ExtensionVersion, Header};
use crate::api::Object;

/// The extension provider-aws.
pub static EXTENSION: Extension = Extension {
    name: "aws",
    resource: ("Infrastructure", "aws"),
    admission: Some("admission-aws"),
    webhooks: "gardener-extension-admission-aws",
    versions: [ExtensionVersion::new(1, 55), ExtensionVersion::new(1, 74)],
    configurations: &[
        configuration(
            "InfrastructureConfig",
            &infrastructure::InfrastructureConfig,
            ConfigurationPlace::Infrastructure,
        ),
        configuration(
            "ControlPlaneConfig",
            &control_plane::ControlPlaneConfig,
            ConfigurationPlace::ControlPlane,
        ),
        configuration(
            "WorkerConfig",
            &worker::WorkerConfig,
            ConfigurationPlace::Worker,
        ),
        configuration(
            "CloudProfileConfig",
            &cloud_profile::CloudProfileConfig,
            ConfigurationPlace::CloudProfile,
        ),
        configuration(
            "BackupBucketConfig",
            &backup::BackupBucketConfig,
            ConfigurationPlace::Backup,
        ),
    ],
};

const fn configuration(
    kind: &'static str,
    object: &'static Object,
    place: ConfigurationPlace,
) -> Configuration {
    Configuration {
        kind,
        group: "aws.provider.extensions.gardener.cloud",
        versions: &["v1alpha1"],
        object,
        place,
        class: "aws",
        header: Header::Required,
        is_strict: true,
    }
}
