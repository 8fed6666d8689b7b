use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::json_access::{at, at_mut, object_at, pools, text_at};
use crate::compat::is_at_least;
use crate::defaults::NAME_LABEL_PREFIX;
use crate::model::Shoot;
use crate::rules::cleaned_up;

const SELF_HOSTED: &str = "shoot.gardener.cloud/self-hosted";

/// Applies the changes that the API server makes between mutating and validating admission plugins.
///
/// Mirrors PrepareForCreate, PrepareForUpdate and Canonicalize in `pkg/apiserver/registry/core/shoot/strategy.go`.
pub(super) fn prepare(shoot: &mut Value, old: Option<&Value>) {
    let status = old.and_then(|old| old.get("status")).cloned();
    let status = status.unwrap_or_else(|| Value::Object(Map::new()));
    if let Some(shoot) = shoot.as_object_mut() {
        shoot.insert("status".to_owned(), status);
    }
    name_profile_once(shoot, old);
    name_dns_credentials_twice(shoot);
    drop_what_says_nothing(shoot);
    name_seeds(shoot);
    let is_self_hosted = pools(shoot)
        .iter()
        .any(|pool| at(pool, &["controlPlane"]).is_some());
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
/// Gardener also changes the order of several operations, at random.
pub(super) fn clean_up_operations(shoot: &mut Value, old: &Value) {
    let is_changed = shoot.get("spec") != old.get("spec");
    let [new, old] = [&*shoot, old].map(|it| Shoot::deserialize(it).ok());
    let Some((new, old)) = new.zip(old) else {
        return;
    };
    for (name, operations) in cleaned_up(&new, &old, is_changed) {
        if new.annotation(name).is_none() {
            continue;
        }
        let annotations = object_at(shoot, &["metadata", "annotations"]);
        match operations {
            Some(operations) => annotations.insert(name.to_owned(), operations.into()),
            None => annotations.remove(name),
        };
    }
}

fn is_from(shoot: &Value, minor: u64) -> bool {
    is_at_least(text_at(shoot, &["spec", "kubernetes", "version"]), 1, minor)
}

/// Mirrors SyncCloudProfileFields in `pkg/utils/gardener/cloudprofile.go`.
fn name_profile_once(shoot: &mut Value, old: Option<&Value>) {
    if at(shoot, &["metadata", "deletionTimestamp"]).is_some() {
        return;
    }
    let (keeps_name, is_apart) = (!is_from(shoot, 33), is_from(shoot, 34));
    let old_name = old.map(|old| text_at(old, &["spec", "cloudProfileName"]).to_owned());
    let spec = object_at(shoot, &["spec"]);
    let named = spec
        .get("cloudProfileName")
        .and_then(Value::as_str)
        .map(str::to_owned);
    if let (None, Some(name), false) = (spec.get("cloudProfile"), &named, is_apart) {
        let reference = json!({"kind": "CloudProfile", "name": name});
        spec.insert("cloudProfile".to_owned(), reference);
    }
    let Some(reference) = spec.get_mut("cloudProfile") else {
        return;
    };
    if text_at(reference, &["kind"]).is_empty() {
        object_at(reference, &[]).insert("kind".to_owned(), "CloudProfile".into());
    }
    let is_cluster = text_at(reference, &["kind"]) == "CloudProfile";
    let name = text_at(reference, &["name"]).to_owned();
    let is_same = named.as_ref() == Some(&name);
    if is_apart {
        if is_cluster && is_same && old_name == named {
            spec.remove("cloudProfileName");
        }
    } else if !is_cluster {
        spec.remove("cloudProfileName");
    } else if keeps_name || named.is_some_and(|named| !named.is_empty() && !is_same) {
        spec.insert("cloudProfileName".to_owned(), name.into());
    }
}

/// Mirrors SyncDNSProviderCredentials in `pkg/apiserver/registry/core/shoot/strategy.go`.
fn name_dns_credentials_twice(shoot: &mut Value) {
    if is_from(shoot, 35) {
        return;
    }
    let providers = at_mut(shoot, &["spec", "dns", "providers"]);
    for provider in providers
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        let secret = at(provider, &["secretName"])
            .and_then(Value::as_str)
            .map(str::to_owned);
        let reference = at(provider, &["credentialsRef"]).cloned();
        let fields = object_at(provider, &[]);
        match (secret, reference) {
            (Some(name), None) => {
                let reference = json!({"apiVersion": "v1", "kind": "Secret", "name": name});
                fields.insert("credentialsRef".to_owned(), reference);
            }
            (None, Some(reference))
                if text_at(&reference, &["apiVersion"]) == "v1"
                    && text_at(&reference, &["kind"]) == "Secret" =>
            {
                let name = text_at(&reference, &["name"]);
                fields.insert("secretName".to_owned(), name.into());
            }
            _ => {}
        }
    }
}

fn drop_what_says_nothing(shoot: &mut Value) {
    if let Some(autoscaler) = at_mut(shoot, &["spec", "kubernetes", "clusterAutoscaler"]) {
        object_at(autoscaler, &[]).remove("maxEmptyBulkDelete");
    }
    let anonymous = "enableAnonymousAuthentication";
    let server = at_mut(shoot, &["spec", "kubernetes", "kubeAPIServer"]);
    if let Some(server) = server.filter(|it| it.get(anonymous) == Some(&false.into())) {
        object_at(server, &[]).remove(anonymous);
    }
    let Some(addons) = at(shoot, &["spec", "addons"]) else {
        return;
    };
    let dashboard = at(addons, &["kubernetesDashboard"]);
    let is_off = dashboard.is_some_and(|it| at(it, &["enabled"]) != Some(&true.into()));
    if is_off && at(addons, &["nginxIngress"]).is_none() {
        object_at(shoot, &["spec"]).remove("addons");
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

    use super::clean_up_operations;

    const NOW: &str = "gardener.cloud/operation";
    const MAINTENANCE: &str = "maintenance.gardener.cloud/operation";

    #[rstest]
    #[case::reconcile("reconcile", "Succeeded", None)]
    #[case::rotation("rotate-ca-start", "Succeeded", Some("rotate-ca-start"))]
    #[case::both("reconcile; rotate-ca-start", "Succeeded", Some("rotate-ca-start"))]
    #[case::repeated(
        "rotate-ca-start;rotate-ca-start",
        "Succeeded",
        Some("rotate-ca-start")
    )]
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
