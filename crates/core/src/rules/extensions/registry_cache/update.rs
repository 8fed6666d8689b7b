// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use jiff::SignedDuration;

use super::findings::IMMUTABLE;
use crate::admission::{FieldPath, Findings, Help};
use crate::rules::shared::lists::short;
use garden_gate_model::api::extensions::registry_cache::{RegistryCache, RegistryConfig};
use garden_gate_text::go::{Quantity, go_duration};

/// Time that content stays in a cache without `garbageCollection`.
const DEFAULT_TTL: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Size of a volume without `size`.
const DEFAULT_SIZE: &str = "10Gi";

/// Reports whether two configurations are equal with defaults.
pub(super) fn is_same(a: &RegistryConfig, b: &RegistryConfig) -> bool {
    let mut pairs = a.caches.iter().zip(&b.caches);
    a.caches.len() == b.caches.len()
        && pairs.all(|(a, b)| {
            a.upstream == b.upstream
                && a.remote_url == b.remote_url
                && size(a) == size(b)
                && a.volume.storage_class_name == b.volume.storage_class_name
                && ttl(a) == ttl(b)
                && a.secret_reference_name == b.secret_reference_name
                && a.proxy == b.proxy
                && has_tls(a) == has_tls(b)
                && is_highly_available(a) == is_highly_available(b)
                && a.service_name_suffix == b.service_name_suffix
        })
}

fn size(cache: &RegistryCache) -> Option<Quantity> {
    let size = cache.volume.size.clone();
    size.or_else(|| Quantity::parse(DEFAULT_SIZE).ok())
}

/// Returns the time that content stays in a cache, with the default.
pub(super) fn ttl(cache: &RegistryCache) -> SignedDuration {
    let Some(collection) = &cache.garbage_collection else {
        return DEFAULT_TTL;
    };
    let ttl = collection.ttl.as_ref();
    ttl.map_or(SignedDuration::ZERO, |it| it.value)
}

fn has_tls(cache: &RegistryCache) -> bool {
    cache.http.as_ref().is_none_or(|it| it.tls)
}

/// Returns whether a cache is highly available, if it has the field.
fn is_highly_available(cache: &RegistryCache) -> Option<bool> {
    cache.high_availability.as_ref().map(|it| it.enabled)
}

/// Checks that immutable fields of caches are unchanged.
pub(super) fn check_update(
    old: &RegistryConfig,
    new: &RegistryConfig,
    place: &FieldPath,
    findings: &mut Findings,
) {
    // The first cache of an upstream counts.
    let stored: BTreeMap<&str, &RegistryCache> =
        old.caches.iter().rev().map(|it| (it.upstream.as_str(), it)).collect();
    for (index, cache) in new.caches.iter().enumerate() {
        let Some(old) = stored.get(cache.upstream.as_str()) else {
            continue;
        };
        let field = place.child("caches").index(index);
        let another = "keep the stored value, or remove the cache and add it again afterwards";
        if size(old) != size(cache) {
            let show = |it: &RegistryCache| {
                let size = size(it);
                size.map_or_else(String::new, |it| it.printed().into_owned())
            };
            let (before, after) = (show(old), show(cache));
            let message = format!("the size of a volume is immutable; it is {before}");
            findings
                .invalid(&IMMUTABLE, field.descendant("volume.size"), message)
                .value(after)
                .help(another);
        }
        let class = &cache.volume.storage_class_name;
        if *class != old.volume.storage_class_name {
            let before = match &old.volume.storage_class_name {
                Some(name) => format!("`{}`", short(name)),
                None => "not set".to_owned(),
            };
            let message = format!("the StorageClass of a volume is immutable; it is {before}");
            findings
                .invalid(&IMMUTABLE, field.descendant("volume.storageClassName"), message)
                .value(class.clone())
                .help(another);
        }
        if !ttl(old).is_positive() && ttl(cache).is_positive() {
            let message = "garbage collection is off, and cannot be turned on again";
            findings
                .invalid(&IMMUTABLE, field.descendant("garbageCollection.ttl"), message)
                .value(go_duration(ttl(cache)))
                .help(Help::set(
                    "set `ttl: 0s`, or remove the cache and add it again afterwards",
                    "0s",
                ));
        }
    }
}
