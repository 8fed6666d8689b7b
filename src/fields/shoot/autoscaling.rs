//! `spec.kubernetes.clusterAutoscaler` and `spec.kubernetes.verticalPodAutoscaler`.

use crate::fields::object;
use crate::fields::shoot::kubernetes::ControlPlaneAutoscaling;

object! {
    /// The cluster autoscaler.
    ClusterAutoscaler {
        /// How much it gets at least.
        autoscaling: ControlPlaneAutoscaling;
        /// How it chooses a pool, for example `least-waste`.
        expander: String;
        /// How often it looks.
        scanInterval: Duration;
        /// How long a node has to be idle before it goes.
        scaleDownUnneededTime: Duration;
        /// How long it does not remove nodes after it added some.
        scaleDownDelayAfterAdd: Duration;
        /// How long it does not remove nodes after it removed some.
        scaleDownDelayAfterDelete: Duration;
        /// How long it does not remove nodes after removing failed.
        scaleDownDelayAfterFailure: Duration;
        /// Usage below which a node counts as idle, as a fraction.
        scaleDownUtilizationThreshold: Number;
        /// How long it waits for a node.
        maxNodeProvisionTime: Duration;
        /// How long pods may take to end when their node goes, in seconds.
        maxGracefulTerminationSeconds: Integer32;
        /// Most nodes that go at a time.
        maxScaleDownParallelism: Integer32;
        /// Most nodes with pods that go at a time.
        maxDrainParallelism: Integer32;
        /// Most idle nodes that go at a time; `maxScaleDownParallelism` takes its place.
        maxEmptyBulkDelete: Integer32;
        /// How long it may compute where pods would fit.
        maxBinpackingTime: Duration;
        /// How old a pod has to be before it adds a node for it.
        newPodScaleUpDelay: Duration;
        /// How long it leaves a pool alone after a node did not come.
        initialNodeGroupBackoffDuration: Duration;
        /// How long it leaves a pool alone at most.
        maxNodeGroupBackoffDuration: Duration;
        /// After what time it forgets that a node did not come.
        nodeGroupBackoffResetTimeout: Duration;
        /// Whether pods of DaemonSets do not count as usage.
        ignoreDaemonsetsUtilization: Boolean;
        /// Taints that it ignores; `startupTaints` takes its place.
        ignoreTaints: [String];
        /// Taints that new nodes lose when they are ready.
        startupTaints: [String];
        /// Taints that say that a node is not well for a while.
        statusTaints: [String];
        /// Whether it has metrics for each pool.
        emitPerNodeGroupMetrics: Boolean;
        /// Level of its log.
        verbosity: Integer32;
    }
}

object! {
    /// The vertical pod autoscaler.
    VerticalPodAutoscaler {
        /// Whether it runs.
        enabled: Boolean filled;
        /// Feature gates, by name.
        featureGates: {Boolean};
        /// Most resources that it recommends, by name.
        maxAllowed: {Quantity};
        /// How young a pod that ran out of memory may be to be evicted.
        evictAfterOOMThreshold: Duration;
        /// Most pods that it evicts at once.
        evictionRateBurst: Integer32;
        /// Most pods that it evicts per second; -1 for no limit.
        evictionRateLimit: Number;
        /// Fraction of a workload's pods that may be evicted.
        evictionTolerance: Number;
        /// What it adds to what pods use, as a fraction.
        recommendationMarginFraction: Number;
        /// How often it updates pods.
        updaterInterval: Duration;
        /// How often it computes recommendations.
        recommenderInterval: Duration;
        /// How many of them it writes at a time.
        recommenderUpdateWorkerCount: Integer64;
        /// Percentile of CPU usage that it recommends, as a fraction.
        targetCPUPercentile: Number;
        /// Percentile of memory usage that it recommends, as a fraction.
        targetMemoryPercentile: Number;
        /// Percentile of CPU usage for its lower bound, as a fraction.
        recommendationLowerBoundCPUPercentile: Number;
        /// Percentile of memory usage for its lower bound, as a fraction.
        recommendationLowerBoundMemoryPercentile: Number;
        /// Percentile of CPU usage for its upper bound, as a fraction.
        recommendationUpperBoundCPUPercentile: Number;
        /// Percentile of memory usage for its upper bound, as a fraction.
        recommendationUpperBoundMemoryPercentile: Number;
        /// After what time CPU usage counts half.
        cpuHistogramDecayHalfLife: Duration;
        /// After what time memory usage counts half.
        memoryHistogramDecayHalfLife: Duration;
        /// How long a peak of memory usage is looked for.
        memoryAggregationInterval: Duration;
        /// How many such peaks count.
        memoryAggregationIntervalCount: Integer64;
    }
}
