// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Update, rule};
use crate::rules::shared::lists::list;
use crate::rules::shoot::workers::pool_pairs::{Pool, pairs, when};
use garden_gate_model::api::Shoot;
use garden_gate_model::gardener::rolling_update::reaches_machines;

rule! {
    page: include_str!("worker_zones_changed.md"),
    id: "shoot/worker-zones-changed",
    summary: "warns about removed, replaced and reordered zones of a worker pool",
    phase: Static,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Update]],
    findings: {
        REMOVED = "shoot/worker-zones-removed": "the change removes a zone of a pool with its machines",
        REORDERED = "shoot/worker-zones-reordered": "the change moves machines of a pool to other zones",
    },
    check: Judge(check),
}

/// Providers whose extensions refuse such changes.
const REFUSED: [&str; 4] = ["alicloud", "aws", "gcp", "openstack"];

fn check(_: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    if !reaches_machines(new, old) || REFUSED.contains(&new.spec.provider.kind.as_str()) {
        return;
    }
    for pool in pairs(new, Some(old)) {
        check_zones(&pool, when(new), findings);
    }
}

fn check_zones(pool: &Pool<'_>, when: &str, findings: &mut Findings) {
    let Some(old) = pool.old.filter(|old| old.maximum != 0) else {
        return;
    };
    let zones = &pool.new.zones;
    if zones.starts_with(&old.zones) {
        return;
    }
    let gone: Vec<String> = old.zones.iter().filter(|it| !zones.contains(it)).cloned().collect();
    let (kind, what) = if gone.is_empty() {
        (&REORDERED, format!("reorders the zones of pool `{}`", old.name))
    } else {
        (&REMOVED, format!("removes {} from the zones of pool `{}`", list(&gone), old.name))
    };
    let message = format!(
        "{when}this change {what}; machines are deleted, and volumes cannot follow their pods to another zone"
    );
    findings
        .forbid(kind, pool.path().child("zones"), message)
        .help("append zones only; to leave a zone, add another pool, drain the nodes of this one, then remove it");
}
