// SPDX-License-Identifier: Apache-2.0
//! `spec.kubernetes.clusterAutoscaler` and `spec.kubernetes.verticalPodAutoscaler`.

use crate::api::Constraint::{
    AtLeast, AtMost, Below, Distinct, Format, LastsAtLeast, Positive, RemovedFrom, Since,
};
use crate::api::Format::LabelKey;
use crate::api::object;

object! {
    /// Minimum resources of a control plane component.
    ControlPlaneAutoscaling {
        /// Minimum resources that the autoscaler assigns, by resource name.
        "minAllowed": {Quantity} required;
    }
}

object! {
    /// Configuration of the cluster autoscaler.
    ClusterAutoscaler {
        /// Minimum resources of the cluster autoscaler.
        "autoscaling": ControlPlaneAutoscaling => [Since(147)];
        /// Expander that selects the pool to scale up, for example `least-waste`.
        "expander": String;
        /// Interval between evaluations of the cluster.
        "scanInterval": Duration => [LastsAtLeast(0.0)];
        /// Time for which a node must be unneeded before it is removed.
        "scaleDownUnneededTime": Duration => [LastsAtLeast(0.0)];
        /// Delay before nodes are removed after a scale-up.
        "scaleDownDelayAfterAdd": Duration => [LastsAtLeast(0.0)];
        /// Delay before nodes are removed after a node deletion.
        "scaleDownDelayAfterDelete": Duration => [LastsAtLeast(0.0)];
        /// Delay before nodes are removed after a failed scale-down.
        "scaleDownDelayAfterFailure": Duration => [LastsAtLeast(0.0)];
        /// Utilization below which a node is considered for removal, as a fraction.
        "scaleDownUtilizationThreshold": Number => [AtLeast(0.0), AtMost(1.0)];
        /// Maximum time to wait for a node to be provisioned.
        "maxNodeProvisionTime": Duration => [LastsAtLeast(0.0)];
        /// Maximum time for pods to terminate when their node is removed, in seconds.
        "maxGracefulTerminationSeconds": Integer32 => [AtLeast(0.0)];
        /// Maximum number of nodes that are removed in parallel.
        "maxScaleDownParallelism": Integer32 => [AtLeast(0.0)];
        /// Maximum number of nodes with pods that are drained and removed in parallel.
        "maxDrainParallelism": Integer32 => [AtLeast(0.0)];
        /// Maximum number of empty nodes that are removed in parallel; replaced by `maxScaleDownParallelism`.
        "maxEmptyBulkDelete": Integer32 -> max_empty_bulk_delete: Option<i32>
            => [AtLeast(0.0), RemovedFrom(33, "use `maxScaleDownParallelism`")];
        /// Maximum time for bin packing: simulating on which nodes pods fit.
        "maxBinpackingTime": Duration => [Since(142), LastsAtLeast(0.0)];
        /// Minimum age of a pending pod before a node is added for it.
        "newPodScaleUpDelay": Duration => [LastsAtLeast(0.0)];
        /// Initial backoff of a pool after a node failed to start.
        "initialNodeGroupBackoffDuration": Duration => [LastsAtLeast(0.0)];
        /// Maximum backoff of a pool after nodes failed to start.
        "maxNodeGroupBackoffDuration": Duration => [LastsAtLeast(0.0)];
        /// Time after the last failure at which the backoff is reset.
        "nodeGroupBackoffResetTimeout": Duration => [LastsAtLeast(0.0)];
        /// Excludes DaemonSet pods from the utilization.
        "ignoreDaemonsetsUtilization": Boolean;
        /// Taints that are ignored; replaced by `startupTaints`.
        "ignoreTaints": [String] -> ignore_taints: Vec<String> => [Format(LabelKey), Distinct];
        /// Taints that new nodes lose when they are ready.
        "startupTaints": [String] -> startup_taints: Vec<String> => [Format(LabelKey), Distinct];
        /// Taints that mark a node as temporarily unhealthy.
        "statusTaints": [String] -> status_taints: Vec<String> => [Format(LabelKey), Distinct];
        /// Enables metrics for each pool.
        "emitPerNodeGroupMetrics": Boolean => [Since(141)];
        /// Log verbosity.
        "verbosity": Integer32 => [AtLeast(0.0)];
    }
}

object! {
    /// Configuration of the vertical pod autoscaler.
    VerticalPodAutoscaler {
        /// Enables the vertical pod autoscaler.
        "enabled": Boolean filled;
        /// Feature gates by name.
        "featureGates": {Boolean};
        /// Maximum recommended resources, by resource name.
        "maxAllowed": {Quantity};
        /// Time after the start of a pod within which an out-of-memory kill leads to its eviction.
        "evictAfterOOMThreshold": Duration => [LastsAtLeast(0.0)];
        /// Maximum number of pods that are evicted in a burst.
        "evictionRateBurst": Integer32 => [AtLeast(0.0)];
        /// Maximum number of pods that are evicted per second; -1 disables the limit.
        "evictionRateLimit": Number;
        /// Fraction of a workload's pods that can be evicted.
        "evictionTolerance": Number => [AtLeast(0.0), Below(1.0)];
        /// Safety margin above the usage of pods, as a fraction.
        "recommendationMarginFraction": Number => [AtLeast(0.0), Below(1.0)];
        /// Interval between updates of pods.
        "updaterInterval": Duration => [LastsAtLeast(0.0)];
        /// Interval between computations of recommendations.
        "recommenderInterval": Duration => [LastsAtLeast(0.0)];
        /// Number of recommendations that are written concurrently.
        "recommenderUpdateWorkerCount": Integer64 => [Positive];
        /// Percentile of CPU usage for the recommendation, as a fraction.
        "targetCPUPercentile": Number => [AtLeast(0.0), AtMost(1.0)];
        /// Percentile of memory usage for the recommendation, as a fraction.
        "targetMemoryPercentile": Number => [AtLeast(0.0), AtMost(1.0)];
        /// Percentile of CPU usage for the lower bound of the recommendation, as a fraction.
        "recommendationLowerBoundCPUPercentile": Number => [AtLeast(0.0), AtMost(1.0)];
        /// Percentile of memory usage for the lower bound of the recommendation, as a fraction.
        "recommendationLowerBoundMemoryPercentile": Number => [AtLeast(0.0), AtMost(1.0)];
        /// Percentile of CPU usage for the upper bound of the recommendation, as a fraction.
        "recommendationUpperBoundCPUPercentile": Number => [AtLeast(0.0), AtMost(1.0)];
        /// Percentile of memory usage for the upper bound of the recommendation, as a fraction.
        "recommendationUpperBoundMemoryPercentile": Number => [AtLeast(0.0), AtMost(1.0)];
        /// Half-life of CPU usage samples: the time after which their weight is halved.
        "cpuHistogramDecayHalfLife": Duration => [LastsAtLeast(0.0)];
        /// Half-life of memory usage samples: the time after which their weight is halved.
        "memoryHistogramDecayHalfLife": Duration => [LastsAtLeast(0.0)];
        /// Interval over which peak memory usage is aggregated.
        "memoryAggregationInterval": Duration => [LastsAtLeast(0.0)];
        /// Number of aggregation intervals for memory usage.
        "memoryAggregationIntervalCount": Integer64 => [AtLeast(0.0)];
    }
}
