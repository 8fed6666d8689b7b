//! `spec.kubernetes.clusterAutoscaler` and `spec.kubernetes.verticalPodAutoscaler`.

use crate::api::Constraint::{
    AtLeast, AtMost, Below, Distinct, Format, LastsAtLeast, Positive, RemovedFrom,
};
use crate::api::Format::LabelKey;
use crate::api::object;

object! {
    /// How much a component gets at least.
    ControlPlaneAutoscaling {
        /// Least resources that it is given, by name.
        "minAllowed": {Quantity} required;
    }
}

object! {
    /// The cluster autoscaler.
    ClusterAutoscaler {
        /// How much it gets at least.
        "autoscaling": ControlPlaneAutoscaling;
        /// How it chooses a pool, for example `least-waste`.
        "expander": String;
        /// How often it looks.
        "scanInterval": Duration => [LastsAtLeast(0.0)];
        /// How long a node has to be idle before it goes.
        "scaleDownUnneededTime": Duration => [LastsAtLeast(0.0)];
        /// How long it does not remove nodes after it added some.
        "scaleDownDelayAfterAdd": Duration => [LastsAtLeast(0.0)];
        /// How long it does not remove nodes after it removed some.
        "scaleDownDelayAfterDelete": Duration => [LastsAtLeast(0.0)];
        /// How long it does not remove nodes after removing failed.
        "scaleDownDelayAfterFailure": Duration => [LastsAtLeast(0.0)];
        /// Usage below which a node counts as idle, as a fraction.
        "scaleDownUtilizationThreshold": Number => [AtLeast(0.0), AtMost(1.0)];
        /// How long it waits for a node.
        "maxNodeProvisionTime": Duration => [LastsAtLeast(0.0)];
        /// How long pods may take to end when their node goes, in seconds.
        "maxGracefulTerminationSeconds": Integer32 => [AtLeast(0.0)];
        /// Most nodes that go at a time.
        "maxScaleDownParallelism": Integer32 => [AtLeast(0.0)];
        /// Most nodes with pods that go at a time.
        "maxDrainParallelism": Integer32 => [AtLeast(0.0)];
        /// Most idle nodes that go at a time; `maxScaleDownParallelism` takes its place.
        "maxEmptyBulkDelete": Integer32 -> max_empty_bulk_delete: Option<i32>
            => [AtLeast(0.0), RemovedFrom(33, "use `maxScaleDownParallelism`")];
        /// How long it may compute where pods would fit.
        "maxBinpackingTime": Duration => [LastsAtLeast(0.0)];
        /// How old a pod has to be before it adds a node for it.
        "newPodScaleUpDelay": Duration => [LastsAtLeast(0.0)];
        /// How long it leaves a pool alone after a node did not come.
        "initialNodeGroupBackoffDuration": Duration => [LastsAtLeast(0.0)];
        /// How long it leaves a pool alone at most.
        "maxNodeGroupBackoffDuration": Duration => [LastsAtLeast(0.0)];
        /// After what time it forgets that a node did not come.
        "nodeGroupBackoffResetTimeout": Duration => [LastsAtLeast(0.0)];
        /// Whether pods of DaemonSets do not count as usage.
        "ignoreDaemonsetsUtilization": Boolean;
        /// Taints that it ignores; `startupTaints` takes its place.
        "ignoreTaints": [String] -> ignore_taints: Vec<String> => [Format(LabelKey), Distinct];
        /// Taints that new nodes lose when they are ready.
        "startupTaints": [String] -> startup_taints: Vec<String> => [Format(LabelKey), Distinct];
        /// Taints that say that a node is not well for a while.
        "statusTaints": [String] -> status_taints: Vec<String> => [Format(LabelKey), Distinct];
        /// Whether it has metrics for each pool.
        "emitPerNodeGroupMetrics": Boolean;
        /// Level of its log.
        "verbosity": Integer32 => [AtLeast(0.0)];
    }
}

object! {
    /// The vertical pod autoscaler.
    VerticalPodAutoscaler {
        /// Whether it runs.
        "enabled": Boolean filled;
        /// Feature gates, by name.
        "featureGates": {Boolean};
        /// Most resources that it recommends, by name.
        "maxAllowed": {Quantity};
        /// How young a pod that ran out of memory may be to be evicted.
        "evictAfterOOMThreshold": Duration => [LastsAtLeast(0.0)];
        /// Most pods that it evicts at once.
        "evictionRateBurst": Integer32 => [AtLeast(0.0)];
        /// Most pods that it evicts per second; -1 for no limit.
        "evictionRateLimit": Number;
        /// Fraction of a workload's pods that may be evicted.
        "evictionTolerance": Number => [AtLeast(0.0), Below(1.0)];
        /// Margin above the usage of pods, as a fraction.
        "recommendationMarginFraction": Number => [AtLeast(0.0), Below(1.0)];
        /// How often it updates pods.
        "updaterInterval": Duration => [LastsAtLeast(0.0)];
        /// How often it computes recommendations.
        "recommenderInterval": Duration => [LastsAtLeast(0.0)];
        /// How many of them it writes at a time.
        "recommenderUpdateWorkerCount": Integer64 => [Positive];
        /// Percentile of CPU usage that it recommends, as a fraction.
        "targetCPUPercentile": Number => [AtLeast(0.0), AtMost(1.0)];
        /// Percentile of memory usage that it recommends, as a fraction.
        "targetMemoryPercentile": Number => [AtLeast(0.0), AtMost(1.0)];
        /// Percentile of CPU usage for its lower bound, as a fraction.
        "recommendationLowerBoundCPUPercentile": Number => [AtLeast(0.0), AtMost(1.0)];
        /// Percentile of memory usage for its lower bound, as a fraction.
        "recommendationLowerBoundMemoryPercentile": Number => [AtLeast(0.0), AtMost(1.0)];
        /// Percentile of CPU usage for its upper bound, as a fraction.
        "recommendationUpperBoundCPUPercentile": Number => [AtLeast(0.0), AtMost(1.0)];
        /// Percentile of memory usage for its upper bound, as a fraction.
        "recommendationUpperBoundMemoryPercentile": Number => [AtLeast(0.0), AtMost(1.0)];
        /// After what time CPU usage counts half.
        "cpuHistogramDecayHalfLife": Duration => [LastsAtLeast(0.0)];
        /// After what time memory usage counts half.
        "memoryHistogramDecayHalfLife": Duration => [LastsAtLeast(0.0)];
        /// How long a peak of memory usage is looked for.
        "memoryAggregationInterval": Duration => [LastsAtLeast(0.0)];
        /// How many such peaks count.
        "memoryAggregationIntervalCount": Integer64 => [AtLeast(0.0)];
    }
}
