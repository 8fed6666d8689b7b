use serde_json::{Map, Value, json};

use crate::model::{IntOrPercent, Worker, WorkerCri, WorkerSystemComponents};

/// What is filled in for an update strategy.
struct ByStrategy {
    /// `maxSurge` and `maxUnavailable`.
    surge: Option<(i32, i32)>,
    /// `machineControllerManager.disableHealthTimeout`.
    disable_health_timeout: bool,
}

const ROLLING: &str = "AutoRollingUpdate";
const CONTAINERD: &str = "containerd";

/// An unknown strategy counts as rolling.
fn by_strategy(strategy: &str) -> ByStrategy {
    let (surge, disable_health_timeout) = match strategy {
        "ManualInPlaceUpdate" => (None, true),
        "AutoInPlaceUpdate" => (Some((0, 1)), true),
        _ => (Some((1, 0)), false),
    };
    ByStrategy {
        surge,
        disable_health_timeout,
    }
}

/// Defaults a worker pool. Mirrors SetDefaults_Worker in `pkg/apis/core/v1beta1/defaults_shoot.go`.
pub fn worker(worker: &mut Worker) {
    worker.cri.get_or_insert_with(|| WorkerCri {
        name: CONTAINERD.to_owned(),
        ..WorkerCri::default()
    });
    worker
        .system_components
        .get_or_insert(WorkerSystemComponents { allow: true });
    let strategy = worker
        .update_strategy
        .get_or_insert_with(|| ROLLING.to_owned());
    let defaults = by_strategy(strategy);
    if let Some((max_surge, max_unavailable)) = defaults.surge {
        let (surge, unavailable) = (&mut worker.max_surge, &mut worker.max_unavailable);
        surge.get_or_insert(IntOrPercent::Int(max_surge));
        unavailable.get_or_insert(IntOrPercent::Int(max_unavailable));
    }
    if defaults.disable_health_timeout {
        let settings = worker.machine_controller_manager.get_or_insert_default();
        settings.disable_health_timeout.get_or_insert(true);
    }
}

/// Defaults a worker pool given as JSON, for rules that compare whole pools.
pub fn worker_json(worker: &mut Value) {
    let Some(worker) = worker.as_object_mut() else {
        return;
    };
    fill(worker, "cri", json!({"name": CONTAINERD}));
    fill(worker, "updateStrategy", json!(ROLLING));
    fill(worker, "systemComponents", json!({"allow": true}));
    let strategy = worker.get("updateStrategy").and_then(Value::as_str);
    let defaults = by_strategy(strategy.unwrap_or_default());
    if let Some((max_surge, max_unavailable)) = defaults.surge {
        fill(worker, "maxSurge", json!(max_surge));
        fill(worker, "maxUnavailable", json!(max_unavailable));
    }
    if defaults.disable_health_timeout {
        fill(worker, "machineControllerManager", json!({}));
        if let Some(Value::Object(settings)) = worker.get_mut("machineControllerManager") {
            fill(settings, "disableHealthTimeout", json!(true));
        }
    }
    if let Some(Value::Object(kubelet)) = worker
        .get_mut("kubernetes")
        .and_then(|kubernetes| kubernetes.get_mut("kubelet"))
    {
        swap(kubelet);
    }
}

/// Defaults the kubelet settings of a whole Shoot, given as JSON; only Shoots with worker pools have them.
pub fn kubelet_json(kubelet: &mut Value) {
    if kubelet.is_null() {
        *kubelet = json!({});
    }
    let Some(kubelet) = kubelet.as_object_mut() else {
        return;
    };
    swap(kubelet);
    fill(kubelet, "imageMinimumGCAge", json!("2m"));
    fill(kubelet, "imageMaximumGCAge", json!("0s"));
    fill(kubelet, "imageGCHighThresholdPercent", json!(50));
    fill(kubelet, "imageGCLowThresholdPercent", json!(40));
    let parallel = kubelet.get("maxParallelImagePulls").and_then(Value::as_i64);
    let serial = parallel.is_none_or(|pulls| pulls < 2);
    fill(kubelet, "serializeImagePulls", json!(serial));
}

fn swap(kubelet: &mut Map<String, Value>) {
    fill(kubelet, "failSwapOn", json!(true));
    let node_swap = kubelet.get("featureGates").map(|gates| &gates["NodeSwap"]);
    if node_swap == Some(&Value::Bool(true)) && kubelet.get("failSwapOn") == Some(&json!(false)) {
        fill(kubelet, "memorySwap", json!({}));
        if let Some(Value::Object(swap)) = kubelet.get_mut("memorySwap") {
            fill(swap, "swapBehavior", json!("LimitedSwap"));
        }
    }
}

fn fill(object: &mut Map<String, Value>, field: &str, value: Value) {
    if object.get(field).is_none_or(Value::is_null) {
        object.insert(field.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::model::Worker;

    fn defaulted(mut worker: Value) -> Value {
        super::worker_json(&mut worker);
        worker
    }

    #[test]
    fn rolling_pools_surge() {
        let worker = defaulted(json!({"cri": null}));
        assert_eq!(worker["cri"], json!({"name": "containerd"}));
        assert_eq!(
            (&worker["maxSurge"], &worker["maxUnavailable"]),
            (&json!(1), &json!(0))
        );
        assert!(worker.get("machineControllerManager").is_none());
    }

    #[test]
    fn in_place_pools_do_not_surge_and_have_no_health_timeout() {
        let worker = defaulted(json!({"updateStrategy": "AutoInPlaceUpdate"}));
        assert_eq!(
            (&worker["maxSurge"], &worker["maxUnavailable"]),
            (&json!(0), &json!(1))
        );
        assert_eq!(
            worker["machineControllerManager"],
            json!({"disableHealthTimeout": true})
        );
        let manual = defaulted(json!({"updateStrategy": "ManualInPlaceUpdate"}));
        assert!(manual.get("maxSurge").is_none());
    }

    #[test]
    fn both_forms_of_a_pool_get_the_same() {
        for strategy in [
            json!(null),
            json!("AutoInPlaceUpdate"),
            json!("ManualInPlaceUpdate"),
            json!("Foo"),
        ] {
            let raw = json!({"updateStrategy": strategy, "machine": {}});
            let mut typed: Worker = serde_json::from_value(raw.clone()).unwrap();
            super::worker(&mut typed);
            assert_eq!(serde_json::to_value(typed).unwrap(), defaulted(raw));
        }
    }
}
