use serde_json::{Map, Value, json};

/// Defaults a worker pool given as JSON, for rules that compare whole pools.
///
/// Mirrors SetDefaults_Worker in `pkg/apis/core/v1beta1/defaults_shoot.go`.
pub fn worker(worker: &mut Value) {
    let Some(worker) = worker.as_object_mut() else {
        return;
    };
    fill(worker, "cri", json!({"name": "containerd"}));
    fill(worker, "updateStrategy", json!("AutoRollingUpdate"));
    fill(worker, "systemComponents", json!({"allow": true}));
    let strategy = worker
        .get("updateStrategy")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    match strategy.as_str() {
        "ManualInPlaceUpdate" => {}
        "AutoInPlaceUpdate" => surge(worker, 0, 1),
        _ => surge(worker, 1, 0),
    }
    if matches!(
        strategy.as_str(),
        "AutoInPlaceUpdate" | "ManualInPlaceUpdate"
    ) {
        fill(worker, "machineControllerManager", json!({}));
        if let Some(Value::Object(settings)) = worker.get_mut("machineControllerManager") {
            fill(settings, "disableHealthTimeout", json!(true));
        }
    }
    if let Some(Value::Object(kubelet)) = worker
        .get_mut("kubernetes")
        .and_then(|kubernetes| kubernetes.get_mut("kubelet"))
    {
        fill(kubelet, "failSwapOn", json!(true));
    }
}

fn surge(worker: &mut Map<String, Value>, max_surge: u8, max_unavailable: u8) {
    fill(worker, "maxSurge", json!(max_surge));
    fill(worker, "maxUnavailable", json!(max_unavailable));
}

fn fill(object: &mut Map<String, Value>, field: &str, value: Value) {
    if object.get(field).is_none_or(Value::is_null) {
        object.insert(field.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    fn defaulted(mut worker: Value) -> Value {
        super::worker(&mut worker);
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
}
