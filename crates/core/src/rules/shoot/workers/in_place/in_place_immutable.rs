// SPDX-License-Identifier: Apache-2.0
use serde_json::{Value, json};

use crate::admission::{Context, FieldPath, FindingKind, Findings, Help, Write, rule};
use crate::rules::shoot::change::compared;
use crate::rules::shoot::workers::pool_pairs::{Pool, pairs};
use garden_gate_model::api::{Shoot, Worker};

rule! {
    page: include_str!("in_place_immutable.md"),
    id: "shoot/in-place-immutable",
    summary: "rejects changes of machine type, image, runtime and volume of an in-place pool",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        MACHINE_TYPE = "shoot/in-place-immutable-machine-type": "the machine type of an in-place pool is changed",
        IMAGE_NAME = "shoot/in-place-immutable-image-name": "the machine image name of an in-place pool is changed",
        CRI_NAME = "shoot/in-place-immutable-cri-name": "the container runtime of an in-place pool is changed",
        VOLUME = "shoot/in-place-immutable-volume": "the volume of an in-place pool is changed",
    },
    fixes: Suggestion,
    check: Judge(check),
}

/// A changed field that is immutable under updates in place.
pub(crate) struct Changed {
    kind: &'static FindingKind,
    path: FieldPath,
    what: &'static str,
    value: Value,
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let Some((new, old)) = compared(context, shoot) else {
        return;
    };
    for pool in pairs(new, Some(old)) {
        let Some(before) = pool.old else { continue };
        if !pool.new.is_in_place() || before.update_strategy != pool.new.update_strategy {
            continue;
        }
        for changed in changes(&pool, before) {
            let kind = changed.kind;
            changed.report(kind, &pool, findings);
        }
    }
}

/// Returns the changed fields of a pool that are immutable while its machines stay.
pub(crate) fn changes(pool: &Pool<'_>, old: &Worker) -> Vec<Changed> {
    let (new, path) = (pool.new, pool.path());
    let mut changes = Vec::new();
    let mut add = |kind, path, what, value| {
        changes.push(Changed { kind, path, what, value });
    };
    let machine = path.child("machine");
    if old.machine.machine_type != new.machine.machine_type {
        let value = json!(new.machine.machine_type);
        add(&MACHINE_TYPE, machine.child("type"), "machine type", value);
    }
    if let (Some(old), Some(new)) = (&old.machine.image, &new.machine.image)
        && old.name != new.name
    {
        let path = machine.child("image").child("name");
        add(&IMAGE_NAME, path, "machine image", json!(new.name));
    }
    if let (Some(old), Some(new)) = (&old.cri, &new.cri)
        && old.name != new.name
    {
        add(&CRI_NAME, path.child("cri").child("name"), "container runtime", json!(new.name));
    }
    if old.volume != new.volume {
        add(&VOLUME, path.child("volume"), "volume", json!(new.volume));
    }
    changes
}

impl Changed {
    pub(crate) fn report(
        self,
        kind: &'static FindingKind,
        pool: &Pool<'_>,
        findings: &mut Findings,
    ) {
        let (name, what) = (&pool.new.name, self.what);
        let message = format!(
            "the {what} of pool `{name}` cannot change, as its nodes are updated in place and keep their machines"
        );
        findings.invalid(kind, self.path, message).value(self.value).help(Help::restore(
            "leave it as it is, or add a new pool, move the workload and remove this one",
        ));
    }
}
