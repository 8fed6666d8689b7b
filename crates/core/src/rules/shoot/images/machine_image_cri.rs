// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::shared::effective_profile::offer;
use crate::rules::shoot::images::offered_images::{PoolImage, judged, name};
use crate::rules::shoot::workers::pool_pairs::Pool;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("machine_image_cri.md"),
    id: "shoot/machine-image-cri",
    summary: "rejects a machine image that does not support the pool's container runtime",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        CRI = "shoot/machine-image-cri": "the machine image does not support a container runtime of the pool",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some((new, pools)) = judged(shoot) else {
        return;
    };
    let changed: Vec<&Pool<'_>> = pools.iter().filter(|pool| changes(pool)).collect();
    if changed.is_empty() {
        return;
    }
    let Some(offer) = offer(context, new, findings) else {
        return;
    };
    let spec = offer.spec();
    for pool in changed {
        let pool_image = PoolImage { spec, pool, now: context.now };
        if pool_image.passes() {
            check_pool(&pool_image, findings);
        }
    }
}

fn changes(pool: &Pool<'_>) -> bool {
    let same = |old: &garden_gate_model::api::Worker| {
        old.cri == pool.new.cri && old.machine.image == pool.new.machine.image
    };
    !pool.old.is_some_and(same)
}

fn check_pool(pool_image: &PoolImage<'_>, findings: &mut Findings) {
    let pool = pool_image.pool.new;
    let (Some(wanted), Some(image)) = (&pool.cri, &pool.machine.image) else {
        return;
    };
    let Some(version) = pool_image.version() else {
        return;
    };
    let path = || pool_image.pool.path().child("cri");
    let mut add = |path, runtime: &str| {
        let (image, pool) = (name(image), &pool.name);
        let message =
            format!("machine image `{image}` of pool `{pool}` lacks container runtime `{runtime}`");
        findings
            .invalid(&CRI, path, message)
            .value(runtime)
            .help("use another version of the image, or leave the runtime out");
    };
    let Some(cri) = version.cri.iter().find(|cri| *cri.name == *wanted.name) else {
        return add(path().child("name"), &wanted.name);
    };
    for (index, runtime) in wanted.container_runtimes.iter().enumerate() {
        let has = cri.container_runtimes.iter().any(|it| it.kind == runtime.kind);
        if !has {
            let runtimes = path().child("containerRuntimes");
            add(runtimes.index(index).child("type"), &runtime.kind);
        }
    }
}
