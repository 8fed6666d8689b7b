// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shared::profiles::{
    ARCHITECTURES, DUPLICATE_IMAGE, DUPLICATE_VERSION, KUBELET_CONSTRAINT, LATEST_UNDETERMINED,
    MALFORMED_NAME, MALFORMED_VERSION, MIN_VERSION, UPDATE_STRATEGY, check_compatibility,
    check_images, check_known, image_version,
};
use garden_gate_model::api::NamespacedCloudProfile;

rule! {
    page: include_str!("machine_images.md"),
    id: "namespacedcloudprofile/machine-images",
    summary: "rejects invalid or duplicate machine images and versions",
    phase: Static,
    level: Deny,
    scopes: [NamespacedCloudProfile [Create, Update]],
    findings: {
        LATEST_UNDETERMINED, DUPLICATE_IMAGE, MALFORMED_NAME, UPDATE_STRATEGY, DUPLICATE_VERSION,
        MALFORMED_VERSION, MIN_VERSION, KUBELET_CONSTRAINT, ARCHITECTURES,
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, profile: Write<'_, NamespacedCloudProfile>, findings: &mut Findings) {
    let new = profile.new;
    let images = &new.spec.machine_images;
    check_images(images, "spec", findings);
    for (image, machine_image) in images.iter().enumerate() {
        for (index, version) in machine_image.versions.iter().enumerate() {
            let place = || image_version("spec", image, index);
            check_compatibility(version, &place, findings);
            check_known(version, &place, findings);
        }
    }
}
