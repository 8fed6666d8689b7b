// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("reserved_taint_key.md"),
    id: "shoot/reserved-taint-key",
    summary: "rejects the taint key that Gardener reserves for new nodes",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        RESERVED = "shoot/reserved-taint-key": "a taint has the key that Gardener reserves for new nodes",
    },
    check: Judge(check),
}

const KEY: &str = "node.gardener.cloud/critical-components-not-ready";

fn check(_: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let workers = FieldPath::new("spec.provider.workers");
    for (index, worker) in new.spec.provider.workers.iter().enumerate() {
        let taints = || workers.index(index).child("taints");
        for (index, taint) in worker.taints.iter().enumerate() {
            let field = || taints().index(index).child("key");
            check_key(&taint.key, field, findings);
        }
    }
    let Some(autoscaler) = &new.spec.kubernetes.cluster_autoscaler else {
        return;
    };
    for (field, keys) in [
        ("ignoreTaints", &autoscaler.ignore_taints),
        ("startupTaints", &autoscaler.startup_taints),
        ("statusTaints", &autoscaler.status_taints),
    ] {
        let path = FieldPath::new("spec.kubernetes.clusterAutoscaler").child(field);
        for (index, key) in keys.iter().enumerate() {
            check_key(key, || path.index(index), findings);
        }
    }
}

fn check_key(key: &str, field: impl Fn() -> FieldPath, findings: &mut Findings) {
    if key == KEY {
        let message = format!("taint key `{KEY}` is reserved for Gardener");
        findings.forbid(&RESERVED, field(), message).value(key).help("use another key");
    }
}
