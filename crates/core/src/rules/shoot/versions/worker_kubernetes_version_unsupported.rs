// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shared::effective_profile::offer;
use crate::rules::shoot::versions::offered_kubernetes::{self, Allowed, Kinds};
use crate::rules::shoot::workers::pool_pairs;
use garden_gate_model::api::Shoot;
use garden_gate_text::go::Version;

rule! {
    page: include_str!("worker_kubernetes_version_unsupported.md"),
    id: "shoot/worker-kubernetes-version-unsupported",
    summary: "rejects an unknown, expired or unavailable Kubernetes version of a pool",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        UNKNOWN = "shoot/worker-kubernetes-version-unknown": "the profile does not list the Kubernetes version of a pool",
        EXPIRED = "shoot/worker-kubernetes-version-expired": "the Kubernetes version of a new pool has expired",
        UNAVAILABLE = "shoot/worker-kubernetes-version-unavailable": "the Kubernetes version of a new pool is not available yet",
    },
    check: Judge(check),
}

static KINDS: Kinds = Kinds { unknown: &UNKNOWN, expired: &EXPIRED, unavailable: &UNAVAILABLE };

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    if Version::parse(&new.spec.kubernetes.version).is_err() {
        // Gardener does not check the pools then.
        return;
    }
    let mut changed = Vec::new();
    for pool in pool_pairs::pairs(new, shoot.old) {
        let Some(own) = pool.new.own_version().filter(|own| !own.is_empty()) else {
            continue;
        };
        let before = pool
            .old
            .and_then(|old| old.own_version())
            .or(shoot.old.map(|old| old.spec.kubernetes.version.as_str()));
        if before != Some(own) {
            changed.push((pool, own));
        }
    }
    if changed.is_empty() {
        return;
    }
    let Some(offer) = offer(context, new, findings) else {
        return;
    };
    let spec = offer.spec();
    for (pool, own) in changed {
        let allowed = match pool.old {
            None => Allowed::Active,
            Some(_) => Allowed::Listed,
        };
        let path = pool.path().child("kubernetes").child("version");
        let allowed = (allowed, context.now);
        offered_kubernetes::check(own, spec, allowed, (&KINDS, path), findings);
    }
}
