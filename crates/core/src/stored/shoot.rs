// SPDX-License-Identifier: Apache-2.0
use std::sync::LazyLock;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::json_access::MADE_UP;
use garden_gate_model::api::{GardenerVersion, Versions};
use garden_gate_text::json::{Fields, Json};

/// The path of a section, and the defaults that complete it if it is set.
type Section = (&'static [&'static str], &'static LazyLock<Value>);

static SECTIONS: [Section; 3] = [
    (&["kubernetes", "verticalPodAutoscaler"], &VERTICAL),
    (&["kubernetes", "clusterAutoscaler"], &CLUSTER),
    (&["addons", "nginxIngress"], &INGRESS),
];

/// Adds the defaults that [`shoot_spec_json`](garden_gate_model::gardener::defaults::shoot_spec_json) does not add.
pub(super) fn fill_in(spec: &mut Json<'_>, gardener: GardenerVersion) {
    let workers = spec.at(&["provider", "workers"]).and_then(Json::elements);
    if workers.is_some_and(|it| !it.is_empty()) {
        fill_in_masks(spec);
        if let Some(dashboard) = section(spec, &["addons", "kubernetesDashboard"])
            && matches!(read(dashboard, &["enabled"]), Some(true))
        {
            dashboard.fill("authenticationMode", &"token");
        }
    }
    fill_in_exposure(spec);
    for (path, defaults) in SECTIONS {
        if let Some(section) = section(spec, path) {
            section.complete(defaults);
        }
    }
    if let Some(autoscaler) = section(spec, &["kubernetes", "clusterAutoscaler"]) {
        for (field, versions, default) in OF_VERSIONS {
            if versions.contains(gardener) {
                autoscaler.complete(&json!({ field: default() }));
            }
        }
        let most = read(autoscaler, &["maxEmptyBulkDelete"]).unwrap_or(10);
        autoscaler.fill("maxScaleDownParallelism", &most);
    }
    let credentials =
        spec.at(&["maintenance", "autoRotation", "credentials"]).and_then(Json::fields);
    for rotation in credentials.into_iter().flat_map(Fields::values_mut) {
        rotation.fill("rotationPeriod", &"168h0m0s");
    }
    spec.complete(&json!({"maintenance": {"timeWindow": MADE_UP}}));
}

/// Returns the value at a path unless it is `null`.
fn section<'j, 'a>(spec: &'j mut Json<'a>, path: &[&str]) -> Option<&'j mut Json<'a>> {
    spec.at(path).filter(|it| !it.is_null())
}

fn read<T: DeserializeOwned>(value: &mut Json<'_>, path: &[&str]) -> Option<T> {
    value.at(path)?.read().ok()
}

const MASK: &str = "nodeCIDRMaskSize";
const MASK_IPV6: &str = "nodeCIDRMaskSizeIPv6";

fn fill_in_masks(spec: &mut Json<'_>) {
    let families: Vec<String> = read(spec, &["networking", "ipFamilies"]).unwrap_or_default();
    let has = |family: &str| families.iter().any(|it| it == family);
    let mask = node_mask(spec);
    let manager = ["kubernetes", "kubeControllerManager"];
    let has_own = section(spec, &[&manager[..], &[MASK_IPV6]].concat()).is_some();
    let masks = match (has("IPv4"), has("IPv6")) {
        (true, false) => json!({MASK: mask}),
        (true, true) => json!({MASK: mask, MASK_IPV6: 64}),
        (false, true) if !has_own => json!({MASK: 64}),
        _ => json!({}),
    };
    spec.complete(&json!({"kubernetes": {"kubeControllerManager": masks}}));
}

/// Returns the node CIDR mask size, with about twice as many addresses as the maximum number of pods.
fn node_mask(spec: &mut Json<'_>) -> i64 {
    const MAX_PODS: [&str; 3] = ["kubernetes", "kubelet", "maxPods"];
    let of_shoot = read(spec, &MAX_PODS).unwrap_or(110);
    let pools = spec.at(&["provider", "workers"]).and_then(Json::elements).into_iter().flatten();
    let of_pools = pools.filter_map(|pool| read(pool, &MAX_PODS));
    let most = of_pools.fold(of_shoot, i64::max);
    let addresses = most.saturating_mul(2).max(1).unsigned_abs();
    32 - i64::from(addresses.next_power_of_two().trailing_zeros())
}

/// Sets the provider's extension as exposure of control plane pools that define none.
fn fill_in_exposure(spec: &mut Json<'_>) {
    let provider: String = read(spec, &["provider", "type"]).unwrap_or_default();
    let pools = spec.at(&["provider", "workers"]).and_then(Json::elements);
    for pool in pools.into_iter().flatten() {
        if let Some(extension) = section(pool, &["controlPlane", "exposure", "extension"]) {
            extension.fill("type", &provider);
        }
    }
}

static INGRESS: LazyLock<Value> = LazyLock::new(|| json!({"externalTrafficPolicy": "Cluster"}));

static VERTICAL: LazyLock<Value> = LazyLock::new(|| {
    json!({
        "evictAfterOOMThreshold": "10m0s", "evictionRateBurst": 1, "evictionRateLimit": -1, "evictionTolerance": 0.5,
        "recommendationMarginFraction": 0.15, "updaterInterval": "1m0s", "recommenderInterval": "1m0s",
        "targetCPUPercentile": 0.9, "recommendationLowerBoundCPUPercentile": 0.5,
        "recommendationUpperBoundCPUPercentile": 0.95, "cpuHistogramDecayHalfLife": "24h0m0s",
        "targetMemoryPercentile": 0.9, "recommendationLowerBoundMemoryPercentile": 0.5,
        "recommendationUpperBoundMemoryPercentile": 0.95, "memoryHistogramDecayHalfLife": "24h0m0s",
        "memoryAggregationInterval": "24h0m0s", "memoryAggregationIntervalCount": 8, "recommenderUpdateWorkerCount": 10,
    })
});

/// A field that only some versions of Gardener have, and its default.
type Versioned = (&'static str, Versions, fn() -> Value);

/// Defaults of the cluster autoscaler that only some versions of Gardener have.
const OF_VERSIONS: [Versioned; 2] = [
    ("emitPerNodeGroupMetrics", Versions::since(141), || json!(false)),
    ("maxBinpackingTime", Versions::since(142), || json!("5m0s")),
];

static CLUSTER: LazyLock<Value> = LazyLock::new(|| {
    json!({
        "scaleDownDelayAfterAdd": "1h0m0s", "scaleDownDelayAfterDelete": "0s", "scaleDownDelayAfterFailure": "3m0s",
        "scaleDownUnneededTime": "30m0s", "scaleDownUtilizationThreshold": 0.5, "scanInterval": "10s",
        "expander": "least-waste", "maxNodeProvisionTime": "20m0s", "maxGracefulTerminationSeconds": 600,
        "ignoreDaemonsetsUtilization": false, "verbosity": 2, "newPodScaleUpDelay": "0s",
        "maxDrainParallelism": 1, "initialNodeGroupBackoffDuration": "5m0s", "maxNodeGroupBackoffDuration": "30m0s",
        "nodeGroupBackoffResetTimeout": "3h0m0s",
    })
});
