use serde::Deserialize;

use crate::compat::Quantity;
use crate::model::bounded;

/// Kubelet settings, of a whole Shoot or of one worker pool.
///
/// Only those that determine whether nodes are replaced, or the size of their networks.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Kubelet {
    /// Resources that are reserved for Kubernetes' own processes.
    pub kube_reserved: Option<KubeReserved>,
    /// Thresholds for the immediate eviction of pods.
    pub eviction_hard: Option<EvictionHard>,
    /// The assignment of CPUs to containers.
    #[serde(default, deserialize_with = "bounded::optional_short_text")]
    pub cpu_manager_policy: Option<String>,
    /// Maximum number of pods of a node; determines the size of its network.
    pub max_pods: Option<i32>,
}

/// Resources that are reserved for Kubernetes' own processes.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct KubeReserved {
    /// CPU.
    pub cpu: Option<Quantity>,
    /// Memory.
    pub memory: Option<Quantity>,
    /// Process ids.
    pub pid: Option<Quantity>,
    /// Ephemeral storage.
    pub ephemeral_storage: Option<Quantity>,
}

/// Thresholds for the immediate eviction of pods; quantities or percentages as written.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct EvictionHard {
    /// Free space for images.
    #[serde(
        default,
        deserialize_with = "bounded::optional_short_text",
        rename = "imageFSAvailable"
    )]
    pub image_fs_available: Option<String>,
    /// Free inodes for images.
    #[serde(
        default,
        deserialize_with = "bounded::optional_short_text",
        rename = "imageFSInodesFree"
    )]
    pub image_fs_inodes_free: Option<String>,
    /// Free memory.
    #[serde(default, deserialize_with = "bounded::optional_short_text")]
    pub memory_available: Option<String>,
    /// Free space on the node.
    #[serde(
        default,
        deserialize_with = "bounded::optional_short_text",
        rename = "nodeFSAvailable"
    )]
    pub node_fs_available: Option<String>,
    /// Free inodes on the node.
    #[serde(
        default,
        deserialize_with = "bounded::optional_short_text",
        rename = "nodeFSInodesFree"
    )]
    pub node_fs_inodes_free: Option<String>,
}
