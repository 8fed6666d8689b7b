use serde::Deserialize;
use serde_json::value::RawValue;

use crate::model::null_is_default;

/// Settings of the kube-apiserver.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KubeApiServer {
    /// The resources that are encrypted at rest, in addition to Secrets.
    pub encryption_config: Option<EncryptionConfig>,
    /// Deprecated.
    pub enable_anonymous_authentication: Option<bool>,
    /// The number of objects that are cached per resource.
    pub watch_cache_sizes: Option<WatchCacheSizes>,
}

/// The resources that are encrypted at rest, and the encryption provider.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct EncryptionConfig {
    /// Resources as `resource.group`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub resources: Vec<String>,
    /// The encryption provider.
    #[serde(default, deserialize_with = "null_is_default")]
    pub provider: EncryptionProvider,
}

/// The provider that encrypts resources.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct EncryptionProvider {
    /// `aescbc`, `aesgcm` or `secretbox`; absent means `aescbc`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
}

/// The number of objects that the kube-apiserver caches.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct WatchCacheSizes {
    /// Deprecated.
    pub default: Option<i32>,
}

/// Settings of the kube-controller-manager.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KubeControllerManager {
    /// The size of the pod network of one node.
    #[serde(rename = "nodeCIDRMaskSize")]
    pub node_cidr_mask_size: Option<i32>,
    /// As above, for IPv6.
    #[serde(rename = "nodeCIDRMaskSizeIPv6")]
    pub node_cidr_mask_size_ipv6: Option<i32>,
    /// Deprecated.
    pub pod_eviction_timeout: Option<Box<RawValue>>,
}

/// Settings of the kube-scheduler.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct KubeScheduler {
    /// Deprecated.
    #[serde(rename = "kubeMaxPDVols")]
    pub kube_max_pd_vols: Option<String>,
}

/// Settings of the cluster-autoscaler.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClusterAutoscaler {
    /// Deprecated.
    pub max_empty_bulk_delete: Option<i32>,
    /// Taints that are ignored when a node group is scaled up.
    #[serde(default, deserialize_with = "null_is_default")]
    pub ignore_taints: Vec<String>,
    /// Taints of nodes that are starting.
    #[serde(default, deserialize_with = "null_is_default")]
    pub startup_taints: Vec<String>,
    /// Taints that describe a temporary state.
    #[serde(default, deserialize_with = "null_is_default")]
    pub status_taints: Vec<String>,
}
