// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FindingKind, Findings, Write, rule};
use crate::rules::shared::effective_profile::offer;
use crate::rules::shoot::workers::pool_pairs::{Pool, pairs};
use garden_gate_model::api::{
    CloudProfileSpec, MachineImage, MachineImageVersion, Shoot, ShootMachineImage, Worker,
};
use garden_gate_model::gardener::version::{
    is_active, supports_architecture, supports_in_place_update,
};

rule! {
    page: include_str!("in_place_image.md"),
    id: "shoot/in-place-image",
    summary: "rejects a machine image version that does not support in-place updates",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        UNSUPPORTED = "shoot/in-place-image-unsupported": "the machine image of a new in-place pool does not support in-place updates",
        MIN_VERSION = "shoot/in-place-image-min-version": "an in-place update between the old and the new machine image version is not supported",
    },
    check: Judge(check),
}

/// Maximum number of versions that a message names; the others are counted.
const NAMED: usize = 5;

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let changed: Vec<(Pool<'_>, &ShootMachineImage)> = pairs(new, shoot.old)
        .filter(|pool| pool.new.is_in_place() && image_changes(pool))
        .filter_map(|pool| {
            let image = pool.new.machine.image.as_ref()?;
            Some((pool, image))
        })
        .collect();
    if changed.is_empty() {
        return;
    }
    let Some(offer) = offer(context, new, findings) else {
        return;
    };
    let spec = offer.spec();
    for (pool, image) in changed {
        let images = || spec.machine_images.iter().filter(|it| it.name == image.name);
        let mut versions = images().flat_map(|it| &it.versions);
        // Another rule refuses versions that are missing in the profile.
        let Some(version) = versions.find(|it| it.version == image.version) else {
            continue;
        };
        if !is_capable(version, pool.old) {
            let kind = if pool.old.is_none() { &UNSUPPORTED } else { &MIN_VERSION };
            findings.report_lazily(kind, |findings| {
                let usable = usable(context, spec, images(), &pool);
                report_incapable(kind, &pool, image, &usable, findings);
            });
        }
    }
}

fn image_changes(pool: &Pool<'_>) -> bool {
    let Some(old) = pool.old else { return true };
    let (old, new) = (&old.machine, &pool.new.machine);
    // An omitted architecture is filled in from the stored pool.
    let architecture = new.architecture.is_some() && old.architecture != new.architecture;
    old.image != new.image || architecture
}

fn is_capable(version: &MachineImageVersion, old: Option<&Worker>) -> bool {
    supports_in_place_update(version, old.map(Worker::image_version))
}

/// Returns the versions of the image that the pool can use.
fn usable<'a>(
    context: &Context<'_>,
    spec: &CloudProfileSpec,
    images: impl Iterator<Item = &'a MachineImage>,
    pool: &Pool<'_>,
) -> Vec<String> {
    let architecture = pool.new.machine.architecture.as_deref().unwrap_or("amd64");
    let fits = |version: &MachineImageVersion| {
        is_active(version, context.now)
            && is_capable(version, pool.old)
            && supports_architecture(version, spec, architecture)
    };
    let mut versions: Vec<String> = images
        .flat_map(|image| {
            let fitting = image.versions.iter().filter(|version| fits(version));
            fitting.map(|version| format!("`{}`", version.version))
        })
        .collect();
    versions.sort_unstable();
    versions.dedup();
    versions
}

fn report_incapable(
    kind: &'static FindingKind,
    pool: &Pool<'_>,
    image: &ShootMachineImage,
    usable: &[String],
    findings: &mut Findings,
) {
    let (name, version) = (&image.name, &image.version);
    let message = match pool.old {
        None => format!(
            "machine image `{name}` `{version}` of new pool `{}` does not support updates in place",
            pool.new.name
        ),
        Some(old) => format!(
            "pool `{}` cannot be updated in place from machine image version `{}` to `{name}` `{version}`",
            pool.new.name,
            old.image_version()
        ),
    };
    let path = pool.path().child("machine").child("image");
    let mut shown = usable.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if usable.len() > NAMED {
        shown = format!("{shown} and {} more", usable.len() - NAMED);
    }
    let help = if usable.is_empty() {
        format!(
            "the profile has no version of `{name}` that fits; add a new pool with another image"
        )
    } else {
        format!("use {shown}")
    };
    findings.invalid(kind, path, message).value(format!("{name}:{version}")).help(help);
}
