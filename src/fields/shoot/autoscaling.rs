//! `spec.kubernetes.clusterAutoscaler` and `spec.kubernetes.verticalPodAutoscaler`.

use crate::fields::object;
use crate::fields::shoot::kubernetes::ControlPlaneAutoscaling;

object! {
    ClusterAutoscaler {
        autoscaling: ControlPlaneAutoscaling;
        emitPerNodeGroupMetrics: Boolean;
        expander: String;
        ignoreDaemonsetsUtilization: Boolean;
        ignoreTaints: [String];
        initialNodeGroupBackoffDuration: Duration;
        maxBinpackingTime: Duration;
        maxDrainParallelism: Integer32;
        maxEmptyBulkDelete: Integer32;
        maxGracefulTerminationSeconds: Integer32;
        maxNodeGroupBackoffDuration: Duration;
        maxNodeProvisionTime: Duration;
        maxScaleDownParallelism: Integer32;
        newPodScaleUpDelay: Duration;
        nodeGroupBackoffResetTimeout: Duration;
        scaleDownDelayAfterAdd: Duration;
        scaleDownDelayAfterDelete: Duration;
        scaleDownDelayAfterFailure: Duration;
        scaleDownUnneededTime: Duration;
        scaleDownUtilizationThreshold: Number;
        scanInterval: Duration;
        startupTaints: [String];
        statusTaints: [String];
        verbosity: Integer32;
    }
}

object! {
    VerticalPodAutoscaler {
        cpuHistogramDecayHalfLife: Duration;
        enabled: Boolean filled;
        evictAfterOOMThreshold: Duration;
        evictionRateBurst: Integer32;
        evictionRateLimit: Number;
        evictionTolerance: Number;
        featureGates: {Boolean};
        maxAllowed: {Quantity};
        memoryAggregationInterval: Duration;
        memoryAggregationIntervalCount: Integer64;
        memoryHistogramDecayHalfLife: Duration;
        recommendationLowerBoundCPUPercentile: Number;
        recommendationLowerBoundMemoryPercentile: Number;
        recommendationMarginFraction: Number;
        recommendationUpperBoundCPUPercentile: Number;
        recommendationUpperBoundMemoryPercentile: Number;
        recommenderInterval: Duration;
        recommenderUpdateWorkerCount: Integer64;
        targetCPUPercentile: Number;
        targetMemoryPercentile: Number;
        updaterInterval: Duration;
    }
}
