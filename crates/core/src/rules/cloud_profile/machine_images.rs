// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shared::profiles::{
    DUPLICATE_IMAGE, DUPLICATE_VERSION, LATEST_UNDETERMINED, MALFORMED_NAME, MALFORMED_VERSION,
    NO_IMAGES, NO_VERSIONS, UPDATE_STRATEGY, check_images, check_present,
};
use garden_gate_model::api::CloudProfile;

rule! {
    page: include_str!("machine_images.md"),
    id: "cloudprofile/machine-images",
    summary: "rejects missing, invalid or duplicate machine images and versions",
    phase: Static,
    level: Deny,
    scopes: [CloudProfile [Create, Update]],
    findings: {
        NO_IMAGES, LATEST_UNDETERMINED, DUPLICATE_IMAGE, MALFORMED_NAME, NO_VERSIONS,
        UPDATE_STRATEGY, DUPLICATE_VERSION, MALFORMED_VERSION,
    },
    fixes: Safe,
    check: Judge(check),
}

fn check(_: &Context<'_>, profile: Write<'_, CloudProfile>, findings: &mut Findings) {
    let new = profile.new;
    check_present(&new.spec.machine_images, "spec", findings);
    check_images(&new.spec.machine_images, "spec", findings);
}
