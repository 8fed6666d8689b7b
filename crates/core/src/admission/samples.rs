// SPDX-License-Identifier: Apache-2.0
//! Sample values for fields of a Shoot that Gardener fills in from its CloudProfile.

use std::ops::RangeInclusive;

use super::check::Pair;
use garden_gate_model::api::{Shoot, ShootMachineImage, Worker};
use garden_gate_model::gardener::version::Prefix;
use garden_gate_text::go::Version;
use garden_gate_text::json::Json;

/// Minor versions of Kubernetes in samples: all that rules distinguish, with a margin.
const MINORS: RangeInclusive<u64> = 27..=37;
/// The first patch version, and one that is higher than any real one.
const PATCHES: [u64; 2] = [0, 999];
const DOMAIN: &str = "sample.example.com";
const ARCHITECTURES: [&str; 2] = ["amd64", "arm64"];

/// Reports whether a field that is filled in from the CloudProfile is absent or partial.
pub(super) fn is_partial(shoot: &Shoot) -> bool {
    let is_partial = |pool: &Worker| {
        pool.machine.architecture.is_none()
            || pool.own_version().is_some_and(is_open)
            || is_image_open(pool.machine.image.as_ref())
    };
    is_open(&shoot.spec.kubernetes.version) || shoot.spec.provider.workers.iter().any(is_partial)
}

/// Copies fields from `filled` that are absent or partial in `raw`, the manifest of `stored`.
/// Malformed values are kept.
pub(super) fn take_filled(stored: &mut Shoot, filled: Shoot, mut raw: Json<'_>) {
    let take = |version: &mut String, filled: String, raw: Option<&mut Json<'_>>| {
        if is_left_out(version, raw) {
            *version = filled;
        }
    };
    let raw_version = raw.at(&["spec", "kubernetes", "version"]);
    take(&mut stored.spec.kubernetes.version, filled.spec.kubernetes.version, raw_version);
    let raw =
        raw.at(&["spec", "provider", "workers"]).and_then(Json::elements).into_iter().flatten();
    let pools = stored.spec.provider.workers.iter_mut().zip(filled.spec.provider.workers);
    for ((pool, filled), raw) in pools.zip(raw) {
        let own = pool.kubernetes.as_mut().and_then(|it| it.version.as_mut());
        let filled_own = filled.kubernetes.and_then(|it| it.version);
        if let (Some(own), Some(filled)) = (own, filled_own) {
            take(own, filled, raw.at(&["kubernetes", "version"]));
        }
        let machine = &mut pool.machine;
        machine.architecture = machine.architecture.take().or(filled.machine.architecture);
        let raw_version = raw.at(&["machine", "image", "version"]);
        match (&mut machine.image, filled.machine.image) {
            (image @ None, filled) => *image = filled,
            (Some(image), Some(filled)) if is_left_out(&image.version, raw_version) => {
                *image = filled;
            }
            _ => {}
        }
    }
}

/// Reports whether a version is absent or a prefix.
fn is_left_out(version: &str, raw: Option<&mut Json<'_>>) -> bool {
    match version {
        "" => raw.is_none_or(|it| it.is_null()),
        _ => is_open(version) && version.split('.').count() < 3,
    }
}

fn is_open(version: &str) -> bool {
    matches!(Prefix::of(version), Ok(Some(_)))
}

fn is_image_open(image: Option<&ShootMachineImage>) -> bool {
    image.is_none_or(|image| image.name.is_empty() || is_open(bare(&image.version)))
}

/// Returns an image version without its optional prefix `v`.
fn bare(version: &str) -> &str {
    version.strip_prefix('v').unwrap_or(version)
}

/// Returns samples of the new and the stored Shoot; the first one has the fewest changes.
pub(super) fn samples(new: &Shoot, old: Option<&Shoot>) -> Vec<Pair<Shoot>> {
    let old_version = old.map(|old| old.spec.kubernetes.version.as_str());
    let versions = versions(&new.spec.kubernetes.version, old_version);
    let count = versions.len().max(ARCHITECTURES.len());
    let numbered = versions.into_iter().cycle().take(count).enumerate();
    let samples = numbered.map(|(number, (version, old_version))| {
        let mut filled = fill(new, version, old, number);
        if number.is_multiple_of(2) {
            keep(&mut filled, old);
        }
        Pair {
            new: Some(Box::new(filled)),
            old: old.map(|old| {
                let version = old_version.unwrap_or_default();
                Box::new(fill(old, version, Some(new), number))
            }),
        }
    });
    samples.collect()
}

/// Returns a Shoot with sampled values: in even samples those of the `other` Shoot, where they fit.
fn fill(shoot: &Shoot, version: String, other: Option<&Shoot>, number: usize) -> Shoot {
    let mut filled = shoot.clone();
    for pool in &mut filled.spec.provider.workers {
        let counterpart = other.and_then(|other| Some((other, counterpart(pool, shoot, other)?)));
        let other_version = counterpart.map_or("", |(other, pool)| other.version_of(pool));
        fill_own_version(pool, &version, other_version);
        let other = counterpart.map(|(_, pool)| &pool.machine);
        let other_architecture = other.and_then(|it| it.architecture.as_deref());
        let machine = &mut pool.machine;
        fill_architecture(&mut machine.architecture, other_architecture, number);
        let other_image = other.and_then(|it| it.image.as_ref());
        fill_image(&mut machine.image, other_image, number);
    }
    filled.spec.kubernetes.version = version;
    filled
}

/// Returns the pool of the `other` Shoot with the same name, or a possible former one of another name.
fn counterpart<'a>(pool: &Worker, own: &Shoot, other: &'a Shoot) -> Option<&'a Worker> {
    let others = &other.spec.provider.workers;
    let named = others.iter().find(|it| it.name == pool.name);
    let is_renamed = |it: &&Worker| {
        it.machine.machine_type == pool.machine.machine_type
            && own.spec.provider.workers.iter().all(|own| own.name != it.name)
    };
    named.or_else(|| others.iter().find(is_renamed))
}

/// Fills in absent networks and an absent domain, from the stored Shoot or with a sample domain.
fn keep(new: &mut Shoot, old: Option<&Shoot>) {
    if let Some(stored) = old.and_then(|old| old.spec.networking.as_ref()) {
        let own = new.spec.networking.get_or_insert_default();
        own.pods = own.pods.take().or_else(|| stored.pods.clone());
        own.services = own.services.take().or_else(|| stored.services.clone());
    }
    let stored = old.and_then(Shoot::domain);
    if let Some(domain) = stored.or(new.spec.dns.as_ref().map(|_| DOMAIN)) {
        let own = &mut new.spec.dns.get_or_insert_default().domain;
        own.get_or_insert_with(|| domain.to_owned());
    }
}

/// Returns pairs of versions of the new and the stored Shoot.
fn versions(new: &str, old: Option<&str>) -> Vec<(String, Option<String>)> {
    let alone = |version: String| (version, None);
    let Some(old) = old else {
        return candidates(new).into_iter().map(alone).collect();
    };
    let both = |version: String| (version.clone(), Some(version));
    if new == old {
        return candidates(new).into_iter().map(both).collect();
    }
    let mut versions = Vec::new();
    if admits(new, old) {
        versions.push(both(old.to_owned()));
    } else if admits(old, new) {
        versions.push(both(new.to_owned()));
    }
    let (new, old) = (candidates(new), candidates(old));
    let count = new.len().max(old.len());
    let pairs = new.into_iter().cycle().zip(old.into_iter().cycle());
    versions.extend(pairs.take(count).map(|(new, old)| (new, Some(old))));
    versions
}

/// Returns versions with this prefix, or only the version itself if it is complete.
fn candidates(version: &str) -> Vec<String> {
    let Ok(Some(prefix)) = Prefix::of(version) else {
        return vec![version.to_owned()];
    };
    let (major, minor) = (prefix.major.unwrap_or(1), prefix.minor);
    let minors = minor.map_or(MINORS, |minor| minor..=minor);
    let versions = minors.flat_map(|minor| PATCHES.map(|patch| format!("{major}.{minor}.{patch}")));
    versions.collect()
}

/// Reports whether `open` is a prefix of `version`.
fn admits(open: &str, version: &str) -> bool {
    let prefix = Prefix::of(open).ok().flatten();
    let version = Version::parse(version).ok();
    prefix.zip(version).is_some_and(|(prefix, version)| prefix.admits(&version))
}

/// Completes a pool's version with `other` or `version`, if one of them fits.
fn fill_own_version(pool: &mut Worker, version: &str, other: &str) {
    if let Some(own) =
        pool.kubernetes.as_mut().and_then(|it| it.version.as_mut()).filter(|own| is_open(own))
    {
        let may_be = |it: &&str| !is_open(it) && admits(own, it);
        let known = [other, version].into_iter().find(may_be).map(str::to_owned);
        *own = known.or_else(|| candidates(own).into_iter().next()).unwrap_or_default();
    }
}

/// Fills in an absent architecture; in the first sample with `other`.
fn fill_architecture(own: &mut Option<String>, other: Option<&str>, number: usize) {
    let first = other.unwrap_or(ARCHITECTURES[0]);
    let others = ARCHITECTURES.into_iter().filter(|it| *it != first);
    let mut all = [first].into_iter().chain(others).cycle();
    own.get_or_insert_with(|| all.nth(number).unwrap_or_default().to_owned());
}

/// Completes an image: in even samples with `other`, if it fits, in odd ones with a sample image.
fn fill_image(
    own: &mut Option<ShootMachineImage>,
    other: Option<&ShootMachineImage>,
    number: usize,
) {
    if !is_image_open(own.as_ref()) {
        return;
    }
    let given = own.clone().unwrap_or_default();
    if number.is_multiple_of(2) {
        let may_be = |other: &&ShootMachineImage| {
            let is_named = given.name.is_empty() || given.name == other.name;
            is_named && admits(bare(&given.version), bare(&other.version))
        };
        if let Some(other) = other.filter(may_be) {
            *own = Some(other.clone());
        }
        return;
    }
    let prefix = Prefix::of(bare(&given.version)).ok().flatten().unwrap_or_default();
    let (major, minor) = (prefix.major.unwrap_or(0), prefix.minor.unwrap_or(0));
    let name = if given.name.is_empty() { "image".to_owned() } else { given.name };
    *own = Some(ShootMachineImage {
        name,
        version: format!("{major}.{minor}.0"),
        provider_config: given.provider_config,
    });
}
