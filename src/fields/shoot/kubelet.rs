//! `kubelet`, for the whole cluster or one pool.

use crate::fields::object;

object! {
    KubeletConfig {
        containerLogMaxFiles: Integer32;
        containerLogMaxSize: Quantity;
        cpuCFSQuota: Boolean;
        cpuManagerPolicy: String;
        evictionHard: KubeletConfigEviction;
        evictionMaxPodGracePeriod: Integer32;
        evictionMinimumReclaim: KubeletConfigEvictionMinimumReclaim;
        evictionPressureTransitionPeriod: Duration;
        evictionSoft: KubeletConfigEviction;
        evictionSoftGracePeriod: KubeletConfigEvictionSoftGracePeriod;
        failSwapOn: Boolean;
        featureGates: {Boolean};
        imageGCHighThresholdPercent: Integer32;
        imageGCLowThresholdPercent: Integer32;
        imageMaximumGCAge: Duration;
        imageMinimumGCAge: Duration;
        imagePullCredentialsVerificationPolicy: String;
        kubeReserved: KubeletConfigReserved;
        maxParallelImagePulls: Integer32;
        maxPods: Integer32;
        memorySwap: MemorySwapConfiguration;
        podPidsLimit: Integer64;
        preloadedImagesVerificationAllowlist: [String];
        protectKernelDefaults: Boolean;
        registryBurst: Integer32;
        registryPullQPS: Integer32;
        seccompDefault: Boolean;
        serializeImagePulls: Boolean;
        singleProcessOOMKill: Boolean;
        streamingConnectionIdleTimeout: Duration;
    }
}

object! {
    KubeletConfigEviction {
        imageFSAvailable: String;
        imageFSInodesFree: String;
        memoryAvailable: String;
        nodeFSAvailable: String;
        nodeFSInodesFree: String;
    }
}

object! {
    KubeletConfigEvictionMinimumReclaim {
        imageFSAvailable: Quantity;
        imageFSInodesFree: Quantity;
        memoryAvailable: Quantity;
        nodeFSAvailable: Quantity;
        nodeFSInodesFree: Quantity;
    }
}

object! {
    KubeletConfigEvictionSoftGracePeriod {
        imageFSAvailable: Duration;
        imageFSInodesFree: Duration;
        memoryAvailable: Duration;
        nodeFSAvailable: Duration;
        nodeFSInodesFree: Duration;
    }
}

object! {
    KubeletConfigReserved {
        cpu: Quantity;
        ephemeralStorage: Quantity;
        memory: Quantity;
        pid: Quantity;
    }
}

object! {
    MemorySwapConfiguration {
        swapBehavior: String;
    }
}
