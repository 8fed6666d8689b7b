// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, Help, rule};
use crate::rules::shared::effective_profile::offer;
use crate::rules::shared::lists::similar;
use crate::rules::shared::profiles::name_some;
use crate::rules::shoot::images::offered_images::{Offered, PoolImage, Unusable, judged, name};
use crate::rules::shoot::workers::pool_pairs::Pool;
use garden_gate_model::api::{MachineImageVersion, Shoot, ShootMachineImage};
use garden_gate_model::gardener::version::{expiry, is_unavailable};

rule! {
    page: include_str!("machine_image_unsupported.md"),
    id: "shoot/machine-image-unsupported",
    summary: "rejects an unknown, expired, unavailable or incompatible machine image version",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        UNKNOWN = "shoot/machine-image-unknown": "the profile does not list the machine image version",
        EXPIRED = "shoot/machine-image-expired": "the machine image version has expired, and the pool is new or is downgraded to it",
        UNAVAILABLE = "shoot/machine-image-unavailable": "the machine image version is not available yet",
        ARCHITECTURE = "shoot/machine-image-architecture": "the machine image version does not support the pool's architecture",
    },
    check: Judge(check),
}

/// More versions than these are counted, not named.
const NAMED: usize = 5;

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some((new, pools)) = judged(shoot) else {
        return;
    };
    let stays = |pool: &Pool<'_>| pool.old.is_some_and(|old| old.machine == pool.new.machine);
    if pools.iter().all(stays) {
        return;
    }
    let Some(offer) = offer(context, new, findings) else {
        return;
    };
    let spec = offer.spec();
    for pool in &pools {
        let pool_image = PoolImage { spec, pool, now: context.now };
        let none = ShootMachineImage::default();
        let image = pool.new.machine.image.as_ref().unwrap_or(&none);
        match pool_image.offered() {
            Offered::Kept | Offered::Fine => {}
            Offered::Unknown => findings.report_lazily(&UNKNOWN, |findings| {
                report_unknown(&pool_image, image, findings);
            }),
            Offered::Unusable(unusable) => report(&pool_image, image, unusable, findings),
        }
    }
}

fn report_unknown(pool_image: &PoolImage<'_>, image: &ShootMachineImage, findings: &mut Findings) {
    let (name, version, pool) = (&image.name, &image.version, &pool_image.pool.new.name);
    let is_listed = pool_image.spec.machine_images.iter().any(|it| it.name == *name);
    let message = if is_listed || name.is_empty() {
        format!(
            "the profile does not list version `{version}` of machine image `{name}`, which pool `{pool}` names"
        )
    } else {
        format!("the profile does not list machine image `{name}`, which pool `{pool}` names")
    };
    let image_path = pool_image.pool.path().descendant("machine.image");
    let path = image_path.child("version");
    let (real, value) =
        if is_listed { (path.clone(), version) } else { (image_path.child("name"), name) };
    findings
        .unsupported(&UNKNOWN, path, message)
        .at(&real)
        .value(value.as_str())
        .help(help(pool_image, image));
}

fn report(
    pool_image: &PoolImage<'_>,
    image: &ShootMachineImage,
    unusable: Unusable,
    findings: &mut Findings,
) {
    let pool = &pool_image.pool.new.name;
    let mut add = |kind, why: String| {
        findings.report_lazily(kind, |findings| {
            let message = format!("machine image `{}` of pool `{pool}` {why}", name(image));
            let path = pool_image.pool.path().child("machine").child("image");
            findings.invalid(kind, path, message).value(name(image)).help(help(pool_image, image));
        });
    };
    if unusable.architecture {
        let architecture = pool_image.architecture();
        add(&ARCHITECTURE, format!("does not run on `{architecture}`"));
    }
    if unusable.inactive {
        let mut versions = pool_image.versions(&image.name);
        let listed = versions.find(|it| it.version == image.version);
        match listed {
            Some(listed) if is_unavailable(listed, pool_image.now) => {
                add(&UNAVAILABLE, "is not available yet".to_owned());
            }
            _ => add(&EXPIRED, expired(listed)),
        }
    }
}

fn expired(version: Option<&MachineImageVersion>) -> String {
    match version.and_then(expiry) {
        Some(date) => format!("expired at `{date}`"),
        None => "has expired".to_owned(),
    }
}

fn help(pool_image: &PoolImage<'_>, image: &ShootMachineImage) -> Help {
    let usable = pool_image.usable(&image.name);
    if usable.is_empty() {
        let others = pool_image
            .spec
            .machine_images
            .iter()
            .map(|it| it.name.as_str())
            .filter(|it| !pool_image.usable(it).is_empty());
        if let Some(meant) = similar(&image.name, others) {
            return meant;
        }
        return format!(
            "the profile has no version of `{}` for such a pool; use another image",
            image.name
        )
        .into();
    }
    let count = usable.len();
    let names = name_some(usable.into_iter().take(NAMED), count);
    format!("the profile offers {names}").into()
}
