// SPDX-License-Identifier: Apache-2.0
//! Objects that a manifest refers to.

use garden_gate_core::garden::ObjectKey;
use garden_gate_model::api::Kind;
use garden_gate_products::editor::{Step, View, fits, followed, pointer};

/// The target of a reference.
#[derive(Debug, PartialEq)]
pub(super) struct Target {
    pub(super) key: ObjectKey,
    /// The list, and the fields that identify the item in it and below it, for a part of the object.
    pub(super) part: Vec<(&'static str, &'static str, String)>,
}

impl Target {
    fn of(key: ObjectKey) -> Self {
        let part = Vec::new();
        Self { key, part }
    }
}

/// Returns the object that the value at a path refers to.
pub(super) fn target(view: &View<'_>, path: &[Step], value: &str) -> Option<Target> {
    let is = |pattern: &str| fits(path, pattern);
    let named = |kind: Kind| {
        let namespace = if kind.is_namespaced() { view.own_namespace() } else { "" };
        Some(Target::of(ObjectKey::new(kind, namespace, value)))
    };
    if is("metadata.namespace") {
        let owner = view.garden.projects_of_namespace(value).next()?;
        let key = ObjectKey::new(Kind::Project, "", &owner.metadata.name);
        return Some(Target::of(key));
    }
    match view.kind.kind {
        "NamespacedCloudProfile" if is("spec.parent.name") => named(Kind::CloudProfile),
        "Shoot" => {
            if is("spec.seedName") || is("status.seedName") {
                return named(Kind::Seed);
            }
            if is("spec.credentialsBindingName") {
                return named(Kind::CredentialsBinding);
            }
            if is("spec.secretBindingName") {
                return named(Kind::SecretBinding);
            }
            if is("spec.exposureClassName") {
                return named(Kind::ExposureClass);
            }
            let profile = view.profile_key()?;
            let key = ObjectKey::new(profile.kind.into(), &*profile.namespace, &*profile.name);
            if is("spec.cloudProfile.name") || is("spec.cloudProfileName") {
                return Some(Target::of(key));
            }
            let part = part(view, path, value)?;
            Some(Target { key, part })
        }
        _ => None,
    }
}

/// Returns the part of a CloudProfile that a field of a Shoot refers to.
fn part(
    view: &View<'_>,
    path: &[Step],
    value: &str,
) -> Option<Vec<(&'static str, &'static str, String)>> {
    let is = |pattern: &str| fits(path, pattern);
    let own = || value.to_owned();
    let list = |list, key| Some(vec![(list, key, own())]);
    if is("spec.kubernetes.version") || is("spec.provider.workers.[].kubernetes.version") {
        return list("/spec/kubernetes/versions", "version");
    }
    if is("spec.region") {
        return list("/spec/regions", "name");
    }
    if is("spec.provider.workers.[].zones.[]") {
        let region = view.text("/spec/region")?.to_owned();
        return Some(vec![("/spec/regions", "name", region), ("/zones", "name", own())]);
    }
    if is("spec.provider.workers.[].machine.type") {
        return list("/spec/machineTypes", "name");
    }
    if is("spec.provider.workers.[].volume.type")
        || is("spec.provider.workers.[].dataVolumes.[].type")
    {
        return list("/spec/volumeTypes", "name");
    }
    if is("spec.provider.workers.[].machine.image.name") {
        return list("/spec/machineImages", "name");
    }
    if is("spec.provider.workers.[].machine.image.version") {
        let image = followed("spec.provider.workers.[].machine.image.name", path);
        let image = view.text(&pointer(&image))?.to_owned();
        return Some(vec![("/spec/machineImages", "name", image), ("/versions", "version", own())]);
    }
    None
}
