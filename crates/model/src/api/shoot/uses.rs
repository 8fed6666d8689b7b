// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;

use super::pool_use::PoolUse;
use super::pools::Pools;
use super::profile_key::ProfileKey;
use super::seed_base::SeedBase;
use crate::api::{Confirmation, Shoot, Toleration};

/// The profile, versions and other references of a Shoot in the garden.
///
/// The model is compact, as a garden has many Shoots.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(from = "Shoot")]
pub struct ShootUse {
    /// The Shoot.
    pub name: ShootName,
    /// Its profile; `None` without a profile of a known kind.
    pub profile: Option<ProfileKey>,
    /// The Kubernetes version of the control plane.
    pub kubernetes: Arc<str>,
    /// The worker pools.
    pub pools: Pools,
    /// Whether the Shoot is being deleted.
    pub deleting: bool,
    /// The seed that hosts it.
    pub seed_name: Option<Arc<str>>,
    /// The seed that currently hosts it; differs during a migration of the control plane.
    pub status_seed_name: Option<Arc<str>>,
    /// Its domain, whether it was set or generated.
    pub domain: Option<Arc<str>>,
    /// The SecretBinding with its credentials.
    pub secret_binding: Option<Arc<str>>,
    /// The CredentialsBinding with its credentials.
    pub credentials_binding: Option<Arc<str>>,
    /// Whether it has the ingress controller, which needs a load balancer.
    pub has_ingress: bool,
    /// Whether users can get SSH access to its nodes.
    pub has_ssh_access: bool,
    /// The ExposureClass of its API server; few Shoots have one.
    pub exposure_class: Option<Arc<str>>,
    /// The taints of seeds that it tolerates.
    pub tolerations: Box<[Toleration]>,
    /// The confirmation of its deletion; few Shoots have one.
    pub confirmation: Option<Box<Confirmation>>,
    /// The parts for a Seed in it; only Shoots of the garden namespace have them.
    pub seed_base: Option<Box<SeedBase>>,
}

/// Namespace and name of a Shoot.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct ShootName {
    /// The namespace.
    pub namespace: Arc<str>,
    /// The name.
    pub name: Arc<str>,
}

impl fmt::Display for ShootName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

/// The identity of a binding with the credentials of Shoots.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct BindingKey {
    /// The kind.
    pub kind: BindingKind,
    /// The namespace, which is that of the Shoots.
    pub namespace: Arc<str>,
    /// The name.
    pub name: Arc<str>,
}

/// The kinds of bindings.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum BindingKind {
    /// SecretBinding.
    Secret,
    /// CredentialsBinding.
    Credentials,
}

impl ShootUse {
    /// Returns the bindings that the Shoot names; a valid Shoot has at most one.
    pub fn bindings(&self) -> impl Iterator<Item = BindingKey> {
        let bindings = [
            (BindingKind::Secret, &self.secret_binding),
            (BindingKind::Credentials, &self.credentials_binding),
        ];
        bindings.into_iter().filter_map(|(kind, name)| {
            Some(BindingKey { kind, namespace: self.name.namespace.clone(), name: name.clone()? })
        })
    }
}

impl From<Shoot> for ShootUse {
    fn from(shoot: Shoot) -> Self {
        Self::from(&shoot)
    }
}

/// Converts a whole Shoot; empty fields of an image count as absent.
impl From<&Shoot> for ShootUse {
    fn from(shoot: &Shoot) -> Self {
        let (metadata, spec) = (&shoot.metadata, &shoot.spec);
        let text = |text: &Option<String>| text.as_deref().map(Arc::from);
        Self {
            name: ShootName {
                namespace: metadata.namespace.as_str().into(),
                name: metadata.name.as_str().into(),
            },
            profile: shoot.profile(&metadata.namespace),
            kubernetes: spec.kubernetes.version.as_str().into(),
            pools: spec.provider.workers.iter().map(PoolUse::from).collect(),
            deleting: metadata.deletion_timestamp.is_some(),
            seed_name: text(&spec.seed_name),
            status_seed_name: text(&shoot.status.seed_name),
            domain: shoot.domain().map(Arc::from),
            secret_binding: text(&spec.secret_binding_name),
            credentials_binding: text(&spec.credentials_binding_name),
            has_ingress: shoot.has_ingress(),
            has_ssh_access: !shoot.is_workerless()
                && spec.provider.workers_settings.ssh_access.enabled != Some(false),
            exposure_class: text(&spec.exposure_class_name),
            tolerations: spec.tolerations.as_slice().into(),
            confirmation: Confirmation::of(metadata).map(Box::new),
            seed_base: SeedBase::of(shoot).map(Box::new),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{ProfileKey, ShootUse};

    #[rstest]
    #[case::old_name(json!({"cloudProfileName": "a"}), Some(ProfileKey::cluster("a")))]
    #[case::reference_without_kind(json!({"cloudProfile": {"name": "a"}}), Some(ProfileKey::cluster("a")))]
    #[case::reference_wins(json!({"cloudProfileName": "a", "cloudProfile": {"name": "b"}}), Some(ProfileKey::cluster("b")))]
    #[case::namespaced(json!({"cloudProfile": {"kind": "NamespacedCloudProfile", "name": "a"}}), Some(ProfileKey::namespaced("ns", "a")))]
    #[case::unknown_kind(json!({"cloudProfile": {"kind": "Other", "name": "a"}}), None)]
    #[case::none(json!({"cloudProfileName": ""}), None)]
    fn profile(#[case] spec: Value, #[case] expected: Option<ProfileKey>) {
        let shoot = json!({"metadata": {"name": "s", "namespace": "ns"}, "spec": spec});
        let shoot: ShootUse = serde_json::from_value(shoot).unwrap();
        assert_eq!(shoot.profile, expected);
    }
}
