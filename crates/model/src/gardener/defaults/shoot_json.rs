// SPDX-License-Identifier: Apache-2.0
use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::api::{DEFAULT_SCHEDULER, GARDEN_NAMESPACE, Toleration};
use garden_gate_text::json::{Fields, Json};

/// Defaults the spec of a Shoot of `namespace`, given as JSON.
///
/// So an explicit default value is not a difference. Mirrors `pkg/apis/core/v1beta1/defaults_shoot.go`, except for random values and for
/// blocks that are only completed if they are present.
pub fn shoot_spec_json(spec: &mut Json<'_>, namespace: &str) {
    let Some(fields) = spec.fields() else {
        return;
    };
    if namespace == GARDEN_NAMESPACE {
        tolerate_protected(fields);
    }
    // Only if the whole section is absent: next to another setting, an absent one means no.
    let auto_update = spec.at(&["maintenance", "autoUpdate"]);
    let updates = auto_update.is_none_or(|it| it.is_null());
    spec.complete(&UPDATES[usize::from(updates)]);
    spec.complete(&OF_EVERY_SHOOT);
    let Some(workers) =
        spec.at(&["provider", "workers"]).and_then(Json::elements).filter(|it| !it.is_empty())
    else {
        return;
    };
    workers.iter_mut().for_each(super::worker_json);
    spec.complete(&OF_SHOOTS_WITH_WORKERS);
    if let Some(kubelet) = spec.at(&["kubernetes", "kubelet"]) {
        super::kubelet_json(kubelet);
    }
    replace_dns_mode(spec);
}

/// Replaces an unknown mode by the default.
fn replace_dns_mode(spec: &mut Json<'_>) {
    const MODES: [&str; 2] = ["horizontal", "cluster-proportional"];
    let Some(mode) = spec.at(&["systemComponents", "coreDNS", "autoscaling", "mode"]) else {
        return;
    };
    if mode.read::<String>().is_ok_and(|it| !MODES.contains(&it.as_str())) {
        *mode = Json::of(&MODES[0]);
    }
}

fn tolerate_protected(spec: &mut Fields<'_>) {
    let tolerations = spec.entry("tolerations");
    if let Ok(given) = tolerations.read::<Option<Vec<Toleration>>>() {
        let mut all = given.unwrap_or_default();
        super::tolerations::tolerate_protected(&mut all);
        *tolerations = Json::of(&all);
    }
}

/// The defaults without and with updates of Kubernetes.
static UPDATES: LazyLock<[Value; 2]> = LazyLock::new(|| {
    [false, true]
        .map(|updates| json!({"maintenance": {"autoUpdate": {"kubernetesVersion": updates}}}))
});

static OF_EVERY_SHOOT: LazyLock<Value> = LazyLock::new(|| {
    json!({
        "schedulerName": DEFAULT_SCHEDULER,
        "purpose": "evaluation",
        "networking": {"ipFamilies": ["IPv4"]},
        "kubernetes": {"kubeAPIServer": {
            "encryptionConfig": {"provider": {"type": "aescbc"}},
            "eventTTL": "1h0m0s",
            "logging": {"verbosity": 2},
            "requests": {"maxNonMutatingInflight": 400, "maxMutatingInflight": 200},
        }},
    })
});

static OF_SHOOTS_WITH_WORKERS: LazyLock<Value> = LazyLock::new(|| {
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
});

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use garden_gate_text::json::Json;

    fn is_same(one: &Value, other: &Value) -> bool {
        let [one, other] = [one, other].map(|spec| {
            let mut spec = Json::of(spec);
            super::shoot_spec_json(&mut spec, "garden-dev");
            spec
        });
        one.same(&other)
    }

    #[rstest]
    #[case::kubelet(json!({"kubernetes": {"kubelet": {}}}), json!({}))]
    #[case::proxy(json!({"kubernetes": {"kubeProxy": {"mode": "IPTables"}}}), json!({}))]
    #[case::updates(json!({"maintenance": {"autoUpdate": {"kubernetesVersion": true}}}), json!({}))]
    #[case::one_update(
        json!({"maintenance": {"autoUpdate": {"machineImageVersion": true}}}),
        json!({"maintenance": {"autoUpdate": {"kubernetesVersion": false}}})
    )]
    #[case::dns_mode(json!({"systemComponents": {"coreDNS": {"autoscaling": {"mode": "a"}}}}), json!({}))]
    #[case::addresses(json!({"networking": {"type": "calico"}}), json!({"networking": {"type": "calico", "ipFamilies": ["IPv4"]}}))]
    fn saying_a_default_is_no_difference(#[case] mut one: Value, #[case] mut other: Value) {
        for spec in [&mut one, &mut other] {
            spec["provider"] = json!({"workers": [{"name": "a"}]});
        }
        assert!(is_same(&one, &other));
    }

    #[test]
    fn what_is_said_stays() {
        let with =
            |proxy| json!({"kubernetes": {"kubeProxy": proxy}, "provider": {"workers": [{}]}});
        let explicit = with(json!({"enabled": false}));
        let filled_in = with(json!({"enabled": false, "mode": "IPTables"}));
        assert!(is_same(&explicit, &filled_in));
        assert!(!is_same(&explicit, &with(json!({"enabled": true}))));
    }

    #[test]
    fn shoots_without_workers_have_no_kubelet() {
        assert!(!is_same(&json!({}), &json!({"kubernetes": {"kubelet": {}}})));
    }
}
