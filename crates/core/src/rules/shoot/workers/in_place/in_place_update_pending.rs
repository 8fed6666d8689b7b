// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};

use crate::admission::{
    Context, FieldPath, Findings, Update, resolved_json, resolved_old_json, rule,
};
use crate::rules::shoot::operation::{FORCE, NOW, asks_only_for};
use crate::rules::shoot::workers::pool_pairs::{Pool, pairs, path};
use crate::rules::shoot::workers::whole_pool;
use garden_gate_model::api::{Shoot, Worker};
use garden_gate_text::go::Version;
use garden_gate_text::json::Json;

rule! {
    page: include_str!("in_place_update_pending.md"),
    id: "shoot/in-place-update-pending",
    summary: "rejects changes of a worker pool during its in-place update",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        PENDING = "shoot/in-place-update-pending": "a pool is changed during its in-place update",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    let Some(pending) = old
        .status
        .in_place_updates
        .as_ref()
        .and_then(|updates| updates.pending_worker_updates.as_ref())
    else {
        return;
    };
    if asks_only_for(FORCE, context, shoot.into()) {
        return;
    }
    let field = FieldPath::new("spec.kubernetes.version");
    for version in [old, new].map(|shoot| &shoot.spec.kubernetes.version) {
        if Version::parse(version).is_err() {
            return report_unreadable(field, version, findings);
        }
    }
    let names: BTreeSet<&String> =
        pending.auto_in_place_update.iter().chain(&pending.manual_in_place_update).collect();
    let mut whole = None;
    for (index, pool) in pairs(new, Some(old)).enumerate() {
        if pool.old.is_some() && pool.new.is_in_place() && names.contains(&pool.new.name) {
            let update = whole.get_or_insert_with(|| ShootUpdate::of(context, new, old));
            check_pool(update, index, &pool, findings);
        }
    }
}

/// Both Shoots, typed and as received.
struct ShootUpdate<'s, 'a> {
    new: &'s Shoot,
    old: &'s Shoot,
    new_json: Json<'a>,
    old_json: Json<'a>,
    /// The index of each pool in the old Shoot; of several with the same name, the first.
    old_places: BTreeMap<&'s str, usize>,
}

impl<'s, 'a> ShootUpdate<'s, 'a> {
    fn of(context: &Context<'a>, new: &'s Shoot, old: &'s Shoot) -> Self {
        let pools = old.spec.provider.workers.iter().enumerate().rev();
        Self {
            new,
            old,
            new_json: resolved_json(context, new),
            old_json: resolved_old_json(context),
            old_places: pools.map(|(index, pool)| (pool.name.as_str(), index)).collect(),
        }
    }
}

fn check_pool(
    whole: &mut ShootUpdate<'_, '_>,
    index: usize,
    pool: &Pool<'_>,
    findings: &mut Findings,
) {
    let Some(before) = pool.old else { return };
    let old_index = whole.old_places.get(before.name.as_str()).copied().unwrap_or_default();
    let old_version = whole.old.version_of(before);
    let new_version = whole.new.version_of(pool.new);
    let (Ok(from), Ok(to)) = (Version::parse(old_version), Version::parse(new_version)) else {
        let (path, version) = match Version::parse(old_version) {
            Err(_) => (path(old_index), old_version),
            Ok(_) => (pool.path(), new_version),
        };
        return report_unreadable(path, version, findings);
    };
    if from != to || differs(whole, before, old_index, pool.new, index) {
        report_pending(pool, findings);
    }
}

/// Reports whether the pool, or the kubelet settings that apply to it, differ in any field.
fn differs(
    whole: &mut ShootUpdate<'_, '_>,
    old: &Worker,
    old_index: usize,
    new: &Worker,
    index: usize,
) -> bool {
    // Compares bytes before anything is parsed: only the provider can interpret this configuration.
    let config = |pool: &Worker| pool.provider_config.as_ref().map(ToString::to_string);
    if config(old) != config(new) {
        return true;
    }
    let old_pool = whole_pool::pool(&mut whole.old_json, old_index);
    let new_pool = whole_pool::pool(&mut whole.new_json, index);
    let (Some(mut old_pool), Some(mut new_pool)) = (old_pool, new_pool) else {
        return true;
    };
    let old_kubelet = whole_pool::kubelet(&mut whole.old_json, &mut old_pool);
    let new_kubelet = whole_pool::kubelet(&mut whole.new_json, &mut new_pool);
    !whole_pool::same(&old_pool, &new_pool) || !whole_pool::same_kubelet(&old_kubelet, &new_kubelet)
}

fn report_pending(pool: &Pool<'_>, findings: &mut Findings) {
    let name = &pool.new.name;
    let message = format!(
        "pool `{name}` is being updated in place; until that is done, neither the pool nor its Kubernetes version and kubelet settings can change"
    );
    findings
        .forbid(&PENDING, pool.path(), message)
        .value(name.as_str())
        .help(format!("wait, or force the change with the annotation `{NOW}={FORCE}`"));
}

fn report_unreadable(path: FieldPath, version: &str, findings: &mut Findings) {
    let message = format!(
        "cannot tell whether a pool that is being updated in place changes: Kubernetes version `{version}` cannot be read"
    );
    findings
        .forbid(&PENDING, path, message)
        .value(version)
        .help("use a version of the form `1.2.3`");
}
