// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::Timestamp;

use super::{Users, kubernetes_versions, machine_images};
use crate::admission::{FindingKind, Findings};
use crate::garden::ProfileUsers;
use garden_gate_model::api::{CloudProfileSpec, MachineImage, NamespacedCloudProfileSpec};
use garden_gate_model::gardener::version::expiry;

/// The versions that expire, or expire earlier, after a write, with the Shoots that use them.
pub(crate) struct Forced<'a> {
    new: ExpirationDates<'a>,
    old: ExpirationDates<'a>,
    kubernetes: BTreeMap<String, (Timestamp, Users)>,
    images: BTreeMap<(String, String), (Timestamp, Users)>,
}

/// The expiration date of a version; `None` if it never expires.
type End = Option<Timestamp>;

/// The expiration dates of a profile's versions.
struct ExpirationDates<'a> {
    kubernetes: HashMap<&'a str, End>,
    images: HashMap<&'a str, Vec<&'a MachineImage>>,
    /// Expiration dates by image, filled in on demand.
    of_images: HashMap<&'a str, HashMap<&'a str, End>>,
}

impl<'a> ExpirationDates<'a> {
    fn of(spec: &'a CloudProfileSpec) -> Self {
        let versions = spec.kubernetes.versions.iter();
        let kubernetes = versions.map(|v| (v.version.as_str(), expiry(v))).collect();
        let mut images: HashMap<&str, Vec<&MachineImage>> = HashMap::new();
        for image in &spec.machine_images {
            images.entry(&image.name).or_default().push(image);
        }
        Self { kubernetes, images, of_images: HashMap::new() }
    }

    /// Returns the expiration date of an image version; `None` if the version does not exist.
    fn image(&mut self, image: &str, version: &str) -> Option<End> {
        let (&name, lists) = self.images.get_key_value(image)?;
        let ends = self.of_images.entry(name).or_insert_with(|| {
            let versions = lists.iter().flat_map(|image| &image.versions);
            let ends = versions.map(|version| (version.version.as_str(), expiry(version)));
            ends.collect()
        });
        ends.get(version).copied()
    }
}

impl<'a> Forced<'a> {
    /// Compares two states of a profile; users are counted afterwards. `None` if all dates are the same.
    pub(crate) fn between(old: &'a CloudProfileSpec, new: &'a CloudProfileSpec) -> Option<Self> {
        if dates(old).eq(dates(new)) {
            return None;
        }
        Some(Self {
            new: ExpirationDates::of(new),
            old: ExpirationDates::of(old),
            kubernetes: BTreeMap::new(),
            images: BTreeMap::new(),
        })
    }

    /// Counts the users of versions that expire earlier.
    ///
    /// Skips versions that the NamespacedCloudProfile overrides.
    pub(crate) fn count(&mut self, users: &ProfileUsers, overlay: &NamespacedCloudProfileSpec) {
        let own: HashSet<&str> = overlay
            .kubernetes
            .iter()
            .flat_map(|k| &k.versions)
            .map(|v| v.version.as_str())
            .collect();
        // For each version, a Shoot is in at most one of the two sets.
        let running = users.by_kubernetes().chain(users.by_pool_kubernetes());
        for (version, shoots) in running.filter(|(v, _)| !own.contains(v)) {
            let (old, new) = (self.old.kubernetes.get(version), self.new.kubernetes.get(version));
            if let Some(end) = earlier(old.copied(), new.copied()) {
                let forced = self.kubernetes.entry(version.to_owned());
                let (_, users) = forced.or_insert_with(|| (end, Users::default()));
                users.add(shoots, shoots.len());
            }
        }
        let own: HashSet<(&str, &str)> = overlay
            .machine_images
            .iter()
            .flat_map(|image| {
                image.versions.iter().map(|v| (image.name.as_str(), v.version.as_str()))
            })
            .collect();
        for (image, version, shoots) in users.by_image().filter(|(i, v, _)| !own.contains(&(i, v)))
        {
            let (old, new) = (self.old.image(image, version), self.new.image(image, version));
            if let Some(end) = earlier(old, new) {
                let forced = self.images.entry((image.to_owned(), version.to_owned()));
                let (_, users) = forced.or_insert_with(|| (end, Users::default()));
                users.add(shoots, shoots.len());
            }
        }
    }

    /// Reports each of these versions.
    pub(crate) fn report(self, kind: &'static FindingKind, findings: &mut Findings) {
        for (version, (end, users)) in self.kubernetes {
            let what = format!("Kubernetes version `{version}`");
            let message = describe(&what, end, &users);
            findings.forbid(kind, kubernetes_versions("spec"), message).value(version).help(HELP);
        }
        for ((image, version), (end, users)) in self.images {
            let what = format!("image `{image}/{version}`");
            let message = describe(&what, end, &users);
            findings.forbid(kind, machine_images("spec"), message).value(version).help(HELP);
        }
    }
}

/// Returns the versions of Kubernetes and of all images in order, each with the image's name and the expiration date.
fn dates(spec: &CloudProfileSpec) -> impl Iterator<Item = (&str, &str, End)> {
    let kubernetes =
        spec.kubernetes.versions.iter().map(|it| ("", it.version.as_str(), expiry(it)));
    let images = spec.machine_images.iter().flat_map(|image| {
        image.versions.iter().map(|it| (image.name.as_str(), it.version.as_str(), expiry(it)))
    });
    kubernetes.chain(images)
}

/// Returns the new expiration date if it is earlier than the old one; `None` for removed versions.
fn earlier(old: Option<End>, new: Option<End>) -> End {
    let (old, new) = (old?, new??);
    old.is_none_or(|old| new < old).then_some(new)
}

fn describe(what: &str, end: Timestamp, users: &Users) -> String {
    let shoots = users.describe("Shoot");
    format!("{what} expires at `{end}`; then {shoots} will be updated by force")
}

const HELP: &str = "tell their owners, or choose a later date";
