// SPDX-License-Identifier: Apache-2.0
//! Number of Shoots of the garden that use a value.

use super::candidates::View;
use super::field::{fits, followed};
use super::outline::{Step, pointer};
use garden_gate_core::garden::{ProfileUsers, Shoots};
use garden_gate_model::api::{BindingKey, BindingKind, ProfileKey};

/// Returns the number of Shoots that use the value of a field.
///
/// Returns `None` if the field is not indexed, or Shoots are unknown.
pub(super) fn used_by(view: &View<'_>, path: &[Step], value: &str) -> Option<usize> {
    let shoots = view.garden.shoots().ok()?;
    let is = |pattern: &str| fits(path, pattern);
    let sibling = |pattern: &str| view.text(&pointer(&followed(pattern, path)));
    let binding = |kind| {
        let key = BindingKey { kind, namespace: view.own_namespace().into(), name: value.into() };
        shoots.of_binding(&key).map_or(0, |it| it.len())
    };
    match view.kind.kind {
        "Shoot" => {
            if is("spec.seedName") {
                return Some(shoots.of_seed(value).map_or(0, |it| it.len()));
            }
            if is("spec.credentialsBindingName") {
                return Some(binding(BindingKind::Credentials));
            }
            if is("spec.secretBindingName") {
                return Some(binding(BindingKind::Secret));
            }
            if is("spec.exposureClassName") {
                return Some(shoots.of_exposure_class(value).map_or(0, |it| it.len()));
            }
            let key = view.profile_key()?;
            if is("spec.cloudProfile.name") || is("spec.cloudProfileName") {
                return Some(of_profile(shoots, &key));
            }
            if is("spec.kubernetes.version") || is("spec.provider.workers.[].kubernetes.version") {
                return Some(of_kubernetes(shoots, &key, value));
            }
            if is("spec.provider.workers.[].machine.type") {
                return Some(of_machine_type(shoots, &key, value));
            }
            if is("spec.provider.workers.[].machine.image.version") {
                let image = sibling("spec.provider.workers.[].machine.image.name")?;
                return Some(of_image(shoots, &key, image, value));
            }
            None
        }
        "CloudProfile" | "NamespacedCloudProfile" => {
            let key = view.profile_key()?;
            if is("metadata.name") {
                return Some(of_profile(shoots, &key));
            }
            if is("spec.kubernetes.versions.[].version") {
                return Some(of_kubernetes(shoots, &key, value));
            }
            if is("spec.machineTypes.[].name") {
                return Some(of_machine_type(shoots, &key, value));
            }
            if is("spec.machineImages.[].versions.[].version") {
                let image = sibling("spec.machineImages.[].name")?;
                return Some(of_image(shoots, &key, image, value));
            }
            None
        }
        "Seed" if is("metadata.name") => Some(shoots.of_seed(value).map_or(0, |it| it.len())),
        _ => None,
    }
}

fn of_profile(shoots: &Shoots, key: &ProfileKey) -> usize {
    let users = shoots.of_profile(key);
    let by_version = users.into_iter().flat_map(ProfileUsers::by_kubernetes);
    by_version.map(|(_, shoots)| shoots.len()).sum()
}

fn of_kubernetes(shoots: &Shoots, key: &ProfileKey, version: &str) -> usize {
    let Some(users) = shoots.of_profile(key) else {
        return 0;
    };
    let own = users.of_kubernetes(version);
    let pools = users.of_pool_kubernetes(version).into_iter().flatten();
    let others = pools.filter(|name| own.is_none_or(|own| !own.contains(*name)));
    own.map_or(0, |it| it.len()) + others.count()
}

fn of_image(shoots: &Shoots, key: &ProfileKey, name: &str, version: &str) -> usize {
    let users = shoots.of_profile(key).and_then(|it| it.of_image(name, version));
    users.map_or(0, |it| it.len())
}

/// Counts the Shoots of a profile with a machine type, which has no index.
fn of_machine_type(shoots: &Shoots, key: &ProfileKey, machine_type: &str) -> usize {
    let users = shoots.of_profile(key);
    let by_version = users.into_iter().flat_map(ProfileUsers::by_kubernetes);
    let names = by_version.flat_map(|(_, names)| names);
    let users = names.filter(|name| {
        let shoot = shoots.get(name);
        shoot.is_some_and(|shoot| {
            let pools = shoot.pools.list();
            pools.iter().any(|it| *it.size.machine_type == *machine_type)
        })
    });
    users.count()
}
