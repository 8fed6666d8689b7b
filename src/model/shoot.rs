use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{
    ObjectMeta, SeedSelector, ShootHibernation, ShootKubernetes, ShootStatus, Toleration,
    is_default, null_is_default,
};

/// A Shoot: a Kubernetes cluster that Gardener manages.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Shoot {
    /// Name, namespace and annotations.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// What the Shoot's owner asked for.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: ShootSpec,
    /// What Gardener reports.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub status: ShootStatus,
}

/// The desired state of a [`Shoot`].
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootSpec {
    /// Which seed taints the Shoot tolerates.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub tolerations: Vec<Toleration>,
    /// Which seeds may host the Shoot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed_selector: Option<SeedSelector>,
    /// The ExposureClass whose constraints are merged into the Shoot when it is created.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exposure_class_name: Option<String>,
    /// Infrastructure and worker pools.
    #[serde(default, deserialize_with = "null_is_default")]
    pub provider: ShootProvider,
    /// Deprecated add-ons.
    #[serde(skip_serializing)]
    pub addons: Option<Box<RawValue>>,
    /// Deprecated name of the CloudProfile.
    #[serde(skip_serializing)]
    pub cloud_profile_name: Option<String>,
    /// Settings of the control plane.
    #[serde(skip_serializing)]
    pub control_plane: Option<ControlPlane>,
    /// The credentials for the infrastructure.
    #[serde(skip_serializing)]
    pub credentials_binding_name: Option<String>,
    /// The domain of the cluster.
    #[serde(skip_serializing)]
    pub dns: Option<Dns>,
    /// Whether and when the cluster sleeps.
    #[serde(skip_serializing)]
    pub hibernation: Option<ShootHibernation>,
    /// The Kubernetes version and the settings of its components.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub kubernetes: ShootKubernetes,
    /// When and how the cluster is maintained.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub maintenance: ShootMaintenance,
    /// The network; absent in clusters without workers.
    #[serde(skip_serializing)]
    pub networking: Option<Networking>,
    /// What the cluster is for.
    #[serde(skip_serializing)]
    pub purpose: Option<String>,
    /// The region of the infrastructure.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub region: String,
    /// Who finds a seed for the cluster.
    #[serde(skip_serializing)]
    pub scheduler_name: Option<String>,
    /// Deprecated predecessor of `credentialsBindingName`.
    #[serde(skip_serializing)]
    pub secret_binding_name: Option<String>,
    /// The seed that hosts the control plane.
    #[serde(skip_serializing)]
    pub seed_name: Option<String>,
}

/// Infrastructure and worker pools of a [`Shoot`].
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootProvider {
    /// The type of the infrastructure.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        rename = "type",
        skip_serializing
    )]
    pub kind: String,
    /// The worker pools.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub workers: Vec<Worker>,
    /// What holds for all pools.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub workers_settings: WorkersSettings,
}

/// What holds for all worker pools.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkersSettings {
    /// Whether one can log in to nodes.
    #[serde(default, deserialize_with = "null_is_default")]
    pub ssh_access: SshAccess,
}

/// Whether one can log in to nodes.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SshAccess {
    /// Absent means yes.
    pub enabled: Option<bool>,
}

/// A worker pool.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Worker {
    /// The name of the pool.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// Present on the pool that hosts the control plane of a self-hosted Shoot.
    pub control_plane: Option<Box<RawValue>>,
    /// How nodes are updated; absent means by replacing them.
    pub update_strategy: Option<String>,
    /// Taints of the nodes.
    #[serde(default, deserialize_with = "null_is_default")]
    pub taints: Vec<NodeTaint>,
}

/// A taint of a node.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct NodeTaint {
    /// The key.
    #[serde(default, deserialize_with = "null_is_default")]
    pub key: String,
}

/// Settings of the control plane of a [`Shoot`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ControlPlane {
    /// How many failures it survives.
    pub high_availability: Option<HighAvailability>,
    /// The zones of the seed that it runs in.
    #[serde(default, deserialize_with = "null_is_default")]
    pub zones: Vec<String>,
}

/// How many failures a control plane survives.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HighAvailability {
    /// What may fail.
    #[serde(default, deserialize_with = "null_is_default")]
    pub failure_tolerance: FailureTolerance,
}

/// What may fail under a control plane.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct FailureTolerance {
    /// `node` or `zone`.
    #[serde(default, deserialize_with = "null_is_default", rename = "type")]
    pub kind: String,
}

/// The domain of a [`Shoot`] and who manages it.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Dns {
    /// The domain.
    pub domain: Option<String>,
    /// Who manages it.
    #[serde(default, deserialize_with = "null_is_default")]
    pub providers: Vec<DnsProvider>,
}

/// Who manages a domain.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DnsProvider {
    /// Deprecated name of a Secret.
    pub secret_name: Option<String>,
    /// What holds the credentials.
    pub credentials_ref: Option<CredentialsRef>,
}

/// An object that holds credentials.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CredentialsRef {
    /// The API version of the object.
    #[serde(default, deserialize_with = "null_is_default")]
    pub api_version: String,
    /// The kind of the object.
    #[serde(default, deserialize_with = "null_is_default")]
    pub kind: String,
}

/// When and how a [`Shoot`] is maintained.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootMaintenance {
    /// Whether changes of the spec take effect in the maintenance window only.
    #[serde(default, deserialize_with = "null_is_default")]
    pub confine_spec_update_rollout: bool,
}

/// The network of a [`Shoot`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Networking {
    /// The type of the network.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The range of the pods.
    pub pods: Option<String>,
    /// The range of the services.
    pub services: Option<String>,
}

impl Shoot {
    /// Whether the Shoot is wanted asleep.
    #[must_use]
    pub fn wants_hibernation(&self) -> bool {
        let hibernation = self.spec.hibernation.as_ref();
        hibernation.and_then(|hibernation| hibernation.enabled) == Some(true)
    }

    /// Whether the Shoot is wanted asleep, sleeps, falls asleep or wakes up.
    #[must_use]
    pub fn is_in_hibernation(&self) -> bool {
        self.wants_hibernation() || self.status.is_hibernated
    }

    /// Whether a worker pool hosts the control plane.
    #[must_use]
    pub fn is_self_hosted(&self) -> bool {
        let mut workers = self.spec.provider.workers.iter();
        workers.any(|worker| worker.control_plane.is_some())
    }

    /// Whether one can log in to nodes.
    #[must_use]
    pub fn has_ssh_access(&self) -> bool {
        let provider = &self.spec.provider;
        !provider.workers.is_empty() && provider.workers_settings.ssh_access.enabled != Some(false)
    }

    /// The value of an annotation.
    #[must_use]
    pub fn annotation(&self, key: &str) -> Option<&str> {
        self.metadata.annotations.get(key).map(String::as_str)
    }
}

impl Worker {
    /// Whether nodes are updated without being replaced.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        matches!(
            self.update_strategy.as_deref(),
            Some("AutoInPlaceUpdate" | "ManualInPlaceUpdate")
        )
    }
}
