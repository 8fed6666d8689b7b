// SPDX-License-Identifier: Apache-2.0
use std::cell::LazyCell;

use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shared::effective_profile::{EffectiveProfile, find};
use crate::rules::shoot::images::machine_image_default::OPEN_IMAGE;
use crate::rules::shoot::versions::kubernetes_version_default::{OPEN_POOL_VERSION, OPEN_VERSION};
use garden_gate_model::api::{CloudProfileSpec, Shoot, ShootMachineImage, Worker};
use garden_gate_model::gardener::version::Prefix;

rule! {
    page: include_str!("prefix_resolves_on_every_write.md"),
    id: "advice/prefix-resolves-on-every-write",
    summary: "warns about partial versions, which are resolved again on every write",
    phase: Mutating,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Create, Update]],
    reads: [CloudProfile, NamespacedCloudProfile],
    acts_on_unchanged: [OPEN_VERSION, OPEN_POOL_VERSION, OPEN_IMAGE],
    findings: {
        PREFIX = "advice/prefix-resolves-on-every-write": "a partial version is resolved again on every write",
    },
    // Runs before versions are resolved.
    check: Between(check),
}

fn check(
    context: &Context<'_>,
    Write { new: shoot, old }: Write<'_, Shoot>,
    findings: &mut Findings,
) {
    if shoot.metadata.deletion_timestamp.is_some() || shoot.profile_name().is_none() {
        return;
    }
    let mut advise = |path: FieldPath, version: &str| {
        let given = if version.is_empty() {
            "a version that is left out".to_owned()
        } else {
            format!("version `{version}`")
        };
        let message = format!("{given} is resolved again with every write of the Shoot");
        findings.invalid(&PREFIX, path, message).value(version).help("write the version in full");
    };
    let version = &shoot.spec.kubernetes.version;
    if is_open(version) {
        advise(FieldPath::new("spec.kubernetes.version"), version);
    }
    // Most Shoots do not need their profile; the others look it up once.
    let offer = LazyCell::new(|| find(context, shoot).ok());
    let spec = LazyCell::new(|| offer.as_ref().map(EffectiveProfile::spec));
    let old_pools = old.map(Shoot::pools);
    for (index, pool) in shoot.spec.provider.workers.iter().enumerate() {
        let path = || FieldPath::new("spec.provider.workers").index(index);
        if let Some(own) = pool.own_version().filter(|own| is_open(own)) {
            advise(path().descendant("kubernetes.version"), own);
        }
        if let Some(image) =
            resolved_image(pool, old_pools.as_ref().and_then(|old| old.get(&pool.name)))
            && !is_listed(*spec, image)
        {
            advise(path().descendant("machine.image.version"), &image.version);
        }
    }
}

fn is_open(version: &str) -> bool {
    matches!(Prefix::of(version), Ok(Some(_)))
}

/// Returns the image of a pool, if its version is partial and differs from the stored one.
fn resolved_image<'a>(pool: &'a Worker, old: Option<&Worker>) -> Option<&'a ShootMachineImage> {
    let image = pool.machine.image.as_ref()?;
    let kept = old
        .and_then(|old| old.machine.image.as_ref())
        .is_some_and(|old| old.name == image.name && old.version == image.version);
    let bare = image.version.strip_prefix('v').unwrap_or(&image.version);
    (!image.version.is_empty() && !kept && is_open(bare)).then_some(image)
}

/// Reports whether the profile lists the image.
///
/// Also `true` if the profile is unknown, so that no advice is given.
fn is_listed(spec: Option<&CloudProfileSpec>, image: &ShootMachineImage) -> bool {
    let Some(spec) = spec else { return true };
    let mut images = spec.machine_images.iter().filter(|it| it.name == image.name);
    images.any(|it| it.versions.iter().any(|it| it.version == image.version))
}
