use crate::api::Object;
use crate::api::bindings::{CredentialsBinding, SecretBinding};
use crate::api::cloud_profile::CloudProfile;
use crate::api::exposure_class::ExposureClass;
use crate::api::namespaced_cloud_profile::NamespacedCloudProfile;
use crate::api::project::Project;
use crate::api::quota::Quota;
use crate::api::seed::Seed;
use crate::api::shoot::Shoot;

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
    Described { kind, group: "core.gardener.cloud", version: "v1beta1", object }
}

/// Returns the fields of a kind, by its name in manifests.
pub fn described(kind: &str) -> Option<&'static Described> {
    KINDS.iter().find(|described| described.kind == kind)
}
