use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::json_access::{MADE_UP, at, at_mut, object_at, text_at};

/// The path of a section, and the defaults that complete it if it is set.
type Section = (&'static [&'static str], &'static LazyLock<Value>);

static SECTIONS: [Section; 3] = [
    (&["kubernetes", "verticalPodAutoscaler"], &VERTICAL),
    (&["kubernetes", "clusterAutoscaler"], &CLUSTER),
    (&["addons", "nginxIngress"], &INGRESS),
];

/// Adds the defaults that [`shoot_spec_json`](crate::defaults::shoot_spec_json) does not add.
pub(super) fn fill_in(spec: &mut Value) {
    let has_workers = at(spec, &["provider", "workers"])
        .and_then(Value::as_array)
        .is_some_and(|it| !it.is_empty());
    if has_workers {
        fill_in_masks(spec);
        fill_in_dns_mode(spec);
        fill_in_dashboard(spec);
    }
    fill_in_exposure(spec);
    for (path, defaults) in SECTIONS {
        if at(spec, path).is_some_and(Value::is_object) {
            complete(object_at(spec, path), defaults);
        }
    }
    fill_in_parallelism(spec);
    fill_in_rotations(spec);
    let maintenance = object_at(spec, &["maintenance"]);
    maintenance
        .entry("timeWindow")
        .or_insert_with(|| MADE_UP.into());
}

/// Adds missing fields, at the first level only.
fn complete(fields: &mut Map<String, Value>, defaults: &Value) {
    for (name, default) in defaults.as_object().into_iter().flatten() {
        if !fields.contains_key(name) {
            fields.insert(name.clone(), default.clone());
        }
    }
}

const MASK: &str = "nodeCIDRMaskSize";
const MASK_IPV6: &str = "nodeCIDRMaskSizeIPv6";

fn fill_in_masks(spec: &mut Value) {
    let families = at(spec, &["networking", "ipFamilies"]).and_then(Value::as_array);
    let has = |family| families.is_some_and(|it| it.iter().any(|it| it == family));
    let (four, six) = (has("IPv4"), has("IPv6"));
    let mask = node_mask(spec);
    let manager = object_at(spec, &["kubernetes", "kubeControllerManager"]);
    match (four, six) {
        (true, false) => complete(manager, &json!({MASK: mask})),
        (true, true) => complete(manager, &json!({MASK: mask, MASK_IPV6: 64})),
        (false, true) if !manager.contains_key(MASK_IPV6) => complete(manager, &json!({MASK: 64})),
        _ => {}
    }
}

/// Returns the node CIDR mask size, with about twice as many addresses as the maximum number of pods.
fn node_mask(spec: &Value) -> i64 {
    let own = |value: &Value| at(value, &["kubelet", "maxPods"]).and_then(Value::as_i64);
    let of_shoot = spec.get("kubernetes").and_then(own);
    let pools = at(spec, &["provider", "workers"]).and_then(Value::as_array);
    let of_pools = pools.into_iter().flatten();
    let of_pools = of_pools.filter_map(|pool| own(pool.get("kubernetes")?));
    let most = of_pools.fold(of_shoot.unwrap_or(110), i64::max);
    let addresses = most.saturating_mul(2).max(1).unsigned_abs();
    32 - i64::from(addresses.next_power_of_two().trailing_zeros())
}

fn fill_in_dns_mode(spec: &mut Value) {
    let autoscaling = object_at(spec, &["systemComponents", "coreDNS", "autoscaling"]);
    let mode = autoscaling.get("mode").and_then(Value::as_str);
    if !matches!(mode, Some("horizontal" | "cluster-proportional")) {
        autoscaling.insert("mode".to_owned(), "horizontal".into());
    }
}

fn fill_in_dashboard(spec: &mut Value) {
    let dashboard = ["addons", "kubernetesDashboard"];
    let enabled = at(spec, &dashboard).and_then(|it| at(it, &["enabled"]));
    if enabled == Some(&Value::Bool(true)) {
        complete(
            object_at(spec, &dashboard),
            &json!({"authenticationMode": "token"}),
        );
    }
}

/// Sets the provider's extension as exposure of control plane pools that define none.
fn fill_in_exposure(spec: &mut Value) {
    let provider = text_at(spec, &["provider", "type"]).to_owned();
    let pools = at_mut(spec, &["provider", "workers"]);
    for pool in pools.and_then(Value::as_array_mut).into_iter().flatten() {
        let extension = ["controlPlane", "exposure", "extension"];
        if at(pool, &extension).is_some_and(Value::is_object) {
            complete(object_at(pool, &extension), &json!({"type": provider}));
        }
    }
}

fn fill_in_parallelism(spec: &mut Value) {
    let autoscaler = ["kubernetes", "clusterAutoscaler"];
    if at(spec, &autoscaler).is_some_and(Value::is_object) {
        let autoscaler = object_at(spec, &autoscaler);
        let most = autoscaler.get("maxEmptyBulkDelete").cloned();
        let most = most.unwrap_or_else(|| 10.into());
        complete(autoscaler, &json!({"maxScaleDownParallelism": most}));
    }
}

fn fill_in_rotations(spec: &mut Value) {
    let credentials = at_mut(spec, &["maintenance", "autoRotation", "credentials"]);
    let credentials = credentials.and_then(Value::as_object_mut).into_iter();
    for rotation in credentials.flat_map(Map::values_mut) {
        if let Value::Object(rotation) = rotation {
            complete(rotation, &ROTATION);
        }
    }
}

static ROTATION: LazyLock<Value> = LazyLock::new(|| json!({"rotationPeriod": "168h0m0s"}));

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

static CLUSTER: LazyLock<Value> = LazyLock::new(|| {
    json!({
        "scaleDownDelayAfterAdd": "1h0m0s", "scaleDownDelayAfterDelete": "0s", "scaleDownDelayAfterFailure": "3m0s",
        "scaleDownUnneededTime": "30m0s", "scaleDownUtilizationThreshold": 0.5, "scanInterval": "10s",
        "expander": "least-waste", "maxNodeProvisionTime": "20m0s", "maxGracefulTerminationSeconds": 600,
        "ignoreDaemonsetsUtilization": false, "emitPerNodeGroupMetrics": false, "verbosity": 2, "newPodScaleUpDelay": "0s",
        "maxDrainParallelism": 1, "initialNodeGroupBackoffDuration": "5m0s", "maxNodeGroupBackoffDuration": "30m0s",
        "nodeGroupBackoffResetTimeout": "3h0m0s", "maxBinpackingTime": "5m0s",
    })
});
