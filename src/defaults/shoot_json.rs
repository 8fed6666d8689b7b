use serde_json::{Map, Value, json};

use crate::model::{DEFAULT_SCHEDULER, GARDEN_NAMESPACE, Toleration};

/// Defaults the spec of a Shoot of `namespace`, given as JSON, so that saying a default is no difference.
///
/// Mirrors `pkg/apis/core/v1beta1/defaults_shoot.go`, except for what it chooses at random and for blocks that are only
/// completed where they are given.
pub fn shoot_spec_json(spec: &mut Value, namespace: &str) {
    if !spec.is_object() {
        return;
    }
    // Only if all of it is absent: next to another setting, an absent one means no.
    let auto_update = spec.pointer("/maintenance/autoUpdate");
    let updates = auto_update.is_none_or(Value::is_null);
    complete(spec, of_every_shoot(updates));
    if namespace == GARDEN_NAMESPACE
        && let Some(spec) = spec.as_object_mut()
        && let Ok(mut tolerations) = tolerations_of(spec)
    {
        super::tolerate_protected(&mut tolerations);
        spec.insert("tolerations".to_owned(), json!(tolerations));
    }
    let workers = spec.pointer_mut("/provider/workers");
    if let Some(workers) = workers.and_then(Value::as_array_mut)
        && !workers.is_empty()
    {
        workers.iter_mut().for_each(super::worker_json);
        complete(spec, of_shoots_with_workers());
        super::kubelet_json(&mut spec["kubernetes"]["kubelet"]);
    }
}

fn of_every_shoot(updates: bool) -> Value {
    json!({
        "schedulerName": DEFAULT_SCHEDULER,
        "purpose": "evaluation",
        "maintenance": {"autoUpdate": {"kubernetesVersion": updates}},
        "networking": {"ipFamilies": ["IPv4"]},
        "kubernetes": {"kubeAPIServer": {
            "encryptionConfig": {"provider": {"type": "aescbc"}},
            "eventTTL": "1h0m0s",
            "logging": {"verbosity": 2},
            "requests": {"maxNonMutatingInflight": 400, "maxMutatingInflight": 200},
        }},
    })
}

fn of_shoots_with_workers() -> Value {
    json!({
        "maintenance": {"autoUpdate": {"machineImageVersion": true}},
        "provider": {"workersSettings": {"sshAccess": {"enabled": true}}},
        "systemComponents": {"coreDNS": {"autoscaling": {"mode": "horizontal"}}},
        "kubernetes": {
            "kubeAPIServer": {"defaultNotReadyTolerationSeconds": 300, "defaultUnreachableTolerationSeconds": 300},
            "kubeControllerManager": {"nodeMonitorGracePeriod": "40s"},
            "kubeProxy": {"enabled": true, "mode": "IPTables"},
            "kubeScheduler": {"profile": "balanced"},
            "kubelet": {},
        },
    })
}

/// Puts in what is absent; of what is there, objects are completed and the rest stays.
fn complete(value: &mut Value, default: Value) {
    match (value, default) {
        (Value::Object(value), Value::Object(default)) => {
            for (field, default) in default {
                complete(value.entry(field).or_insert(Value::Null), default);
            }
        }
        (value @ Value::Null, default) => *value = default,
        _ => {}
    }
}

fn tolerations_of(spec: &Map<String, Value>) -> serde_json::Result<Vec<Toleration>> {
    let tolerations = spec.get("tolerations").cloned().unwrap_or_default();
    serde_json::from_value::<Option<_>>(tolerations).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    fn defaulted(mut spec: Value) -> Value {
        super::shoot_spec_json(&mut spec, "garden-dev");
        spec
    }

    #[rstest]
    #[case::kubelet(json!({"kubernetes": {"kubelet": {}}}), json!({}))]
    #[case::proxy(json!({"kubernetes": {"kubeProxy": {"mode": "IPTables"}}}), json!({}))]
    #[case::updates(json!({"maintenance": {"autoUpdate": {"kubernetesVersion": true}}}), json!({}))]
    #[case::one_update(
        json!({"maintenance": {"autoUpdate": {"machineImageVersion": true}}}),
        json!({"maintenance": {"autoUpdate": {"kubernetesVersion": false}}})
    )]
    #[case::addresses(json!({"networking": {"type": "calico"}}), json!({"networking": {"type": "calico", "ipFamilies": ["IPv4"]}}))]
    fn saying_a_default_is_no_difference(#[case] mut one: Value, #[case] mut other: Value) {
        for spec in [&mut one, &mut other] {
            spec["provider"] = json!({"workers": [{"name": "a"}]});
        }
        assert_eq!(defaulted(one), defaulted(other));
    }

    #[test]
    fn what_is_said_stays() {
        let spec = defaulted(
            json!({"kubernetes": {"kubeProxy": {"enabled": false}}, "provider": {"workers": [{}]}}),
        );
        let proxy = json!({"enabled": false, "mode": "IPTables"});
        assert_eq!(spec["kubernetes"]["kubeProxy"], proxy);
    }

    #[test]
    fn shoots_without_workers_have_no_kubelet() {
        assert_eq!(defaulted(json!({}))["kubernetes"]["kubelet"], Value::Null);
    }
}
