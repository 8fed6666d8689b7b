//! `kubelet`, for the whole cluster or one pool.

use crate::fields::object;

object! {
    /// The kubelet on nodes.
    KubeletConfig {
        /// Most pods on a node.
        maxPods: Integer32;
        /// Most processes of a pod.
        podPidsLimit: Integer64;
        /// What is kept for the system.
        kubeReserved: KubeletConfigReserved;
        /// What has to be free, or pods are evicted at once.
        evictionHard: KubeletConfigEviction;
        /// What has to be free, or pods are evicted after a while.
        evictionSoft: KubeletConfigEviction;
        /// How long that while is.
        evictionSoftGracePeriod: KubeletConfigEvictionSoftGracePeriod;
        /// How much is freed at least.
        evictionMinimumReclaim: KubeletConfigEvictionMinimumReclaim;
        /// How long evicted pods may take to end, in seconds.
        evictionMaxPodGracePeriod: Integer32;
        /// How long a node stays under pressure at least.
        evictionPressureTransitionPeriod: Duration;
        /// Usage of the disk above which images are removed, in percent.
        imageGCHighThresholdPercent: Integer32;
        /// Usage of the disk down to which images are removed, in percent.
        imageGCLowThresholdPercent: Integer32;
        /// How long an unused image is kept at least.
        imageMinimumGCAge: Duration;
        /// How long an unused image is kept at most.
        imageMaximumGCAge: Duration;
        /// Whether images are pulled one after another.
        serializeImagePulls: Boolean;
        /// Most images that are pulled at a time.
        maxParallelImagePulls: Integer32;
        /// Most images that are pulled per second.
        registryPullQPS: Integer32;
        /// Most images that are pulled at once.
        registryBurst: Integer32;
        /// Which pods may use an image that is there, by their credentials.
        imagePullCredentialsVerificationPolicy: String;
        /// Images that every pod may use if they are there.
        preloadedImagesVerificationAllowlist: [String];
        /// Size at which a log file is rotated.
        containerLogMaxSize: Quantity;
        /// Most log files of a container.
        containerLogMaxFiles: Integer32;
        /// Whether limits of CPU are enforced.
        cpuCFSQuota: Boolean;
        /// `none` or `static`.
        cpuManagerPolicy: String;
        /// Whether it does not start where there is swap.
        failSwapOn: Boolean;
        /// How swap is used.
        memorySwap: MemorySwapConfiguration;
        /// Whether it refuses other kernel settings than its own.
        protectKernelDefaults: Boolean;
        /// Whether pods have the seccomp profile of the runtime if they name none.
        seccompDefault: Boolean;
        /// Whether only one process of a container ends when memory runs out.
        singleProcessOOMKill: Boolean;
        /// How long a streaming connection may be idle.
        streamingConnectionIdleTimeout: Duration;
        /// Feature gates, by name.
        featureGates: {Boolean};
    }
}

object! {
    /// What has to be free, as a quantity or in percent.
    KubeletConfigEviction {
        /// Memory.
        memoryAvailable: String;
        /// Space for images.
        imageFSAvailable: String;
        /// Inodes for images.
        imageFSInodesFree: String;
        /// Space of the node.
        nodeFSAvailable: String;
        /// Inodes of the node.
        nodeFSInodesFree: String;
    }
}

object! {
    /// How much is freed at least.
    KubeletConfigEvictionMinimumReclaim {
        /// Memory.
        memoryAvailable: Quantity;
        /// Space for images.
        imageFSAvailable: Quantity;
        /// Inodes for images.
        imageFSInodesFree: Quantity;
        /// Space of the node.
        nodeFSAvailable: Quantity;
        /// Inodes of the node.
        nodeFSInodesFree: Quantity;
    }
}

object! {
    /// How long something may be scarce.
    KubeletConfigEvictionSoftGracePeriod {
        /// Memory.
        memoryAvailable: Duration;
        /// Space for images.
        imageFSAvailable: Duration;
        /// Inodes for images.
        imageFSInodesFree: Duration;
        /// Space of the node.
        nodeFSAvailable: Duration;
        /// Inodes of the node.
        nodeFSInodesFree: Duration;
    }
}

object! {
    /// What is kept for the system.
    KubeletConfigReserved {
        /// CPU.
        cpu: Quantity;
        /// Memory.
        memory: Quantity;
        /// Space on the node's disk.
        ephemeralStorage: Quantity;
        /// Processes.
        pid: Quantity;
    }
}

object! {
    /// How swap is used.
    MemorySwapConfiguration {
        /// `NoSwap` or `LimitedSwap`.
        swapBehavior: String;
    }
}
