use std::fmt;
use std::sync::Arc;

use serde::Deserialize;

use super::pool_use::{PoolSize, PoolUse};
use super::pools::Pools;
use super::profile_key::ProfileKey;
use crate::model::{
    Addons, CloudProfileReference, Confirmation, Dns, ObjectMeta, Shoot, Toleration, Volume,
    bounded, null_is_default,
};

/// The profile, versions and other references of a Shoot in the garden.
///
/// The model is compact, as a garden has many Shoots.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(from = "Raw")]
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
    /// The ExposureClass of its API server; few Shoots have one.
    pub exposure_class: Option<Arc<str>>,
    /// The taints of seeds that it tolerates.
    pub tolerations: Box<[Toleration]>,
    /// The confirmation of its deletion; few Shoots have one.
    pub confirmation: Option<Box<Confirmation>>,
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
            Some(BindingKey {
                kind,
                namespace: self.name.namespace.clone(),
                name: name.clone()?,
            })
        })
    }
}

#[derive(Deserialize)]
struct Raw {
    #[serde(default, deserialize_with = "null_is_default")]
    metadata: ObjectMeta,
    #[serde(default, deserialize_with = "null_is_default")]
    spec: RawSpec,
    #[serde(default, deserialize_with = "null_is_default")]
    status: RawStatus,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawStatus {
    seed_name: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawSpec {
    cloud_profile: Option<CloudProfileReference>,
    #[serde(default, deserialize_with = "null_is_default")]
    cloud_profile_name: String,
    #[serde(default, deserialize_with = "null_is_default")]
    kubernetes: RawKubernetes,
    #[serde(default, deserialize_with = "null_is_default")]
    provider: RawProvider,
    seed_name: Option<String>,
    secret_binding_name: Option<String>,
    credentials_binding_name: Option<String>,
    #[serde(default, deserialize_with = "null_is_default")]
    dns: Dns,
    #[serde(default, deserialize_with = "null_is_default")]
    addons: Addons,
    exposure_class_name: Option<String>,
    #[serde(default, deserialize_with = "bounded::list")]
    tolerations: Vec<Toleration>,
}

#[derive(Default, Deserialize)]
struct RawKubernetes {
    version: Option<String>,
}

#[derive(Default, Deserialize)]
struct RawProvider {
    #[serde(default, deserialize_with = "null_is_default")]
    workers: Vec<RawWorker>,
}

#[derive(Deserialize)]
struct RawWorker {
    #[serde(default, deserialize_with = "null_is_default")]
    name: String,
    #[serde(default, deserialize_with = "null_is_default")]
    kubernetes: RawKubernetes,
    #[serde(default, deserialize_with = "null_is_default")]
    machine: RawMachine,
    #[serde(default, deserialize_with = "null_is_default")]
    minimum: i32,
    #[serde(default, deserialize_with = "null_is_default")]
    maximum: i32,
    volume: Option<Volume>,
}

#[derive(Default, Deserialize)]
struct RawMachine {
    #[serde(default, rename = "type", deserialize_with = "null_is_default")]
    machine_type: String,
    image: Option<RawImage>,
}

#[derive(Deserialize)]
struct RawImage {
    #[serde(default, deserialize_with = "null_is_default")]
    name: String,
    version: Option<String>,
}

impl From<Raw> for ShootUse {
    fn from(raw: Raw) -> Self {
        let Raw {
            metadata,
            spec,
            status,
        } = raw;
        let reference = spec.cloud_profile.as_ref();
        let profile =
            ProfileKey::effective(reference, &spec.cloud_profile_name, &metadata.namespace);
        let confirmation = Confirmation::of(&metadata).map(Box::new);
        Self {
            name: ShootName {
                namespace: metadata.namespace.into(),
                name: metadata.name.into(),
            },
            profile,
            kubernetes: spec.kubernetes.version.unwrap_or_default().into(),
            pools: spec.provider.workers.into_iter().map(pool).collect(),
            deleting: metadata.deletion_timestamp.is_some(),
            seed_name: spec.seed_name.map(Into::into),
            status_seed_name: status.seed_name.map(Into::into),
            domain: spec.dns.domain.map(Into::into),
            secret_binding: spec.secret_binding_name.map(Into::into),
            credentials_binding: spec.credentials_binding_name.map(Into::into),
            has_ingress: spec.addons.nginx_ingress.enabled,
            exposure_class: spec.exposure_class_name.map(Into::into),
            tolerations: spec.tolerations.into(),
            confirmation,
        }
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
            exposure_class: text(&spec.exposure_class_name),
            tolerations: spec.tolerations.as_slice().into(),
            confirmation: Confirmation::of(metadata).map(Box::new),
        }
    }
}

fn pool(worker: RawWorker) -> PoolUse {
    let size = PoolSize::new(&worker.machine.machine_type, worker.volume.as_ref());
    let image = worker
        .machine
        .image
        .and_then(|image| Some((image.name.into(), image.version?.into())));
    PoolUse {
        name: worker.name.into(),
        kubernetes: worker.kubernetes.version.map(Into::into),
        image,
        minimum: worker.minimum,
        maximum: worker.maximum,
        size,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{ProfileKey, ShootUse};
    use crate::model::Shoot;

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

    #[rstest]
    #[case::nothing(json!({}))]
    #[case::reference(json!({"spec": {"cloudProfile": {"kind": "NamespacedCloudProfile", "name": "a"}}}))]
    #[case::everything(json!({
        "metadata": {
            "name": "s", "namespace": "ns", "deletionTimestamp": "2026-01-01T00:00:00Z", "labels": {"a": "b"},
            "annotations": {"confirmation.gardener.cloud/deletion": "true", "deletion.gardener.cloud/confirmed-by": "me"},
        },
        "spec": {
            "cloudProfileName": "p", "seedName": "eu", "secretBindingName": "a", "credentialsBindingName": "b",
            "dns": {"domain": "s.example.com"},
            "exposureClassName": "e", "tolerations": [{"key": "k"}, {"key": "l", "value": "v"}],
            "addons": {"nginxIngress": {"enabled": true}},
            "kubernetes": {"version": "1.33.1"},
            "provider": {"workers": [
                {"name": "a", "minimum": 2, "kubernetes": {"version": "1.32.0"}, "machine": {"image": {"name": "i", "version": "1.0"}}},
                {"name": "b", "maximum": 3, "kubernetes": {}, "machine": {"type": "t", "image": {"name": "i"}}, "volume": {"type": "v", "size": "1Gi"}},
                {"name": "c"},
            ]},
        },
        "status": {"seedName": "us"},
    }))]
    fn all_of_a_shoot_says_the_same_as_what_is_kept_of_it(#[case] shoot: Value) {
        let whole: Shoot = serde_json::from_value(shoot.clone()).unwrap();
        let kept: ShootUse = serde_json::from_value(shoot).unwrap();
        assert_eq!(ShootUse::from(&whole), kept);
    }
}
