// SPDX-License-Identifier: Apache-2.0
use serde::Deserialize;
use serde_json::{Map, Value};

use super::json_access::{MADE_UP, at, change, object_at, pools, text_at};
use super::shoot::fill_in;
use crate::rules::cleaned_up;
use garden_gate_model::api::{GardenerVersion, Shoot, Versions, seconds};
use garden_gate_model::gardener::defaults::{NAME_LABEL_PREFIX, drop_unstored, sync_references};

const SELF_HOSTED: &str = "shoot.gardener.cloud/self-hosted";

/// Applies the changes that the API server makes between mutating and validating admission plugins.
///
/// Mirrors PrepareForCreate, PrepareForUpdate and Canonicalize in `pkg/apiserver/registry/core/shoot/strategy.go`.
pub(super) fn prepare(
    shoot: &mut Value,
    old: Option<&Value>,
    (gardener, is_binding): (GardenerVersion, bool),
) {
    let status =
        old.and_then(|old| old.get("status")).cloned().unwrap_or_else(|| Value::Object(Map::new()));
    if let Some(shoot) = shoot.as_object_mut() {
        shoot.insert("status".to_owned(), status);
    }
    let updated = old.filter(|_| !is_binding);
    if let Some(old) = updated.filter(|_| KEEPS_SEED_NAME.contains(gardener)) {
        keep_seed_name(shoot, old);
    }
    if updated.is_some() && REDUCES_EVENT_TTL.contains(gardener) {
        reduce_event_ttl(shoot);
    }
    canonicalize_spec(shoot, old, gardener, is_binding);
    if updated.is_some() && SYNCS_ENCRYPTION.contains(gardener) {
        sync_encryption_status(shoot);
    }
    name_seeds(shoot);
    let is_self_hosted = pools(shoot).iter().any(|pool| at(pool, &["controlPlane"]).is_some());
    let labels = object_at(shoot, &["metadata", "labels"]);
    labels.remove(SELF_HOSTED);
    if is_self_hosted {
        labels.insert(SELF_HOSTED.to_owned(), "true".into());
    }
}

/// Mirrors cleanUpOperation and mustIncreaseGeneration in Gardener's shoot strategy.
///
/// Source: `pkg/apiserver/registry/core/shoot/strategy.go`.
///
/// Gardener also changes the order of several operations, at random. Those of an object that is no Shoot are [`MADE_UP`].
pub(super) fn clean_up_operations(shoot: &mut Value, old: &Value) {
    let is_changed = shoot.get("spec") != old.get("spec");
    let [new, old] = [&*shoot, old].map(|it| Shoot::deserialize(without_made_up(it)));
    let cleaned = match (new, old) {
        (Ok(new), Ok(old)) => cleaned_up(&new, &old, is_changed),
        _ => OPERATIONS.map(|name| (name, Some(MADE_UP.to_owned()))),
    };
    for (name, operations) in cleaned {
        if at(shoot, &["metadata", "annotations", name]).is_none() {
            continue;
        }
        let annotations = object_at(shoot, &["metadata", "annotations"]);
        match operations {
            Some(operations) => annotations.insert(name.to_owned(), operations.into()),
            None => annotations.remove(name),
        };
    }
}

/// The annotations with operations.
const OPERATIONS: [&str; 2] = ["gardener.cloud/operation", "maintenance.gardener.cloud/operation"];

/// Returns a value without fields that an API server generates, whose types placeholders do not have.
fn without_made_up(value: &Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, it)| *it != MADE_UP)
            .map(|(name, it)| (name.clone(), without_made_up(it)))
            .collect(),
        Value::Array(items) => items.iter().map(without_made_up).collect(),
        other => other.clone(),
    }
}

/// The versions in which only the subresource `binding` changes the seed.
const KEEPS_SEED_NAME: Versions = Versions::until(143);

fn keep_seed_name(shoot: &mut Value, old: &Value) {
    let spec = object_at(shoot, &["spec"]);
    match at(old, &["spec", "seedName"]) {
        Some(stored) => spec.insert("seedName".to_owned(), stored.clone()),
        None => spec.remove("seedName"),
    };
}

/// The versions that reduce `eventTTL` to 24 hours in updates.
const REDUCES_EVENT_TTL: Versions = Versions::since(143).and_until(146);

/// Mirrors capEventTTL in `pkg/apiserver/registry/core/shoot/strategy.go`.
fn reduce_event_ttl(shoot: &mut Value) {
    let server = shoot.pointer_mut("/spec/kubernetes/kubeAPIServer");
    let ttl = server.and_then(|it| it.get_mut("eventTTL"));
    let is_long =
        |ttl: &&mut Value| ttl.as_str().and_then(seconds).is_some_and(|it| it > 24.0 * 3600.0);
    if let Some(ttl) = ttl.filter(is_long) {
        *ttl = "24h0m0s".into();
    }
}

/// The versions that copy the encryption provider to the status in updates.
const SYNCS_ENCRYPTION: Versions = Versions::until(140);

/// Mirrors SyncEncryptedProviderStatus in `pkg/apiserver/registry/core/shoot/strategy.go`, which Gardener 1.141 removed.
fn sync_encryption_status(shoot: &mut Value) {
    let path = ["spec", "kubernetes", "kubeAPIServer", "encryptionConfig", "provider", "type"];
    let provider = text_at(shoot, &path).to_owned();
    let status = ["status", "credentials", "encryptionAtRest", "provider"];
    if !provider.is_empty() {
        let stored = object_at(shoot, &status);
        if stored.get("type").and_then(Value::as_str).unwrap_or_default().is_empty() {
            stored.insert("type".to_owned(), provider.into());
        }
    }
}

fn canonicalize_spec(
    shoot: &mut Value,
    old: Option<&Value>,
    gardener: GardenerVersion,
    is_binding: bool,
) {
    let keeps_profile = is_binding || at(shoot, &["metadata", "deletionTimestamp"]).is_some();
    let version = text_at(shoot, &["spec", "kubernetes", "version"]).to_owned();
    let name = old.map(|old| text_at(old, &["spec", "cloudProfileName"]));
    if let Some(spec) = shoot.get_mut("spec") {
        change(spec, |spec| {
            sync_references(spec, name, (&version, keeps_profile));
            drop_unstored(spec);
            // Decoding a stored object applies the defaults again, after the plugins.
            fill_in(spec, gardener);
        });
    }
}

/// Mirrors MaintainSeedNameLabels in `pkg/utils/gardener/identity.go`.
fn name_seeds(shoot: &mut Value) {
    let seeds = ["spec", "status"].map(|part| text_at(shoot, &[part, "seedName"]).to_owned());
    let labels = object_at(shoot, &["metadata", "labels"]);
    labels.retain(|label, _| !label.starts_with(NAME_LABEL_PREFIX));
    for seed in seeds.iter().filter(|seed| !seed.is_empty()) {
        labels.insert(format!("{NAME_LABEL_PREFIX}{seed}"), "true".into());
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{clean_up_operations, prepare};
    use garden_gate_model::api::GardenerVersion;

    const NOW: &str = "gardener.cloud/operation";
    const MAINTENANCE: &str = "maintenance.gardener.cloud/operation";

    #[rstest]
    #[case::update(false, "c")]
    #[case::binding(true, "other")]
    fn only_updates_synchronize_the_name_of_the_profile(
        #[case] is_binding: bool,
        #[case] expected: &str,
    ) {
        let mut shoot = json!({"spec": {
            "cloudProfile": {"kind": "CloudProfile", "name": "c"},
            "cloudProfileName": "other",
            "kubernetes": {"version": "1.32.1"},
        }});
        let old = shoot.clone();
        prepare(&mut shoot, Some(&old), (GardenerVersion::NEWEST, is_binding));
        assert_eq!(shoot["spec"]["cloudProfileName"], expected);
    }

    #[rstest]
    #[case::reconcile("reconcile", "Succeeded", None)]
    #[case::rotation("rotate-ca-start", "Succeeded", Some("rotate-ca-start"))]
    #[case::both("reconcile; rotate-ca-start", "Succeeded", Some("rotate-ca-start"))]
    #[case::repeated("rotate-ca-start;rotate-ca-start", "Succeeded", Some("rotate-ca-start"))]
    #[case::covered(
        "rotate-ca-start;rotate-credentials-start",
        "Succeeded",
        Some("rotate-credentials-start")
    )]
    #[case::retry("retry", "Failed", None)]
    #[case::reconcile_of_what_failed("reconcile", "Failed", Some("reconcile"))]
    fn operations_that_begin_are_cleaned_up(
        #[case] now: &str,
        #[case] state: &str,
        #[case] expected: Option<&str>,
    ) {
        let shoot = |region: &str| {
            json!({
                "metadata": {"annotations": {NOW: now, MAINTENANCE: "retry ;retry", "a": "b"}},
                "spec": {"region": region},
                "status": {"lastOperation": {"state": state}},
            })
        };
        let stored = |name: &str, old: &Value| {
            let mut new = shoot("eu");
            clean_up_operations(&mut new, old);
            let stored = new["metadata"]["annotations"].get(name);
            stored.and_then(Value::as_str).map(str::to_owned)
        };
        assert_eq!(stored(NOW, &shoot("eu")).as_deref(), expected);
        assert_eq!(stored(MAINTENANCE, &shoot("eu")).as_deref(), Some("retry"));
        assert_eq!(stored("a", &shoot("eu")).as_deref(), Some("b"));
        // A different change also takes effect immediately, and keeps the requested operation.
        let kept = match now {
            "reconcile; rotate-ca-start" => "reconcile;rotate-ca-start",
            "rotate-ca-start;rotate-ca-start" => "rotate-ca-start",
            now => now,
        };
        assert_eq!(stored(NOW, &shoot("us")).as_deref(), Some(kept));
    }
}
