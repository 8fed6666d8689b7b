// SPDX-License-Identifier: Apache-2.0
use std::collections::HashMap;

use super::parent;
use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use crate::rules::shared::profiles::{
    ARCHITECTURES, CLASSIFICATION, CRI, DUPLICATE_VERSION, Defined, EXPIRED_EXPLICITLY, FLAVORS,
    GATE_OFF, KUBELET_CONSTRAINT, LifecycleSettings, MALFORMED_VERSION, MIN_VERSION, MIXED,
    NO_VERSIONS, OVERLAP, STAGE_DUPLICATE, STAGE_ORDER, STAGE_UNSUPPORTED, START_MISSING,
    START_ORDER, by_name, check_architectures, check_compatibility, check_cri, check_has_versions,
    check_known, check_lifecycle, check_overlaps, check_version, image_version, image_versions,
    machine_images,
};
use garden_gate_model::api::{
    CloudProfile, CloudProfileSpec, MachineImage, MachineImageVersion, NamespacedCloudProfile,
};
use garden_gate_model::gardener::version::{is_expired, to_format_of};

rule! {
    page: include_str!("machine_image_overrides.md"),
    id: "namespacedcloudprofile/machine-image-overrides",
    summary: "rejects image version overrides that change more than the expiration date",
    phase: Admission,
    level: Deny,
    scopes: [NamespacedCloudProfile [Create, Update]],
    reads: [CloudProfile],
    only_if: Changed,
    findings: {
        STRATEGY = "namespacedcloudprofile/image-update-strategy-frozen": "the update strategy of an image of the parent was changed",
        FROZEN = "namespacedcloudprofile/image-version-frozen": "a field other than the date of an image version of the parent was changed",
        FIELDS = "namespacedcloudprofile/image-override-fields": "an image version override sets a field other than the expiration date",
        NO_EXPIRATION = "namespacedcloudprofile/image-override-no-expiration": "an image version override has no expiration date",
        EXPIRED = "namespacedcloudprofile/image-override-expired": "an image version override has an expiration date in the past",
        NO_VERSIONS,
        DUPLICATE_VERSION,
        MALFORMED_VERSION,
        MIN_VERSION,
        KUBELET_CONSTRAINT,
        CRI,
        ARCHITECTURES,
        FLAVORS,
        OVERLAP,
        GATE_OFF,
        CLASSIFICATION,
        EXPIRED_EXPLICITLY,
        MIXED,
        STAGE_UNSUPPORTED,
        STAGE_DUPLICATE,
        STAGE_ORDER,
        START_MISSING,
        START_ORDER,
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Write<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let new = profile.new;
    if let Some(parent) = parent(context, new, findings) {
        let settings = LifecycleSettings::of(context);
        check_overrides(new, profile.old, &parent, settings, findings);
    }
}

/// Reports each image and version that the parent does not allow.
pub(super) fn check_overrides(
    new: &NamespacedCloudProfile,
    old: Option<&NamespacedCloudProfile>,
    parent: &CloudProfile,
    settings: LifecycleSettings,
    findings: &mut Findings,
) {
    let parent = &parent.spec;
    let images = old.map(|old| to_format_of(parent, &old.spec.machine_images));
    let stored = images.as_deref().unwrap_or_default();
    let comparison = Comparison {
        settings,
        parent,
        defined: Defined::by(&parent.machine_capabilities),
        offered: image_versions(&parent.machine_images),
        stored: image_versions(stored),
        stored_images: by_name(stored),
        merged: old.map(|old| image_versions(&old.status.cloud_profile_spec.machine_images)),
    };
    let offered = by_name(&parent.machine_images);
    let images = to_format_of(parent, &new.spec.machine_images);
    for (position, image) in images.iter().enumerate() {
        if offered.contains_key(image.name.as_str()) {
            comparison.check_shared_image(image, position, findings);
        } else {
            comparison.check_own_image(image, position, findings);
        }
    }
}

/// The values with which the images of a NamespacedCloudProfile are compared.
struct Comparison<'a> {
    settings: LifecycleSettings,
    parent: &'a CloudProfileSpec,
    defined: Defined<'a>,
    /// The versions of the parent.
    offered: Versions<'a>,
    /// The versions of the stored profile; none on CREATE.
    stored: Versions<'a>,
    /// The images of the stored profile; none on CREATE.
    stored_images: HashMap<&'a str, &'a MachineImage>,
    /// The merged versions in the status of the stored profile; `None` on CREATE.
    merged: Option<Versions<'a>>,
}

/// Versions by the names of image and version.
type Versions<'a> = HashMap<(&'a str, &'a str), &'a MachineImageVersion>;

impl Comparison<'_> {
    /// Checks that an image that the parent does not have is complete.
    fn check_own_image(&self, image: &MachineImage, position: usize, findings: &mut Findings) {
        let path = || machine_images("spec").index(position);
        check_has_versions(image, path, findings);
        for (index, version) in image.versions.iter().enumerate() {
            let place = || image_version("spec", position, index);
            check_cri(&version.cri, &place, findings);
            check_lifecycle(version, self.settings.is_enabled, &place, findings);
            check_own_version(version, &place, findings);
            check_architectures(version, &self.defined, &place, findings);
        }
        let place = |index| image_version("spec", position, index);
        check_overlaps(&image.versions, self.settings, place, findings);
    }

    /// Checks a project's own version of an image of the parent; the merge fills in architectures.
    fn check_added_version(
        &self,
        version: &MachineImageVersion,
        place: &dyn Fn() -> FieldPath,
        findings: &mut Findings,
    ) {
        check_own_version(version, place, findings);
        if self.parent.machine_capabilities.is_empty() {
            check_known(version, place, findings);
        } else {
            check_architectures(version, &self.defined, place, findings);
        }
    }

    fn check_shared_image(&self, image: &MachineImage, position: usize, findings: &mut Findings) {
        if let Some(stored) = self.stored_images.get(image.name.as_str()) {
            check_strategy(image, stored, position, findings);
        }
        for (index, version) in image.versions.iter().enumerate() {
            let place = || image_version("spec", position, index);
            let name = (image.name.as_str(), version.version.as_str());
            if !self.offered.contains_key(&name) {
                self.check_added_version(version, &place, findings);
                continue;
            }
            match self.stored.get(&name) {
                Some(stored) => check_frozen(version, stored, &place, findings),
                None => check_only_dated(version, &place, findings),
            }
            if let Some(merged) = &self.merged
                && is_expired(version, self.settings.now)
                && merged.get(&name).map(|v| v.expiration_date) != Some(version.expiration_date)
            {
                report_expired(version, place(), findings);
            }
        }
    }
}

fn check_own_version(
    version: &MachineImageVersion,
    place: &dyn Fn() -> FieldPath,
    findings: &mut Findings,
) {
    check_version(&version.version, place, findings);
    check_compatibility(version, place, findings);
}

fn check_strategy(
    image: &MachineImage,
    stored: &MachineImage,
    position: usize,
    findings: &mut Findings,
) {
    let [new, old] = [image, stored].map(|i| i.update_strategy.as_deref().unwrap_or_default());
    if new != old {
        let message = format!(
            "the update strategy of image `{}`, which the CloudProfile has too, cannot be changed from `{old}` to `{new}`",
            image.name
        );
        let path = machine_images("spec").index(position).child("updateStrategy");
        findings.forbid(&STRATEGY, path, message).value(new).help(Help::restore(
            "put the old strategy back; it can be set only when the image is first listed",
        ));
    }
}

fn check_frozen(
    version: &MachineImageVersion,
    stored: &MachineImageVersion,
    place: &dyn Fn() -> FieldPath,
    findings: &mut Findings,
) {
    if !differ_in_date_only(version, stored) {
        let message = format!(
            "image version `{}`, which the CloudProfile has too, can only change its expiration date",
            version.version
        );
        findings
            .forbid(&FROZEN, place(), message)
            .value(version.version.as_str())
            .help(Help::restore("put everything but the date back as it was"));
    }
}

/// Reports whether two entries of a version differ in the expiration date only.
///
/// Copies nothing: a request may name many short versions of a long stored one.
fn differ_in_date_only(version: &MachineImageVersion, stored: &MachineImageVersion) -> bool {
    let MachineImageVersion {
        version: _,
        classification,
        expiration_date: _,
        lifecycle,
        cri,
        architectures,
        kubelet_version_constraint,
        in_place_updates,
        capability_flavors,
    } = version;
    *classification == stored.classification
        && *lifecycle == stored.lifecycle
        && *cri == stored.cri
        && *architectures == stored.architectures
        && *kubelet_version_constraint == stored.kubelet_version_constraint
        && *in_place_updates == stored.in_place_updates
        && *capability_flavors == stored.capability_flavors
}

fn check_only_dated(
    version: &MachineImageVersion,
    place: &dyn Fn() -> FieldPath,
    findings: &mut Findings,
) {
    let text = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.is_empty());
    let fields = [
        ("classification", text(&version.classification)),
        ("cri", !version.cri.is_empty()),
        ("architectures", !version.architectures.is_empty()),
        ("capabilityFlavors", !version.capability_flavors.is_empty()),
        ("kubeletVersionConstraint", text(&version.kubelet_version_constraint)),
        ("inPlaceUpdates", version.in_place_updates.is_some()),
    ];
    let name = &version.version;
    for (field, _) in fields.into_iter().filter(|(_, is_set)| *is_set) {
        let message = format!(
            "`{field}` of image version `{name}` cannot be set here; the CloudProfile has the version too"
        );
        let path = place().child(field);
        findings.forbid(&FIELDS, path, message).help("set only `version` and `expirationDate`");
    }
    if version.expiration_date.is_none() {
        let message = format!("the override of image version `{name}` needs an expiration date");
        let path = place().child("expirationDate");
        findings
            .invalid(&NO_EXPIRATION, path, message)
            .help("set `expirationDate`, or remove the override");
    }
}

fn report_expired(version: &MachineImageVersion, place: FieldPath, findings: &mut Findings) {
    let date = version.expiration_date.map(|date| date.to_string()).unwrap_or_default();
    let message = format!(
        "the override of image version `{}` is expired (`{date}`), and that is not what holds already",
        version.version
    );
    let path = place.child("expirationDate");
    findings
        .invalid(&EXPIRED, path, message)
        .value(date)
        .help("set a date in the future, or remove the override");
}
