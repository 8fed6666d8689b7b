// SPDX-License-Identifier: Apache-2.0
//! Reservations of kubelets that Gardener until 1.140 moves in the step to Kubernetes 1.31.

use serde_json::{Map, Value};

use garden_gate_text::go::{Quantity, is_at_least};

const SYSTEM: &str = "systemReserved";
const KUBE: &str = "kubeReserved";

/// Adds `systemReserved` to `kubeReserved` where the new version does not permit it; returns the changed fields.
///
/// `crosses` is whether the control plane makes the step. Mirrors the step of
/// `pkg/controllermanager/controller/shoot/maintenance/reconciler.go` in Gardener 1.140.
pub(super) fn move_reservations(shoot: &mut Value, crosses: bool) -> Vec<String> {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let version = text(shoot.pointer("/spec/kubernetes/version")).unwrap_or_default();
    let mut kubelets = Vec::new();
    if crosses {
        kubelets.push("/spec/kubernetes/kubelet".to_owned());
    }
    let pools =
        shoot.pointer("/spec/provider/workers").and_then(Value::as_array).map_or(0, Vec::len);
    for index in 0..pools {
        let pool = format!("/spec/provider/workers/{index}/kubernetes");
        let own = text(shoot.pointer(&format!("{pool}/version")));
        if is_at_least(own.as_deref().unwrap_or(&version), 1, 31) {
            kubelets.push(format!("{pool}/kubelet"));
        }
    }
    kubelets.retain(|kubelet| move_reservation(shoot.pointer_mut(kubelet)).is_some());
    let moved = kubelets.into_iter();
    moved.map(|it| format!("{it}/{SYSTEM}")).collect()
}

fn move_reservation(kubelet: Option<&mut Value>) -> Option<()> {
    let kubelet = kubelet?.as_object_mut()?;
    let Value::Object(system) = kubelet.remove(SYSTEM)? else {
        return None;
    };
    let kube = kubelet.get_mut(KUBE).and_then(Value::as_object_mut);
    match kube {
        Some(kube) => add(kube, system),
        None => {
            kubelet.insert(KUBE.to_owned(), Value::Object(system));
        }
    }
    Some(())
}

fn add(kube: &mut Map<String, Value>, system: Map<String, Value>) {
    for (resource, value) in system {
        let known = kube.get(&resource).and_then(quantity);
        let sum = known.zip(quantity(&value)).map(|(known, added)| {
            let nanos = known.nanos().saturating_add(added.nanos());
            known.with_nanos(nanos).canonical().into()
        });
        kube.insert(resource, sum.unwrap_or(value));
    }
}

fn quantity(value: &Value) -> Option<Quantity> {
    match value {
        Value::String(text) => Quantity::parse(text).ok(),
        Value::Number(number) => Quantity::parse(&number.to_string()).ok(),
        _ => None,
    }
}
