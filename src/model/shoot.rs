use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::{
    Kubelet, ObjectMeta, ProfileKey, SeedSelector, ShootStatus, Toleration, Worker, is_default,
    null_is_default,
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
    /// What Gardener observed; on UPDATE only the stored object's counts, as the API server does not take it from requests.
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
    /// Kubernetes version and settings.
    #[serde(default, deserialize_with = "null_is_default")]
    pub kubernetes: ShootKubernetes,
    /// Settings of Gardener's own components in the cluster.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub system_components: ShootSystemComponents,
    /// Whether the cluster sleeps.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub hibernation: ShootHibernation,
    /// Extensions of the cluster that Gardener brings; deprecated.
    #[serde(skip_serializing)]
    pub addons: Option<IgnoredAny>,
    /// The domain of the cluster.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub dns: ShootDns,
    /// When and how the cluster is maintained.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub maintenance: ShootMaintenance,
    /// The profile that the Shoot follows.
    #[serde(skip_serializing)]
    pub cloud_profile: Option<CloudProfileReference>,
    /// The older way to name the CloudProfile that the Shoot follows.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub cloud_profile_name: String,
    /// The credentials of the infrastructure.
    #[serde(skip_serializing)]
    pub credentials_binding_name: Option<String>,
    /// The older way to name the credentials of the infrastructure.
    #[serde(skip_serializing)]
    pub secret_binding_name: Option<String>,
}

/// A reference to a CloudProfile or NamespacedCloudProfile.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct CloudProfileReference {
    /// The kind; empty means CloudProfile.
    #[serde(default, deserialize_with = "null_is_default")]
    pub kind: String,
    /// The name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
}

/// Infrastructure and worker pools of a [`Shoot`].
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct ShootProvider {
    /// The worker pools.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_empty"
    )]
    pub workers: Vec<Worker>,
}

fn is_empty(workers: &[Worker]) -> bool {
    workers.is_empty()
}

/// Kubernetes version and settings of a [`Shoot`].
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootKubernetes {
    /// The version of the control plane, and of the pools that have none of their own.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub version: String,
    /// The kubelet settings of the pools that have none of their own.
    #[serde(skip_serializing)]
    pub kubelet: Option<Kubelet>,
    /// kube-proxy.
    #[serde(skip_serializing)]
    pub kube_proxy: Option<KubeProxy>,
    /// The cluster autoscaler.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub cluster_autoscaler: ClusterAutoscaler,
    /// kube-controller-manager.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub kube_controller_manager: KubeControllerManager,
    /// kube-scheduler.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub kube_scheduler: KubeScheduler,
    /// kube-apiserver.
    #[serde(
        default,
        rename = "kubeAPIServer",
        deserialize_with = "null_is_default",
        skip_serializing
    )]
    pub kube_api_server: KubeApiServer,
}

/// The cluster autoscaler of a [`Shoot`], as far as its settings are deprecated.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClusterAutoscaler {
    /// How many empty nodes may go at once.
    pub max_empty_bulk_delete: Option<IgnoredAny>,
}

/// kube-controller-manager of a [`Shoot`], as far as its settings are deprecated.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KubeControllerManager {
    /// When pods leave a node that is not ready.
    pub pod_eviction_timeout: Option<IgnoredAny>,
}

/// kube-scheduler of a [`Shoot`], as far as its settings are deprecated.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KubeScheduler {
    /// How many volumes a node may have.
    #[serde(rename = "kubeMaxPDVols")]
    pub kube_max_pd_vols: Option<IgnoredAny>,
}

/// kube-apiserver of a [`Shoot`], as far as its settings are deprecated.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KubeApiServer {
    /// Whether requests without credentials are let in.
    pub enable_anonymous_authentication: Option<IgnoredAny>,
    /// How much is cached.
    #[serde(default, deserialize_with = "null_is_default")]
    pub watch_cache_sizes: WatchCacheSizes,
}

/// How much the API server of a [`Shoot`] caches, as far as it is deprecated to say so.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct WatchCacheSizes {
    /// Of every kind.
    pub default: Option<IgnoredAny>,
}

/// The DNS of a [`Shoot`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ShootDns {
    /// The providers of the domain.
    #[serde(default, deserialize_with = "null_is_default")]
    pub providers: Vec<DnsProvider>,
}

/// A DNS provider of a [`Shoot`], as far as its settings are deprecated.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DnsProvider {
    /// The Secret with its credentials.
    pub secret_name: Option<IgnoredAny>,
}

/// kube-proxy of a [`Shoot`].
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct KubeProxy {
    /// Whether it runs.
    pub enabled: Option<bool>,
    /// `IPTables`, `IPVS`, …
    pub mode: Option<String>,
}

/// Settings of Gardener's own components in a [`Shoot`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootSystemComponents {
    /// The DNS cache on every node.
    #[serde(default, rename = "nodeLocalDNS", deserialize_with = "null_is_default")]
    pub node_local_dns: NodeLocalDns,
}

/// The DNS cache on every node.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct NodeLocalDns {
    /// Whether there is one.
    #[serde(default, deserialize_with = "null_is_default")]
    pub enabled: bool,
}

/// Whether a [`Shoot`] sleeps.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ShootHibernation {
    /// It does: there are no machines.
    #[serde(default, deserialize_with = "null_is_default")]
    pub enabled: bool,
}

/// When and how a [`Shoot`] is maintained.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootMaintenance {
    /// Whether changes of the spec take effect in the maintenance window only.
    #[serde(default, deserialize_with = "null_is_default")]
    pub confine_spec_update_rollout: bool,
    /// Which versions maintenance updates before it must.
    pub auto_update: Option<MaintenanceAutoUpdate>,
    /// When maintenance takes place.
    pub time_window: Option<MaintenanceTimeWindow>,
}

/// Which versions maintenance updates before it must.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MaintenanceAutoUpdate {
    /// Patch versions of Kubernetes; if only this is left out it means no.
    #[serde(default, deserialize_with = "null_is_default")]
    pub kubernetes_version: bool,
    /// Machine images.
    pub machine_image_version: Option<bool>,
}

/// When maintenance takes place: both times of day as `HHMMSS+ZZZZ`.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct MaintenanceTimeWindow {
    /// From when on.
    #[serde(default, deserialize_with = "null_is_default")]
    pub begin: String,
    /// Until when.
    #[serde(default, deserialize_with = "null_is_default")]
    pub end: String,
}

impl Shoot {
    /// The profile that a Shoot of `namespace` follows; `None` if it names none that we know the kind of.
    #[must_use]
    pub fn profile(&self, namespace: &str) -> Option<ProfileKey> {
        let reference = self.spec.cloud_profile.as_ref();
        ProfileKey::effective(reference, &self.spec.cloud_profile_name, namespace)
    }

    /// The worker pool called `name`; of several, the first.
    #[must_use]
    pub fn pool(&self, name: &str) -> Option<&Worker> {
        self.spec
            .provider
            .workers
            .iter()
            .find(|worker| worker.name == name)
    }

    /// The Kubernetes version of a pool: its own, or the Shoot's.
    #[must_use]
    pub fn version_of<'a>(&'a self, pool: &'a Worker) -> &'a str {
        pool.own_version().unwrap_or(&self.spec.kubernetes.version)
    }

    /// Whether the Shoot hosts its own control plane on machines that Gardener does not manage.
    ///
    /// Mirrors IsShootSelfHosted and HasManagedInfrastructure in `pkg/api/core/helper/shoot.go`.
    #[must_use]
    pub fn is_on_unmanaged_machines(&self) -> bool {
        let spec = &self.spec;
        let self_hosted = spec
            .provider
            .workers
            .iter()
            .any(|it| it.control_plane.is_some());
        let bound = spec.credentials_binding_name.is_some() || spec.secret_binding_name.is_some();
        self_hosted && !bound
    }

    /// Whether there is a DNS cache on every node.
    #[must_use]
    pub fn has_node_local_dns(&self) -> bool {
        self.spec.system_components.node_local_dns.enabled
    }

    /// Whether kube-proxy runs in IPVS mode.
    ///
    /// Mirrors IsKubeProxyIPVSMode in `pkg/api/core/helper/shoot.go`.
    #[must_use]
    pub fn uses_ipvs(&self) -> bool {
        self.spec
            .kubernetes
            .kube_proxy
            .as_ref()
            .is_some_and(|proxy| {
                proxy.enabled == Some(true) && proxy.mode.as_deref() == Some("IPVS")
            })
    }
}
