use serde::{Deserialize, Serialize};

use crate::model::{
    AccessRestriction, ByName, CloudProfileReference, ClusterAutoscaler, ControlPlane, Dns,
    KubeApiServer, KubeControllerManager, KubeScheduler, Kubelet, Networking, ObjectMeta,
    ProfileKey, ProfileKind, SeedSelector, ShootHibernation, ShootStatus, Toleration, Worker,
    WorkersSettings, bounded, is_default, null_is_default,
};

/// A Shoot: a Kubernetes cluster that Gardener manages.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Shoot {
    /// Name, namespace and annotations.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// The state that the Shoot's owner requests.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: ShootSpec,
    /// Gardener's observations.
    ///
    /// On UPDATE only the stored status is used, as the API server ignores it in requests.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub status: ShootStatus,
}

/// The desired state of a [`Shoot`].
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootSpec {
    /// The seed taints that the Shoot tolerates.
    #[serde(
        default,
        deserialize_with = "bounded::list",
        skip_serializing_if = "is_default"
    )]
    pub tolerations: Vec<Toleration>,
    /// The seeds that may host the Shoot.
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
    /// The hibernation of the cluster.
    #[serde(skip_serializing)]
    pub hibernation: Option<ShootHibernation>,
    /// The maintenance of the cluster.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub maintenance: ShootMaintenance,
    /// The profile of the Shoot.
    #[serde(skip_serializing)]
    pub cloud_profile: Option<CloudProfileReference>,
    /// The older reference to the Shoot's CloudProfile.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub cloud_profile_name: String,
    /// The credentials of the infrastructure.
    #[serde(skip_serializing)]
    pub credentials_binding_name: Option<String>,
    /// The older reference to the credentials of the infrastructure.
    #[serde(skip_serializing)]
    pub secret_binding_name: Option<String>,
    /// Deprecated add-ons.
    #[serde(skip_serializing)]
    pub addons: Option<Addons>,
    /// Settings of the control plane.
    #[serde(skip_serializing)]
    pub control_plane: Option<ControlPlane>,
    /// The domain of the cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dns: Option<Dns>,
    /// The network; absent in clusters without workers.
    #[serde(skip_serializing)]
    pub networking: Option<Networking>,
    /// The purpose of the cluster.
    #[serde(skip_serializing)]
    pub purpose: Option<String>,
    /// The region of the infrastructure.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub region: String,
    /// The scheduler that chooses a seed for the cluster.
    #[serde(skip_serializing)]
    pub scheduler_name: Option<String>,
    /// The seed that hosts the control plane.
    #[serde(skip_serializing)]
    pub seed_name: Option<String>,
    /// Restrictions of access to the cluster.
    #[serde(default, deserialize_with = "bounded::list", skip_serializing)]
    pub access_restrictions: Vec<AccessRestriction>,
}

/// Add-ons of a [`Shoot`] that rules read.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Addons {
    /// The ingress controller.
    #[serde(default, deserialize_with = "null_is_default")]
    pub nginx_ingress: Addon,
}

/// One of a Shoot's [`Addons`].
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct Addon {
    /// Whether the Shoot has it.
    #[serde(default, deserialize_with = "null_is_default")]
    pub enabled: bool,
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
    #[serde(
        default,
        deserialize_with = "bounded::list",
        skip_serializing_if = "is_empty"
    )]
    pub workers: Vec<Worker>,
    /// Settings of all pools.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub workers_settings: WorkersSettings,
}

fn is_empty(workers: &[Worker]) -> bool {
    workers.is_empty()
}

/// Kubernetes version and settings of a [`Shoot`].
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootKubernetes {
    /// The version of the control plane, and of the pools without their own version.
    #[serde(
        default,
        deserialize_with = "bounded::short_text",
        skip_serializing_if = "is_default"
    )]
    pub version: String,
    /// The kubelet settings of the pools without their own settings.
    #[serde(skip_serializing)]
    pub kubelet: Option<Box<Kubelet>>,
    /// kube-proxy.
    #[serde(skip_serializing)]
    pub kube_proxy: Option<KubeProxy>,
    /// Settings of the kube-apiserver.
    #[serde(rename = "kubeAPIServer", skip_serializing)]
    pub kube_api_server: Option<KubeApiServer>,
    /// Settings of the kube-controller-manager.
    #[serde(skip_serializing)]
    pub kube_controller_manager: Option<KubeControllerManager>,
    /// Settings of the kube-scheduler.
    #[serde(skip_serializing)]
    pub kube_scheduler: Option<KubeScheduler>,
    /// Settings of the cluster-autoscaler.
    #[serde(skip_serializing)]
    pub cluster_autoscaler: Option<ClusterAutoscaler>,
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
    /// Whether the cache runs.
    #[serde(default, deserialize_with = "null_is_default")]
    pub enabled: bool,
}

/// Maintenance settings of a [`Shoot`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootMaintenance {
    /// Whether changes of the spec take effect in the maintenance window only.
    #[serde(default, deserialize_with = "null_is_default")]
    pub confine_spec_update_rollout: bool,
    /// The versions that maintenance updates before it must.
    pub auto_update: Option<MaintenanceAutoUpdate>,
    /// The time window of maintenance.
    pub time_window: Option<MaintenanceTimeWindow>,
}

/// The versions that maintenance updates before it must.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MaintenanceAutoUpdate {
    /// Patch versions of Kubernetes; the default is no if only this field is omitted.
    #[serde(default, deserialize_with = "null_is_default")]
    pub kubernetes_version: bool,
    /// Machine images.
    pub machine_image_version: Option<bool>,
}

/// The time window of maintenance: both times of day as `HHMMSS+ZZZZ`.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct MaintenanceTimeWindow {
    /// The begin of the window.
    #[serde(default, deserialize_with = "null_is_default")]
    pub begin: String,
    /// The end of the window.
    #[serde(default, deserialize_with = "null_is_default")]
    pub end: String,
}

impl Shoot {
    /// Reports whether the Shoot is to be hibernated.
    #[must_use]
    pub fn wants_hibernation(&self) -> bool {
        let hibernation = self.spec.hibernation.as_ref();
        hibernation.and_then(|hibernation| hibernation.enabled) == Some(true)
    }

    /// Reports whether the Shoot is to be hibernated, is hibernated, or changes between the two states.
    #[must_use]
    pub fn is_in_hibernation(&self) -> bool {
        self.wants_hibernation() || self.status.is_hibernated
    }

    /// Reports whether a worker pool hosts the control plane.
    #[must_use]
    pub fn is_self_hosted(&self) -> bool {
        let mut workers = self.spec.provider.workers.iter();
        workers.any(|worker| worker.control_plane.is_some())
    }

    /// Reports whether the Shoot has the ingress controller.
    #[must_use]
    pub fn has_ingress(&self) -> bool {
        let addons = self.spec.addons.as_ref();
        addons.is_some_and(|addons| addons.nginx_ingress.enabled)
    }

    /// Reports whether SSH access to nodes is enabled.
    #[must_use]
    pub fn has_ssh_access(&self) -> bool {
        let provider = &self.spec.provider;
        !provider.workers.is_empty() && provider.workers_settings.ssh_access.enabled != Some(false)
    }

    /// Returns the value of an annotation.
    #[must_use]
    pub fn annotation(&self, key: &str) -> Option<&str> {
        self.metadata.annotations.get(key).map(String::as_str)
    }

    /// Returns the profile of a Shoot in `namespace`; `None` without a profile of a known kind.
    #[must_use]
    pub fn profile(&self, namespace: &str) -> Option<ProfileKey> {
        let reference = self.spec.cloud_profile.as_ref();
        ProfileKey::effective(reference, &self.spec.cloud_profile_name, namespace)
    }

    /// Returns kind and name of its profile; `None` as in [`Self::profile`].
    #[must_use]
    pub fn profile_name(&self) -> Option<(ProfileKind, &str)> {
        let reference = self.spec.cloud_profile.as_ref();
        ProfileKind::followed(reference, &self.spec.cloud_profile_name)
    }

    /// Returns its worker pools, by name.
    #[must_use]
    pub fn pools(&self) -> ByName<'_, Worker> {
        ByName::of(&self.spec.provider.workers, |pool| &pool.name)
    }

    /// Returns the Kubernetes version of a pool: its own, or the Shoot's.
    #[must_use]
    pub fn version_of<'a>(&'a self, pool: &'a Worker) -> &'a str {
        pool.own_version().unwrap_or(&self.spec.kubernetes.version)
    }

    /// Reports whether the Shoot hosts its own control plane on machines that Gardener does not manage.
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

    /// Reports whether a DNS cache runs on every node.
    #[must_use]
    pub fn has_node_local_dns(&self) -> bool {
        self.spec.system_components.node_local_dns.enabled
    }

    /// Reports whether kube-proxy runs in IPVS mode.
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
