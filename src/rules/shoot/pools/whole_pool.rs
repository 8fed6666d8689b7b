//! Worker pools and kubelet settings as a whole, compared as Kubernetes' semantic equality does.

use std::borrow::Cow;

use crate::compat::{Json, Place, Quantity, parse_duration};
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
pub(in crate::rules::shoot) fn pool<'a>(shoot: &mut Json<'a>, index: usize) -> Option<Json<'a>> {
    let workers = shoot.at(&["spec", "provider", "workers"])?.elements()?;
    let mut pool = workers.get(index)?.clone();
    defaults::worker_json(&mut pool);
    Some(pool)
}

/// The kubelet settings that hold for a pool: its own as a whole, or the Shoot's.
pub(in crate::rules::shoot) fn kubelet<'a>(shoot: &mut Json<'a>, pool: &mut Json<'a>) -> Json<'a> {
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

/// Whether two pools, or two kubelets, are the same whatever the spelling of quantities and durations.
pub(in crate::rules::shoot) fn same(a: &Json<'_>, b: &Json<'_>) -> bool {
    a.alike(b, means_the_same)
}

/// Of texts and numbers that are spelled differently.
fn means_the_same(place: Place<'_>, a: &str, b: &str) -> bool {
    let Place { block, field, .. } = place;
    if DURATIONS.contains(&field) || DURATION_BLOCKS.contains(&block) {
        let [a, b] = [a, b].map(|text| parse_duration(&text_of(text)?).ok());
        return a.is_some() && a == b;
    }
    if QUANTITIES.contains(&field) || QUANTITY_BLOCKS.contains(&block) {
        let [a, b] = [a, b].map(|text| Quantity::parse(scalar(text)?.trim()).ok());
        let [a, b] = [a, b].map(|quantity| quantity.map(|quantity| quantity.number()));
        return a.is_some() && a == b;
    }
    false
}

/// The text that stands in quotes.
fn text_of(json: &str) -> Option<Cow<'_, str>> {
    Json::text(json).read().ok()
}

/// The text that stands in quotes, or a number as it is spelled.
fn scalar(json: &str) -> Option<Cow<'_, str>> {
    match json.bytes().next()? {
        b'"' => text_of(json),
        b'-' | b'0'..=b'9' => Some(Cow::Borrowed(json)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::same;
    use crate::compat::Json;

    #[rstest]
    #[case::durations(json!({"machineControllerManager": {"machineDrainTimeout": "60s"}}), json!({"machineControllerManager": {"machineDrainTimeout": "1m"}}), true)]
    #[case::duration_blocks(json!({"evictionSoftGracePeriod": {"memoryAvailable": "60s"}}), json!({"evictionSoftGracePeriod": {"memoryAvailable": "1m"}}), true)]
    #[case::quantities(json!({"kubelet": {"kubeReserved": {"memory": "1Gi"}}}), json!({"kubelet": {"kubeReserved": {"memory": 1_073_741_824}}}), true)]
    #[case::raw_thresholds(json!({"evictionHard": {"memoryAvailable": "1Gi"}}), json!({"evictionHard": {"memoryAvailable": "1024Mi"}}), false)]
    #[case::number_and_percentage(json!({"maxSurge": 1}), json!({"maxSurge": "1"}), false)]
    #[case::configuration(json!({"providerConfig": {"machineDrainTimeout": "60s"}}), json!({"providerConfig": {"machineDrainTimeout": "1m"}}), false)]
    fn equality(#[case] a: Value, #[case] b: Value, #[case] equal: bool) {
        assert_eq!(same(&Json::of(&a), &Json::of(&b)), equal);
    }
}
