use super::Object;
use super::bindings::{CredentialsBinding, SecretBinding};
use super::cloud_profile::CloudProfile;
use super::exposure_class::ExposureClass;
use super::namespaced_cloud_profile::NamespacedCloudProfile;
use super::project::Project;
use super::quota::Quota;
use super::seed::Seed;
use super::shoot::Shoot;

/// A kind whose fields are known.
#[derive(Clone, Copy, Debug)]
pub struct Described {
    /// Returns the name of the kind in manifests.
    pub kind: &'static str,
    /// The API group.
    pub group: &'static str,
    /// The API version.
    pub version: &'static str,
    /// Its fields.
    pub object: &'static Object,
}

/// The kinds with known fields.
pub const KINDS: &[Described] = &[
    core("Shoot", &Shoot),
    core("Project", &Project),
    core("CloudProfile", &CloudProfile),
    core("NamespacedCloudProfile", &NamespacedCloudProfile),
    core("Seed", &Seed),
    core("ExposureClass", &ExposureClass),
    core("SecretBinding", &SecretBinding),
    Described {
        kind: "CredentialsBinding",
        group: "security.gardener.cloud",
        version: "v1alpha1",
        object: &CredentialsBinding,
    },
    core("Quota", &Quota),
];

const fn core(kind: &'static str, object: &'static Object) -> Described {
    Described {
        kind,
        group: "core.gardener.cloud",
        version: "v1beta1",
        object,
    }
}

/// Returns the fields of a kind, by its name in manifests.
#[must_use]
pub fn described(kind: &str) -> Option<&'static Described> {
    KINDS.iter().find(|described| described.kind == kind)
}
