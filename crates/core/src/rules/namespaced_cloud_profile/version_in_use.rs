// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, HashMap, HashSet};

use super::parent;
use crate::admission::{Change, Context, Findings, Help, rule};
use crate::garden::ProfileUsers;
use crate::rules::shared::profiles::{
    RemovedImages, Users, kubernetes_versions, machine_images, removed_versions,
};
use garden_gate_model::api::{
    CloudProfile, ExpirableVersion, MachineImageVersion, NamespacedCloudProfile, ProfileKey,
};
use garden_gate_model::gardener::version::is_expired;

rule! {
    page: include_str!("version_in_use.md"),
    id: "namespacedcloudprofile/version-in-use",
    summary: "rejects removal of overrides and versions that Shoots use",
    phase: Admission,
    level: Deny,
    scopes: [NamespacedCloudProfile [Update]],
    reads: [CloudProfile, Shoot],
    findings: {
        KUBERNETES = "namespacedcloudprofile/kubernetes-override-in-use": "an override of an expired Kubernetes version that Shoots run was removed",
        IMAGE = "namespacedcloudprofile/machine-image-version-in-use": "an image version that worker pools run and the parent does not list was removed",
    },
    fixes: Suggestion,
    check: Judge(check),
}

/// The versions and images that a NamespacedCloudProfile loses.
pub(super) struct Removed<'a> {
    kubernetes: HashSet<&'a str>,
    images: RemovedImages<'a>,
}

impl<'a> Removed<'a> {
    /// Returns the removals.
    ///
    /// Returns `None` if Gardener would not look up the parent: nothing is removed, or the profile is being deleted.
    pub(super) fn of(profile: Change<'a, NamespacedCloudProfile>) -> Option<Self> {
        let (new, old) = (profile.new?, profile.old?);
        if new.metadata.deletion_timestamp.is_some() {
            return None;
        }
        let kubernetes = |profile: &'a NamespacedCloudProfile| {
            let kubernetes = profile.spec.kubernetes.as_ref();
            kubernetes.map_or(&[][..], |kubernetes| &kubernetes.versions)
        };
        let (new_images, old_images) = (&new.spec.machine_images, &old.spec.machine_images);
        let names: HashSet<&str> = new_images.iter().map(|image| image.name.as_str()).collect();
        let has_images = old_images
            .iter()
            .any(|image| names.contains(image.name.as_str()) || !image.versions.is_empty());
        let kubernetes = removed_versions(kubernetes(old), kubernetes(new));
        let limits_changed = new.spec.limits != old.spec.limits;
        let looks = !kubernetes.is_empty() || has_images || limits_changed;
        looks.then(|| Self { kubernetes, images: RemovedImages::between(old_images, new_images) })
    }
}

fn check(
    context: &Context<'_>,
    profile: Change<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let (Some(new), Some(removed)) = (profile.new, Removed::of(profile)) else {
        return;
    };
    if removed.kubernetes.is_empty() && removed.images.versions.is_empty() {
        return;
    }
    let Some(parent) = parent(context, new, findings) else {
        return;
    };
    let key = ProfileKey::namespaced(&context.request.namespace, &new.metadata.name);
    let what = "whether removed versions are still in use";
    let shoots = findings.known(context.shoots(), &kubernetes_versions("spec"), what);
    if let Some(users) = shoots.and_then(|shoots| shoots.of_profile(&key)) {
        check_kubernetes(context, &removed, users, &parent, findings);
        check_images(context, &removed, users, &parent, findings);
    }
}

fn check_kubernetes(
    context: &Context<'_>,
    removed: &Removed<'_>,
    users: &ProfileUsers,
    parent: &CloudProfile,
    findings: &mut Findings,
) {
    let offered: HashMap<&str, &ExpirableVersion> = parent
        .spec
        .kubernetes
        .versions
        .iter()
        .map(|version| (version.version.as_str(), version))
        .collect();
    let expired = |version: &str| {
        offered.get(version).is_some_and(|offered| is_expired(*offered, context.now))
    };
    for (version, shoots) in users.by_kubernetes() {
        if removed.kubernetes.contains(version) && expired(version) {
            let mut users = Users::default();
            users.add(shoots, shoots.len());
            let message = format!(
                "the override of Kubernetes version `{version}` cannot be removed: the version has expired in CloudProfile `{}` and is used by {}",
                parent.metadata.name,
                users.describe("Shoot")
            );
            let path = kubernetes_versions("spec");
            findings
                .forbid(&KUBERNETES, path, message)
                .value(version)
                .help(Help::restore("put the override back, and update the Shoots first"));
        }
    }
}

fn check_images(
    context: &Context<'_>,
    removed: &Removed<'_>,
    users: &ProfileUsers,
    parent: &CloudProfile,
    findings: &mut Findings,
) {
    let offered: BTreeMap<(&str, &str), &MachineImageVersion> = parent
        .spec
        .machine_images
        .iter()
        .flat_map(|image| image.versions.iter().map(move |v| (image.name.as_str(), v)))
        .filter(|(image, version)| removed.images.contains(image, &version.version))
        .map(|(image, version)| ((image, version.version.as_str()), version))
        .collect();
    let unusable = |image: &str, version: &str| {
        offered.get(&(image, version)).is_none_or(|offered| is_expired(*offered, context.now))
    };
    for (image, version, shoots) in users.by_image() {
        if removed.images.contains(image, version) && unusable(image, version) {
            let mut users = Users::default();
            users.add(shoots, shoots.len());
            let message = format!(
                "version `{version}` of machine image `{image}` cannot be removed: CloudProfile `{}` does not offer it (any more), and it is used by worker pools of {}",
                parent.metadata.name,
                users.describe("Shoot")
            );
            let path = machine_images("spec");
            findings
                .forbid(&IMAGE, path, message)
                .value(format!("{image}/{version}"))
                .help(Help::restore("put the version back, and update the worker pools first"));
        }
    }
}
