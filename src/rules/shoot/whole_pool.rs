//! Worker pools and kubelet settings as a whole, compared as Kubernetes' semantic equality does.

use serde_json::Value;

use crate::compat::{Quantity, parse_duration, semantically_equal};
use crate::defaults;

/// Fields of pools and kubelets that hold durations.
const DURATIONS: &[&str] = &[
    "evictionPressureTransitionPeriod",
    "imageMaximumGCAge",
    "imageMinimumGCAge",
    "inPlaceUpdateTimeout",
    "machineCreationTimeout",
    "machineDrainTimeout",
    "machineHealthTimeout",
    "machinePreserveTimeout",
    "maxNodeProvisionTime",
    "scaleDownUnneededTime",
    "scaleDownUnreadyTime",
    "streamingConnectionIdleTimeout",
];
/// Blocks with nothing but durations.
const DURATION_BLOCKS: &[&str] = &["evictionSoftGracePeriod"];
/// Fields that hold quantities.
const QUANTITIES: &[&str] = &["containerLogMaxSize"];
/// Blocks with nothing but quantities.
const QUANTITY_BLOCKS: &[&str] = &["evictionMinimumReclaim", "kubeReserved"];

/// A worker pool of a Shoot given as JSON, defaulted.
pub(super) fn pool(shoot: &Value, index: usize) -> Value {
    let mut pool = shoot["spec"]["provider"]["workers"][index].clone();
    defaults::worker_json(&mut pool);
    pool
}

/// The kubelet settings that hold for a pool: its own as a whole, or the Shoot's.
pub(super) fn kubelet(shoot: &Value, pool: &Value) -> Value {
    let own = &pool["kubernetes"]["kubelet"];
    if !own.is_null() {
        return own.clone();
    }
    let mut kubelet = shoot["spec"]["kubernetes"]["kubelet"].clone();
    defaults::kubelet_json(&mut kubelet);
    kubelet
}

/// Whether two pools, or two kubelets, are the same whatever the spelling of quantities and durations.
pub(super) fn same(mut a: Value, mut b: Value) -> bool {
    spell_out("", "", &mut a);
    spell_out("", "", &mut b);
    semantically_equal(&a, &b)
}

/// Puts numbers in the place of durations and quantities.
fn spell_out(block: &str, field: &str, value: &mut Value) {
    match value {
        Value::Object(fields) => {
            // What only a provider or the operating system understands is compared as it stands.
            for (name, value) in fields
                .iter_mut()
                .filter(|(name, _)| *name != "providerConfig")
            {
                spell_out(field, name, value);
            }
        }
        Value::Array(elements) => elements
            .iter_mut()
            .for_each(|element| spell_out(block, field, element)),
        Value::String(text) if DURATIONS.contains(&field) || DURATION_BLOCKS.contains(&block) => {
            if let Ok(duration) = parse_duration(text) {
                *value = Value::from(duration.as_nanos().to_string());
            }
        }
        Value::String(_) | Value::Number(_)
            if QUANTITIES.contains(&field) || QUANTITY_BLOCKS.contains(&block) =>
        {
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            if let Ok(quantity) = Quantity::parse(text.trim()) {
                *value = Value::from(quantity.number());
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::same;

    #[rstest]
    #[case::durations(json!({"machineControllerManager": {"machineDrainTimeout": "60s"}}), json!({"machineControllerManager": {"machineDrainTimeout": "1m"}}), true)]
    #[case::duration_blocks(json!({"evictionSoftGracePeriod": {"memoryAvailable": "60s"}}), json!({"evictionSoftGracePeriod": {"memoryAvailable": "1m"}}), true)]
    #[case::quantities(json!({"kubelet": {"kubeReserved": {"memory": "1Gi"}}}), json!({"kubelet": {"kubeReserved": {"memory": 1_073_741_824}}}), true)]
    #[case::raw_thresholds(json!({"evictionHard": {"memoryAvailable": "1Gi"}}), json!({"evictionHard": {"memoryAvailable": "1024Mi"}}), false)]
    #[case::number_and_percentage(json!({"maxSurge": 1}), json!({"maxSurge": "1"}), false)]
    #[case::configuration(json!({"providerConfig": {"machineDrainTimeout": "60s"}}), json!({"providerConfig": {"machineDrainTimeout": "1m"}}), false)]
    fn equality(#[case] a: Value, #[case] b: Value, #[case] equal: bool) {
        assert_eq!(same(a, b), equal);
    }
}
