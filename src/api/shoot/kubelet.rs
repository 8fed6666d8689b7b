//! `kubelet`, for the whole cluster or one pool.

use crate::api::Constraint::{
    AddedIn, AtLeast, AtMost, Called, Enum, Format, LastsAtLeast, LastsAtMost,
};
use crate::api::Format::{Amount, AmountOrPercent};
use crate::api::{bounded, object};
use crate::compat::Quantity;

object! {
    /// The kubelet on nodes.
    #[derive(PartialEq)]
    KubeletConfig {
        /// Most pods on a node.
        "maxPods": Integer32 -> max_pods: Option<i32> => [AtLeast(0.0)];
        /// Most processes of a pod.
        "podPidsLimit": Integer64 => [AtLeast(100.0), Called("podPIDsLimit")];
        /// Resources that are reserved for the system.
        "kubeReserved": KubeletConfigReserved -> kube_reserved: Option<KubeletConfigReserved>;
        /// Minimum of free resources below which pods are evicted at once.
        "evictionHard": KubeletConfigEviction -> eviction_hard: Option<KubeletConfigEviction>;
        /// Minimum of free resources below which pods are evicted after a grace period.
        "evictionSoft": KubeletConfigEviction;
        /// How long that while is.
        "evictionSoftGracePeriod": KubeletConfigEvictionSoftGracePeriod;
        /// How much is freed at least.
        "evictionMinimumReclaim": KubeletConfigEvictionMinimumReclaim;
        /// How long evicted pods may take to end, in seconds.
        "evictionMaxPodGracePeriod": Integer32 => [AtLeast(0.0)];
        /// How long a node stays under pressure at least.
        "evictionPressureTransitionPeriod": Duration => [LastsAtLeast(0.0)];
        /// Usage of the disk above which images are removed, in percent.
        "imageGCHighThresholdPercent": Integer32 => [AtLeast(0.0), AtMost(100.0)];
        /// Usage of the disk down to which images are removed, in percent.
        "imageGCLowThresholdPercent": Integer32 => [AtLeast(0.0), AtMost(100.0)];
        /// How long an unused image is kept at least.
        "imageMinimumGCAge": Duration => [LastsAtLeast(0.0)];
        /// How long an unused image is kept at most.
        "imageMaximumGCAge": Duration => [LastsAtLeast(0.0)];
        /// Whether images are pulled one after another.
        "serializeImagePulls": Boolean;
        /// Most images that are pulled at a time.
        "maxParallelImagePulls": Integer32 => [AtLeast(1.0)];
        /// Most images that are pulled per second.
        "registryPullQPS": Integer32 => [AtLeast(0.0)];
        /// Most images that are pulled at once.
        "registryBurst": Integer32 => [AtLeast(0.0)];
        /// Which pods may use an image that is there, by their credentials.
        "imagePullCredentialsVerificationPolicy": String => [AddedIn(35), Enum(&["AlwaysVerify", "NeverVerify", "NeverVerifyAllowlistedImages", "NeverVerifyPreloadedImages"])];
        /// Images that every pod may use if they are there.
        "preloadedImagesVerificationAllowlist": [String];
        /// Size at which a log file is rotated.
        "containerLogMaxSize": Quantity => [Format(Amount)];
        /// Most log files of a container.
        "containerLogMaxFiles": Integer32 => [AtLeast(2.0)];
        /// Whether limits of CPU are enforced.
        "cpuCFSQuota": Boolean;
        /// `none` or `static`.
        "cpuManagerPolicy": String -> #[serde(deserialize_with = "bounded::optional_short_text")] cpu_manager_policy: Option<String>
            => [Enum(&["none", "static"])];
        /// Whether it does not start where there is swap.
        "failSwapOn": Boolean;
        /// How swap is used.
        "memorySwap": MemorySwapConfiguration;
        /// Whether it refuses other kernel settings than its own.
        "protectKernelDefaults": Boolean;
        /// Whether pods have the seccomp profile of the runtime if they name none.
        "seccompDefault": Boolean;
        /// Whether only one process of a container ends when memory runs out.
        "singleProcessOOMKill": Boolean;
        /// How long a streaming connection may be idle.
        "streamingConnectionIdleTimeout": Duration => [LastsAtLeast(30.0), LastsAtMost(14400.0)];
        /// Feature gates, by name.
        "featureGates": {Boolean};
    }
}

object! {
    /// Minimum of free resources, as a quantity or in percent.
    #[derive(PartialEq)]
    KubeletConfigEviction {
        /// Memory.
        "memoryAvailable": String -> #[serde(deserialize_with = "bounded::optional_short_text")] memory_available: Option<String>
            => [Format(AmountOrPercent)];
        /// Space for images.
        "imageFSAvailable": String -> #[serde(deserialize_with = "bounded::optional_short_text")] image_fs_available: Option<String>
            => [Format(AmountOrPercent), Called("imagefsAvailable")];
        /// Inodes for images.
        "imageFSInodesFree": String -> #[serde(deserialize_with = "bounded::optional_short_text")] image_fs_inodes_free: Option<String>
            => [Format(AmountOrPercent), Called("imagefsInodesFree")];
        /// Space of the node.
        "nodeFSAvailable": String -> #[serde(deserialize_with = "bounded::optional_short_text")] node_fs_available: Option<String>
            => [Format(AmountOrPercent), Called("nodefsAvailable")];
        /// Inodes of the node.
        "nodeFSInodesFree": String -> #[serde(deserialize_with = "bounded::optional_short_text")] node_fs_inodes_free: Option<String>;
    }
}

object! {
    /// How much is freed at least.
    KubeletConfigEvictionMinimumReclaim {
        /// Memory.
        "memoryAvailable": Quantity => [Format(Amount)];
        /// Space for images.
        "imageFSAvailable": Quantity => [Format(Amount), Called("imagefsAvailable")];
        /// Inodes for images.
        "imageFSInodesFree": Quantity => [Format(Amount), Called("imagefsInodesFree")];
        /// Space of the node.
        "nodeFSAvailable": Quantity => [Format(Amount), Called("nodefsAvailable")];
        /// Inodes of the node.
        "nodeFSInodesFree": Quantity;
    }
}

object! {
    /// How long something may be scarce.
    KubeletConfigEvictionSoftGracePeriod {
        /// Memory.
        "memoryAvailable": Duration => [LastsAtLeast(0.0)];
        /// Space for images.
        "imageFSAvailable": Duration => [LastsAtLeast(0.0), Called("imagefsAvailable")];
        /// Inodes for images.
        "imageFSInodesFree": Duration => [LastsAtLeast(0.0), Called("imagefsInodesFree")];
        /// Space of the node.
        "nodeFSAvailable": Duration => [LastsAtLeast(0.0), Called("nodefsAvailable")];
        /// Inodes of the node.
        "nodeFSInodesFree": Duration;
    }
}

object! {
    /// Resources that are reserved for the system.
    #[derive(PartialEq)]
    KubeletConfigReserved {
        /// CPU.
        "cpu": Quantity -> cpu: Option<Quantity> => [Format(Amount)];
        /// Memory.
        "memory": Quantity -> memory: Option<Quantity> => [Format(Amount)];
        /// Space on the node's disk.
        "ephemeralStorage": Quantity -> ephemeral_storage: Option<Quantity> => [Format(Amount)];
        /// Processes.
        "pid": Quantity -> pid: Option<Quantity> => [Format(Amount)];
    }
}

object! {
    /// How swap is used.
    MemorySwapConfiguration {
        /// `NoSwap` or `LimitedSwap`.
        "swapBehavior": String => [Enum(&["LimitedSwap", "NoSwap"])];
    }
}
