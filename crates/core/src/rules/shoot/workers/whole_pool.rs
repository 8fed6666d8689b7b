// SPDX-License-Identifier: Apache-2.0
//! Worker pools and kubelet settings as a whole, compared as Kubernetes' semantic equality does.

use garden_gate_model::api::Declared;
use garden_gate_model::gardener::defaults;
use garden_gate_text::json::{Json, Typing as _};

/// The path of a Shoot's worker pools.
const WORKERS: [&str; 3] = ["spec", "provider", "workers"];
/// The path of a Shoot's kubelet settings.
const KUBELET: [&str; 3] = ["spec", "kubernetes", "kubelet"];

/// Returns a worker pool of a Shoot as JSON, with defaults.
pub(crate) fn pool<'a>(shoot: &mut Json<'a>, index: usize) -> Option<Json<'a>> {
    let workers = shoot.at(&WORKERS)?.elements()?;
    let mut pool = workers.get(index)?.clone();
    defaults::worker_json(&mut pool);
    Some(pool)
}

/// Returns the kubelet settings that apply to a pool: its own as a whole, or the Shoot's.
pub(crate) fn kubelet<'a>(shoot: &mut Json<'a>, pool: &mut Json<'a>) -> Json<'a> {
    let path = ["kubernetes", "kubelet"];
    match pool.at(&path).filter(|own| !own.is_null()) {
        Some(own) => own.clone(),
        None => {
            let shared = shoot.at(&["spec"]).and_then(|spec| spec.at(&path).cloned());
            let mut kubelet = shared.unwrap_or(Json::text("null"));
            defaults::kubelet_json(&mut kubelet);
            kubelet
        }
    }
}

/// Reports whether two pools are equal after decoding.
pub(crate) fn same(a: &Json<'_>, b: &Json<'_>) -> bool {
    a.same_as(b, Declared::at("Shoot", &WORKERS).item())
}

/// Reports whether two kubelet settings are equal after decoding.
pub(crate) fn same_kubelet(a: &Json<'_>, b: &Json<'_>) -> bool {
    a.same_as(b, Declared::at("Shoot", &KUBELET))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{same, same_kubelet};
    use garden_gate_text::json::Json;

    #[rstest]
    #[case::durations(json!({"machineControllerManager": {"machineDrainTimeout": "60s"}}), json!({"machineControllerManager": {"machineDrainTimeout": "1m"}}), true)]
    #[case::number_and_percentage(json!({"maxSurge": 1}), json!({"maxSurge": "1"}), false)]
    #[case::configuration(json!({"providerConfig": {"machineDrainTimeout": "60s"}}), json!({"providerConfig": {"machineDrainTimeout": "1m"}}), false)]
    fn pools_are_equal_by_value(#[case] a: Value, #[case] b: Value, #[case] equal: bool) {
        assert_eq!(same(&Json::of(&a), &Json::of(&b)), equal);
    }

    #[rstest]
    #[case::durations(json!({"evictionSoftGracePeriod": {"memoryAvailable": "60s"}}), json!({"evictionSoftGracePeriod": {"memoryAvailable": "1m"}}), true)]
    #[case::quantities(json!({"kubeReserved": {"memory": "1Gi"}}), json!({"kubeReserved": {"memory": 1_073_741_824}}), true)]
    #[case::thresholds_are_strings(json!({"evictionHard": {"memoryAvailable": "1Gi"}}), json!({"evictionHard": {"memoryAvailable": "1024Mi"}}), false)]
    fn kubelets_are_equal_by_value(#[case] a: Value, #[case] b: Value, #[case] equal: bool) {
        assert_eq!(same_kubelet(&Json::of(&a), &Json::of(&b)), equal);
    }
}
