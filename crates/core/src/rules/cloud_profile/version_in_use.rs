// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, HashSet};

use super::update;
use crate::admission::{Context, FieldPath, FindingKind, Findings, Help, Update, rule};
use crate::garden::{Children, ProfileUsers, Shoots, Unknown};
use crate::rules::shared::profiles::{
    RemovedImages, Users, kubernetes_versions, machine_images, removed_versions,
};
use garden_gate_model::api::{CloudProfile, NamespacedCloudProfile, ProfileKey, ShootName};

rule! {
    page: include_str!("version_in_use.md"),
    id: "cloudprofile/version-in-use",
    summary: "rejects removal of versions and machine images in use",
    phase: Admission,
    level: Deny,
    scopes: [CloudProfile [Update]],
    reads: [NamespacedCloudProfile, Shoot],
    findings: {
        KUBERNETES = "cloudprofile/kubernetes-version-in-use": "a Kubernetes version that Shoots run was removed",
        IMAGE = "cloudprofile/machine-image-version-in-use": "a machine image version that worker pools run was removed",
        KUBERNETES_BY = "cloudprofile/kubernetes-version-in-use-by-namespaced": "a Kubernetes version that NamespacedCloudProfiles override was removed",
        IMAGE_BY = "cloudprofile/machine-image-version-in-use-by-namespaced": "a machine image version that NamespacedCloudProfiles override was removed",
        IMAGE_GONE = "cloudprofile/machine-image-removed-in-use-by-namespaced": "a machine image that NamespacedCloudProfiles extend was removed",
        COLLISION = "cloudprofile/machine-image-added-collides": "a new machine image has the name of a NamespacedCloudProfile's own image",
    },
    fixes: Suggestion,
    check: Judge(check),
}

/// The removals and additions of a CloudProfile that can affect its users.
struct Changes<'a> {
    profile: &'a str,
    kubernetes: HashSet<&'a str>,
    images: RemovedImages<'a>,
}

fn check(context: &Context<'_>, profile: Update<'_, CloudProfile>, findings: &mut Findings) {
    let Some((name, Update { new, old })) = update(profile) else {
        return;
    };
    let changes = Changes {
        profile: name,
        kubernetes: removed_versions(&old.kubernetes.versions, &new.kubernetes.versions),
        images: RemovedImages::between(&old.machine_images, &new.machine_images),
    };
    let images = &changes.images;
    if changes.kubernetes.is_empty() && images.versions.is_empty() && !images.names_changed() {
        return;
    }
    let what = format!("whether what CloudProfile `{name}` loses is still in use");
    let path = FieldPath::new("spec");
    let children = context.namespaced_cloud_profiles_of(name);
    if let Some(children) = findings.known(children, &path, &what) {
        changes.kubernetes_of_children(children, findings);
        changes.images_of_children(children, findings);
    }
    let shoots = context.shoots();
    let known = shoots.and_then(|shoots| Ok((shoots, related_users(context, name)?)));
    if let Some((shoots, users)) = findings.known(known, &path, &what) {
        changes.kubernetes_of_shoots(&users, findings);
        changes.images_of_shoots(&users, shoots, findings);
    }
}

/// Returns the Shoots that reference a CloudProfile, directly or through its NamespacedCloudProfiles.
pub(crate) fn related_users<'a>(
    context: &Context<'a>,
    name: &str,
) -> Result<Vec<&'a ProfileUsers>, Unknown> {
    let shoots = context.shoots()?;
    let children = context.namespaced_cloud_profiles_of(name)?.iter().map(|child| {
        let metadata = &child.metadata;
        ProfileKey::namespaced(&metadata.namespace, &metadata.name)
    });
    let profiles = children.chain([ProfileKey::cluster(name)]);
    Ok(profiles.filter_map(|key| shoots.of_profile(&key)).collect())
}

impl Changes<'_> {
    fn kubernetes_of_shoots(&self, users: &[&ProfileUsers], findings: &mut Findings) {
        let mut used: BTreeMap<&str, Users> = BTreeMap::new();
        let by_version = users.iter().flat_map(|users| users.by_kubernetes());
        for (version, shoots) in by_version.filter(|(v, _)| self.kubernetes.contains(v)) {
            used.entry(version).or_default().add(shoots, shoots.len());
        }
        for (version, users) in used {
            self.report_kubernetes(&KUBERNETES, version, &users.describe("Shoot"), findings);
        }
    }

    fn images_of_shoots(&self, users: &[&ProfileUsers], shoots: &Shoots, findings: &mut Findings) {
        let mut used: BTreeMap<(&str, &str), Users> = BTreeMap::new();
        let by_image = users.iter().flat_map(|users| users.by_image());
        for (image, version, names) in by_image.filter(|(i, v, _)| self.images.contains(i, v)) {
            let users = names.iter().map(|name| pools(shoots, name, image, version));
            used.entry((image, version)).or_default().add(users, names.len());
        }
        for (image, users) in used {
            self.report_image(&IMAGE, image, &users.describe("Shoot"), findings);
        }
    }

    fn kubernetes_of_children(&self, children: Children<'_>, findings: &mut Findings) {
        let mut used: BTreeMap<&str, Users> = BTreeMap::new();
        for child in children.iter() {
            let kubernetes = child.spec.kubernetes.iter();
            let versions: HashSet<&str> = kubernetes
                .flat_map(|kubernetes| &kubernetes.versions)
                .map(|version| version.version.as_str())
                .collect();
            let removed = self.kubernetes.iter();
            for version in removed.filter(|version| versions.contains(**version)) {
                used.entry(version).or_default().add([name_of(&child)], 1);
            }
        }
        for (version, users) in used {
            let listed = users.describe("NamespacedCloudProfile");
            self.report_kubernetes(&KUBERNETES_BY, version, &listed, findings);
        }
    }

    fn images_of_children(&self, children: Children<'_>, findings: &mut Findings) {
        let mut versions: BTreeMap<(String, String), Users> = BTreeMap::new();
        let mut images: BTreeMap<String, Users> = BTreeMap::new();
        for child in children.iter() {
            for image in &child.spec.machine_images {
                let name = image.name.as_str();
                if self.images.images.contains(name) || self.images.added.contains(name) {
                    let users = images.entry(name.to_owned()).or_default();
                    users.add([name_of(&child)], 1);
                }
                let removed = image.versions.iter().map(|v| v.version.as_str());
                for version in removed.filter(|version| self.images.contains(name, version)) {
                    let image = (name.to_owned(), version.to_owned());
                    let users = versions.entry(image).or_default();
                    users.add([name_of(&child)], 1);
                }
            }
        }
        for (image, users) in versions {
            let listed = users.describe("NamespacedCloudProfile");
            let image = (image.0.as_str(), image.1.as_str());
            self.report_image(&IMAGE_BY, image, &listed, findings);
        }
        for (image, users) in images {
            self.report_image_name(&image, &users.describe("NamespacedCloudProfile"), findings);
        }
    }

    fn report_kubernetes(
        &self,
        kind: &'static FindingKind,
        version: &str,
        users: &str,
        findings: &mut Findings,
    ) {
        let message = format!(
            "Kubernetes version `{version}` cannot be removed from CloudProfile `{}`: it is used by {users}",
            self.profile
        );
        let path = kubernetes_versions("spec");
        findings.forbid(kind, path, message).value(version).help(Help::restore(
            "put the version back with an expiration date; remove it when nothing uses it any more",
        ));
    }

    fn report_image(
        &self,
        kind: &'static FindingKind,
        (image, version): (&str, &str),
        users: &str,
        findings: &mut Findings,
    ) {
        let message = format!(
            "version `{version}` of machine image `{image}` cannot be removed from CloudProfile `{}`: it is used by {users}",
            self.profile
        );
        let path = machine_images("spec");
        findings.forbid(kind, path, message).value(format!("{image}/{version}")).help(
            Help::restore("put the version back with an expiration date; remove it when nothing uses it any more"),
        );
    }

    fn report_image_name(&self, image: &str, users: &str, findings: &mut Findings) {
        let profile = self.profile;
        let (kind, message, help) = if self.images.added.contains(image) {
            let message = format!(
                "machine image `{image}` cannot be added to CloudProfile `{profile}`: {users} already has one of that name"
            );
            (&COLLISION, message, "choose another name".into())
        } else {
            let message = format!(
                "machine image `{image}` cannot be removed from CloudProfile `{profile}`: it is extended by {users}"
            );
            (
                &IMAGE_GONE,
                message,
                Help::restore(
                    "put the image back; remove it when no NamespacedCloudProfile has it any more",
                ),
            )
        };
        let path = machine_images("spec");
        findings.forbid(kind, path, message).value(image).help(help);
    }
}

fn name_of(profile: &NamespacedCloudProfile) -> String {
    let metadata = &profile.metadata;
    format!("{}/{}", metadata.namespace, metadata.name)
}

/// Maximum number of pools of a Shoot that a message names; the others are counted.
const NAMED: usize = 5;

/// Formats a Shoot with its pools that run an image version.
fn pools(shoots: &Shoots, name: &ShootName, image: &str, version: &str) -> String {
    let pools = shoots.get(name).map(|shoot| shoot.pools.list()).unwrap_or_default();
    let uses = |pool: &&garden_gate_model::api::PoolUse| {
        let image_of_pool = pool.image.as_ref();
        image_of_pool.is_some_and(|(i, v)| (&**i, &**v) == (image, version))
    };
    let pools: Vec<&str> = pools.iter().filter(uses).map(|pool| &*pool.name).collect();
    let plural = if pools.len() == 1 { "" } else { "s" };
    let named = pools[..pools.len().min(NAMED)].join(", ");
    match pools.len().saturating_sub(NAMED) {
        0 => format!("{name} (worker pool{plural} {named})"),
        more => format!("{name} (worker pools {named} and {more} more)"),
    }
}
