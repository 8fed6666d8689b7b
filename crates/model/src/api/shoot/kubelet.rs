// SPDX-License-Identifier: Apache-2.0
//! Kubelet configuration of a cluster or one pool.

use crate::api::Constraint::{
    AddedIn, AtLeast, AtMost, Called, Enum, Format, LastsAtLeast, LastsAtMost, Since,
};
use crate::api::Format::{Amount, AmountOrPercent};
use crate::api::{bounded, object};
use garden_gate_text::go::Quantity;

object! {
    /// Configuration of the kubelet.
    #[derive(PartialEq)]
    KubeletConfig {
        /// Maximum number of pods on a node.
        "maxPods": Integer32 -> max_pods: Option<i32> => [AtLeast(0.0)];
        /// Maximum number of processes in a pod.
        "podPidsLimit": Integer64 => [AtLeast(100.0), Called("podPIDsLimit")];
        /// Resources that are reserved for Kubernetes node components, such as the kubelet.
        "kubeReserved": KubeletConfigReserved -> kube_reserved: Option<KubeletConfigReserved>;
        /// Thresholds of available resources below which pods are evicted immediately.
        "evictionHard": KubeletConfigEviction -> eviction_hard: Option<KubeletConfigEviction>;
        /// Thresholds of available resources below which pods are evicted after a grace period.
        "evictionSoft": KubeletConfigEviction;
        /// Grace periods of the soft eviction thresholds.
        "evictionSoftGracePeriod": KubeletConfigEvictionSoftGracePeriod;
        /// Minimum amount of resources that an eviction reclaims.
        "evictionMinimumReclaim": KubeletConfigEvictionMinimumReclaim;
        /// Maximum grace period for the termination of evicted pods, in seconds.
        "evictionMaxPodGracePeriod": Integer32 => [AtLeast(0.0)];
        /// Minimum duration for which a node remains in a pressure condition.
        "evictionPressureTransitionPeriod": Duration => [LastsAtLeast(0.0)];
        /// Disk usage above which unused images are removed, in percent.
        "imageGCHighThresholdPercent": Integer32 => [AtLeast(0.0), AtMost(100.0)];
        /// Disk usage down to which unused images are removed, in percent.
        "imageGCLowThresholdPercent": Integer32 => [AtLeast(0.0), AtMost(100.0)];
        /// Minimum age of an unused image before it is removed.
        "imageMinimumGCAge": Duration => [LastsAtLeast(0.0)];
        /// Maximum age of an unused image before it is removed.
        "imageMaximumGCAge": Duration => [LastsAtLeast(0.0)];
        /// Pulls images one after another.
        "serializeImagePulls": Boolean;
        /// Maximum number of images that are pulled in parallel.
        "maxParallelImagePulls": Integer32 => [AtLeast(1.0)];
        /// Maximum number of image pulls per second.
        "registryPullQPS": Integer32 => [AtLeast(0.0)];
        /// Maximum number of image pulls in a burst.
        "registryBurst": Integer32 => [AtLeast(0.0)];
        /// Policy for verifying the pull credentials of pods that use an image already present on the node.
        "imagePullCredentialsVerificationPolicy": String => [Since(149), AddedIn(35), Enum(&["AlwaysVerify", "NeverVerify", "NeverVerifyAllowlistedImages", "NeverVerifyPreloadedImages"])];
        /// Images that all pods can use without verification if they are present on the node.
        "preloadedImagesVerificationAllowlist": [String] => [Since(149)];
        /// Size at which a container log file is rotated.
        "containerLogMaxSize": Quantity => [Format(Amount)];
        /// Maximum number of log files of a container.
        "containerLogMaxFiles": Integer32 => [AtLeast(2.0)];
        /// Enforces CPU limits by CFS quota.
        "cpuCFSQuota": Boolean;
        /// CPU manager policy: `none` or `static`.
        "cpuManagerPolicy": String -> #[serde(deserialize_with = "bounded::optional_short_text")] cpu_manager_policy: Option<String>
            => [Enum(&["none", "static"])];
        /// Prevents the kubelet from starting on a node with swap.
        "failSwapOn": Boolean;
        /// Swap configuration.
        "memorySwap": MemorySwapConfiguration;
        /// Makes the kubelet fail if kernel settings differ from its own.
        "protectKernelDefaults": Boolean;
        /// Uses the seccomp profile of the container runtime as default for pods that specify none.
        "seccompDefault": Boolean;
        /// Kills only a single process of a container, not all of them, when memory runs out.
        "singleProcessOOMKill": Boolean => [Since(143)];
        /// Maximum idle time of a streaming connection.
        "streamingConnectionIdleTimeout": Duration => [LastsAtLeast(30.0), LastsAtMost(14400.0)];
        /// Feature gates by name.
        "featureGates": {Boolean};
    }
}

object! {
    /// Eviction thresholds of available resources, as a quantity or in percent.
    #[derive(PartialEq)]
    KubeletConfigEviction {
        /// Available memory.
        "memoryAvailable": String -> #[serde(deserialize_with = "bounded::optional_short_text")] memory_available: Option<String>
            => [Format(AmountOrPercent)];
        /// Available space in the image filesystem.
        "imageFSAvailable": String -> #[serde(deserialize_with = "bounded::optional_short_text")] image_fs_available: Option<String>
            => [Format(AmountOrPercent), Called("imagefsAvailable")];
        /// Free inodes in the image filesystem.
        "imageFSInodesFree": String -> #[serde(deserialize_with = "bounded::optional_short_text")] image_fs_inodes_free: Option<String>
            => [Format(AmountOrPercent), Called("imagefsInodesFree")];
        /// Available space in the node filesystem.
        "nodeFSAvailable": String -> #[serde(deserialize_with = "bounded::optional_short_text")] node_fs_available: Option<String>
            => [Format(AmountOrPercent), Called("nodefsAvailable")];
        /// Free inodes in the node filesystem.
        "nodeFSInodesFree": String -> #[serde(deserialize_with = "bounded::optional_short_text")] node_fs_inodes_free: Option<String>;
    }
}

object! {
    /// Minimum amount of resources that an eviction reclaims.
    KubeletConfigEvictionMinimumReclaim {
        /// Memory to reclaim.
        "memoryAvailable": Quantity => [Format(Amount)];
        /// Space to reclaim in the image filesystem.
        "imageFSAvailable": Quantity => [Format(Amount), Called("imagefsAvailable")];
        /// Inodes to reclaim in the image filesystem.
        "imageFSInodesFree": Quantity => [Format(Amount), Called("imagefsInodesFree")];
        /// Space to reclaim in the node filesystem.
        "nodeFSAvailable": Quantity => [Format(Amount), Called("nodefsAvailable")];
        /// Inodes to reclaim in the node filesystem.
        "nodeFSInodesFree": Quantity;
    }
}

object! {
    /// Grace periods of the soft eviction thresholds.
    KubeletConfigEvictionSoftGracePeriod {
        /// Grace period for available memory.
        "memoryAvailable": Duration => [LastsAtLeast(0.0)];
        /// Grace period for available space in the image filesystem.
        "imageFSAvailable": Duration => [LastsAtLeast(0.0), Called("imagefsAvailable")];
        /// Grace period for free inodes in the image filesystem.
        "imageFSInodesFree": Duration => [LastsAtLeast(0.0), Called("imagefsInodesFree")];
        /// Grace period for available space in the node filesystem.
        "nodeFSAvailable": Duration => [LastsAtLeast(0.0), Called("nodefsAvailable")];
        /// Grace period for free inodes in the node filesystem.
        "nodeFSInodesFree": Duration;
    }
}

object! {
    /// Resources that are reserved for Kubernetes node components, such as the kubelet.
    #[derive(PartialEq)]
    KubeletConfigReserved {
        /// Reserved CPU.
        "cpu": Quantity -> cpu: Option<Quantity> => [Format(Amount)];
        /// Reserved memory.
        "memory": Quantity -> memory: Option<Quantity> => [Format(Amount)];
        /// Reserved ephemeral storage on the node.
        "ephemeralStorage": Quantity -> ephemeral_storage: Option<Quantity> => [Format(Amount)];
        /// Reserved number of process IDs.
        "pid": Quantity -> pid: Option<Quantity> => [Format(Amount)];
    }
}

object! {
    /// Swap configuration.
    MemorySwapConfiguration {
        /// Swap behavior of pods: `NoSwap` or `LimitedSwap`.
        "swapBehavior": String => [Enum(&["LimitedSwap", "NoSwap"])];
    }
}
