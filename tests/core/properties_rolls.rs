// SPDX-License-Identifier: Apache-2.0
//! Predicted rolling updates: a change that affects no node is never reported, and one that does always is.

use garden_gate_model::api::Shoot;
use garden_gate_model::gardener::defaults;
use garden_gate_model::gardener::rolling_update::{Effect, Reservation, Side, pool_changes};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

const STRATEGIES: [&str; 3] = ["AutoRollingUpdate", "AutoInPlaceUpdate", "ManualInPlaceUpdate"];

/// Notations that Kubernetes prints in the same way.
const RESPELLED: [(&str, &str); 5] =
    [("1Gi", "1024Mi"), ("100m", "0.1"), ("20k", "20000"), ("1536Mi", "1.5Gi"), ("500m", "0.500")];

/// Keys of rolling pools, each with another relevant value.
const ROLLING_KEYS: [(&str, &str); 9] = [
    ("/machine/type", "other"),
    ("/machine/image/name", "other"),
    ("/machine/image/version", "9.9.9"),
    ("/volume/size", "51Gi"),
    ("/volume/type", "other"),
    ("/kubernetes/version", "1.32.5"),
    ("/kubernetes/kubelet/cpuManagerPolicy", "static"),
    ("/kubernetes/kubelet/evictionHard/memoryAvailable", "1024Mi"),
    ("/kubernetes/kubelet/kubeReserved/memory", "2Gi"),
];

/// Keys of pools that are updated in place.
const IN_PLACE_KEYS: [(&str, &str); 5] = [
    ("/machine/image/version", "9.9.9"),
    ("/kubernetes/version", "1.32.5"),
    ("/kubernetes/kubelet/cpuManagerPolicy", "static"),
    ("/kubernetes/kubelet/evictionHard/memoryAvailable", "1024Mi"),
    ("/kubernetes/kubelet/kubeReserved/memory", "2Gi"),
];

fn pool(name: &str, strategy: &str, own_kubelet: bool, reserved: &str) -> Value {
    let kubelet = json!({
        "kubeReserved": {"memory": reserved},
        "evictionHard": {"memoryAvailable": "1Gi"},
        "cpuManagerPolicy": "none",
    });
    json!({
        "name": name,
        "maximum": 3,
        "updateStrategy": strategy,
        "machine": {"type": "m", "image": {"name": "os", "version": "1.0.0"}},
        "volume": {"type": "gp3", "size": "50Gi"},
        "kubernetes": {"version": "1.33.1", "kubelet": own_kubelet.then_some(kubelet)},
    })
}

fn effects(old: &Value, new: &Value) -> Vec<(String, Effect)> {
    let read = |manifest: &Value| {
        let mut shoot: Shoot = serde_json::from_value(manifest.clone()).unwrap();
        defaults::shoot(&mut shoot, "garden-dev");
        shoot
    };
    let (old, new) = (read(old), read(new));
    let side = |shoot| Side { shoot, status: &old.status, reservation: Reservation::Static };
    pool_changes(side(&old), side(&new))
        .into_iter()
        .filter(|change| change.effect != Effect::None)
        .map(|change| (change.pool.to_owned(), change.effect))
        .collect()
}

prop_compose! {
    /// Returns pools `p0`, `p1`, … and two notations of reserved resources, for the Shoot and for the pools.
    fn shoots()(
        pools in prop::collection::vec((select(&STRATEGIES[..]), any::<bool>()), 1..5),
        reserved in select(&RESPELLED[..]),
    ) -> (Value, (&'static str, &'static str)) {
        let pools: Vec<Value> = pools
            .iter()
            .enumerate()
            .map(|(index, (strategy, own))| pool(&format!("p{index}"), strategy, *own, reserved.0))
            .collect();
        let kubernetes = json!({"version": "1.33.1", "kubelet": {"kubeReserved": {"cpu": reserved.0}}});
        let spec = json!({"kubernetes": kubernetes, "provider": {"workers": pools}});
        (json!({"spec": spec}), reserved)
    }
}

fn set(value: &mut Value, pointer: &str, new: Value) {
    if let Some(place) = value.pointer_mut(pointer) {
        *place = new;
    }
}

proptest! {
    #[test]
    fn what_reaches_no_node_is_silent(
        (old, reserved) in shoots(),
        seed in any::<prop::sample::Index>(),
        patch in 0..50_u32,
        label in "[a-z]{1,8}",
    ) {
        let mut new = old.clone();
        let version = json!(format!("1.33.{patch}"));
        set(&mut new, "/spec/kubernetes/version", version.clone());
        set(&mut new, "/spec/kubernetes/kubelet/kubeReserved/cpu", json!(reserved.1));
        let pools = new["spec"]["provider"]["workers"].as_array_mut().unwrap();
        for pool in pools.iter_mut() {
            set(pool, "/kubernetes/version", version.clone());
            set(pool, "/kubernetes/kubelet/kubeReserved/memory", json!(reserved.1));
            pool["labels"] = json!({"l": label});
            pool["maximum"] = json!(7);
            pool["zones"] = json!([label]);
        }
        let middle = seed.index(pools.len());
        pools.rotate_left(middle);
        prop_assert_eq!(effects(&old, &new), []);
    }

    #[test]
    fn a_change_of_any_key_is_reported(
        (old, _) in shoots(),
        chosen in any::<prop::sample::Index>(),
        key in any::<prop::sample::Index>(),
    ) {
        let mut new = old.clone();
        let pools = new["spec"]["provider"]["workers"].as_array_mut().unwrap();
        let index = chosen.index(pools.len());
        let pool = &mut pools[index];
        pool["kubernetes"]["kubelet"] = json!({
            "kubeReserved": {"memory": "1Gi"},
            "evictionHard": {"memoryAvailable": "1Gi"},
            "cpuManagerPolicy": "none",
        });
        let before = new.clone();
        let pool = &mut new["spec"]["provider"]["workers"][index];
        let (keys, effect) = if pool["updateStrategy"] == "AutoRollingUpdate" {
            (&ROLLING_KEYS[..], Effect::Roll)
        } else {
            (&IN_PLACE_KEYS[..], Effect::InPlace)
        };
        let (pointer, value) = keys[key.index(keys.len())];
        set(pool, pointer, json!(value));
        prop_assert_eq!(effects(&before, &new), [(format!("p{index}"), effect)]);
    }
}
