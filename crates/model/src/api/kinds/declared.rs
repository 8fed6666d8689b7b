// SPDX-License-Identifier: Apache-2.0
use std::sync::LazyLock;

use super::kind::Kind;
use crate::api::Object;
use crate::api::bindings::{CredentialsBinding, SecretBinding};
use crate::api::cloud_profile::CloudProfile;
use crate::api::custom_resources;
use crate::api::exposure_class::ExposureClass;
use crate::api::namespaced_cloud_profile::NamespacedCloudProfile;
use crate::api::operators::backup::{BackupBucket, BackupEntry};
use crate::api::operators::bastion::BastionHost;
use crate::api::operators::controllers::{ControllerInstallation, ControllerRegistration};
use crate::api::operators::deployments::{ControllerDeployment, LegacyControllerDeployment};
use crate::api::operators::gardenlet::Gardenlet;
use crate::api::operators::internal_secret::InternalSecret;
use crate::api::operators::managed_seeds::{ManagedSeed, ManagedSeedSet};
use crate::api::operators::shoot_state::ShootState;
use crate::api::operators::workload_identity::WorkloadIdentity;
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

/// The kinds with known fields. The first use reads CustomResourceDefinitions.
pub static KINDS: LazyLock<Vec<Described>> = LazyLock::new(|| {
    DECLARED.iter().copied().chain(custom_resources::declared().map(custom)).collect()
});

/// The kinds whose fields are declared here, rather than by CustomResourceDefinitions.
const DECLARED: &[Described] = &[
    core("Shoot", &Shoot),
    core("Project", &Project),
    core("CloudProfile", &CloudProfile),
    core("NamespacedCloudProfile", &NamespacedCloudProfile),
    core("Seed", &Seed),
    core("ExposureClass", &ExposureClass),
    core("SecretBinding", &SecretBinding),
    security("CredentialsBinding", &CredentialsBinding),
    core("Quota", &Quota),
    core("BackupBucket", &BackupBucket),
    core("BackupEntry", &BackupEntry),
    core("ControllerRegistration", &ControllerRegistration),
    Described { version: "v1", ..core("ControllerDeployment", &ControllerDeployment) },
    core("ControllerDeployment", &LegacyControllerDeployment),
    core("ControllerInstallation", &ControllerInstallation),
    core("InternalSecret", &InternalSecret),
    core("ShootState", &ShootState),
    security("WorkloadIdentity", &WorkloadIdentity),
    Described {
        kind: "Bastion",
        group: "operations.gardener.cloud",
        version: "v1alpha1",
        object: &BastionHost,
    },
    seed_management("ManagedSeed", &ManagedSeed),
    seed_management("ManagedSeedSet", &ManagedSeedSet),
    seed_management("Gardenlet", &Gardenlet),
];

fn custom((kind, object): (Kind, &'static Object)) -> Described {
    let (group, version) = kind.api();
    Described { kind: kind.as_str(), group, version, object }
}

const fn core(kind: &'static str, object: &'static Object) -> Described {
    Described { kind, group: "core.gardener.cloud", version: "v1beta1", object }
}

const fn security(kind: &'static str, object: &'static Object) -> Described {
    Described { kind, group: "security.gardener.cloud", version: "v1alpha1", object }
}

const fn seed_management(kind: &'static str, object: &'static Object) -> Described {
    Described { kind, group: "seedmanagement.gardener.cloud", version: "v1alpha1", object }
}

/// Returns the fields of a kind in its current version, by its name in manifests.
pub fn described(kind: &str) -> Option<&'static Described> {
    versions(kind).next()
}

/// Returns the fields of a kind in a version that is served; in the current one if the version is unknown.
pub fn described_in(kind: &str, version: &str) -> Option<&'static Described> {
    let mut versions = versions(kind);
    let exact = versions.clone().find(|described| described.version == version);
    exact.or_else(|| versions.next())
}

/// Returns the versions of a kind, beginning with the current one. CustomResourceDefinitions are only read for their kinds.
fn versions(kind: &str) -> impl Iterator<Item = &'static Described> + Clone {
    let kinds: &'static [Described] =
        if custom_resources::is_declared(kind) { &KINDS } else { DECLARED };
    kinds.iter().filter(move |described| described.kind == kind)
}
