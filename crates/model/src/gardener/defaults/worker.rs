// SPDX-License-Identifier: Apache-2.0
use serde_json::json;

use crate::api::{Cri, IntOrPercent, Worker, WorkerSystemComponents};
use garden_gate_text::json::Json;

/// The defaults for an update strategy.
struct ByStrategy {
    /// `maxSurge` and `maxUnavailable`.
    surge: Option<(i32, i32)>,
    /// `machineControllerManager.disableHealthTimeout`.
    disable_health_timeout: bool,
}

const ROLLING: &str = "AutoRollingUpdate";
const CONTAINERD: &str = "containerd";

/// Returns the defaults for a strategy; an unknown strategy counts as rolling.
fn by_strategy(strategy: &str) -> ByStrategy {
    let (surge, disable_health_timeout) = match strategy {
        "ManualInPlaceUpdate" => (None, true),
        "AutoInPlaceUpdate" => (Some((0, 1)), true),
        _ => (Some((1, 0)), false),
    };
    ByStrategy { surge, disable_health_timeout }
}

/// Defaults a worker pool. Mirrors SetDefaults_Worker in `pkg/apis/core/v1beta1/defaults_shoot.go`.
pub fn worker(worker: &mut Worker) {
    worker.cri.get_or_insert_with(|| Cri { name: CONTAINERD.to_owned(), ..Cri::default() });
    worker.system_components.get_or_insert(WorkerSystemComponents { allow: true });
    let strategy = worker.update_strategy.get_or_insert_with(|| ROLLING.to_owned());
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
pub fn worker_json(worker: &mut Json<'_>) {
    worker.fill("cri", &json!({"name": CONTAINERD}));
    worker.fill("updateStrategy", &ROLLING);
    worker.fill("systemComponents", &json!({"allow": true}));
    let strategy = worker.at(&["updateStrategy"]).map(|it| it.read::<String>());
    let defaults = by_strategy(strategy.and_then(Result::ok).as_deref().unwrap_or_default());
    if let Some((max_surge, max_unavailable)) = defaults.surge {
        worker.fill("maxSurge", &max_surge);
        worker.fill("maxUnavailable", &max_unavailable);
    }
    if defaults.disable_health_timeout
        && let Some(fields) = worker.fields()
    {
        let settings = fields.entry("machineControllerManager");
        settings.complete(&json!({"disableHealthTimeout": true}));
    }
    if let Some(kubelet) = worker.at(&["kubernetes", "kubelet"]) {
        swap(kubelet);
    }
}

/// Defaults the kubelet settings of a whole Shoot, given as JSON; only Shoots with worker pools have them.
pub fn kubelet_json(kubelet: &mut Json<'_>) {
    kubelet.complete(&json!({}));
    swap(kubelet);
    kubelet.fill("imageMinimumGCAge", &"2m");
    kubelet.fill("imageMaximumGCAge", &"0s");
    kubelet.fill("imageGCHighThresholdPercent", &50);
    kubelet.fill("imageGCLowThresholdPercent", &40);
    let parallel = kubelet.at(&["maxParallelImagePulls"]).and_then(|it| it.read::<i64>().ok());
    kubelet.fill("serializeImagePulls", &parallel.is_none_or(|it| it < 2));
}

fn swap(kubelet: &mut Json<'_>) {
    kubelet.fill("failSwapOn", &true);
    let fails = kubelet.at(&["failSwapOn"]).map(|it| it.read::<bool>());
    let gate = kubelet.at(&["featureGates", "NodeSwap"]).map(|gate| gate.read::<bool>());
    if matches!((fails, gate), (Some(Ok(false)), Some(Ok(true))))
        && let Some(fields) = kubelet.fields()
    {
        fields.entry("memorySwap").complete(&json!({"swapBehavior": "LimitedSwap"}));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::api::Worker;
    use garden_gate_text::json::Json;

    fn is_made_of(raw: &Value, expected: &Value) -> bool {
        let mut worker = Json::of(raw);
        super::worker_json(&mut worker);
        worker.same(&Json::of(expected))
    }

    #[test]
    fn rolling_pools_surge() {
        let expected = json!({
            "cri": {"name": "containerd"}, "updateStrategy": "AutoRollingUpdate", "systemComponents": {"allow": true},
            "maxSurge": 1, "maxUnavailable": 0,
        });
        assert!(is_made_of(&json!({"cri": null}), &expected));
    }

    #[test]
    fn in_place_pools_do_not_surge_and_have_no_health_timeout() {
        let mut expected = json!({
            "cri": {"name": "containerd"}, "updateStrategy": "AutoInPlaceUpdate", "systemComponents": {"allow": true},
            "maxSurge": 0, "maxUnavailable": 1, "machineControllerManager": {"disableHealthTimeout": true},
        });
        assert!(is_made_of(&json!({"updateStrategy": "AutoInPlaceUpdate"}), &expected));
        for field in ["maxSurge", "maxUnavailable"] {
            expected[field] = Value::Null;
        }
        expected["updateStrategy"] = json!("ManualInPlaceUpdate");
        assert!(is_made_of(&json!({"updateStrategy": "ManualInPlaceUpdate"}), &expected));
    }

    #[test]
    fn both_forms_of_a_pool_get_the_same() {
        for strategy in
            [json!(null), json!("AutoInPlaceUpdate"), json!("ManualInPlaceUpdate"), json!("Foo")]
        {
            let raw = json!({"updateStrategy": strategy, "machine": {}});
            let mut typed: Worker = serde_json::from_value(raw.clone()).unwrap();
            super::worker(&mut typed);
            assert!(is_made_of(&raw, &serde_json::to_value(typed).unwrap()));
        }
    }
}
