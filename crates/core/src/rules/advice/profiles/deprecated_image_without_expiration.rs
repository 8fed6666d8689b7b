// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::advice::profiles::deprecated_without_expiration::report_images;
use garden_gate_model::api::NamespacedCloudProfile;

rule! {
    page: include_str!("deprecated_image_without_expiration.md"),
    id: "advice/deprecated-image-without-expiration",
    summary: "warns about a deprecated image of a NamespacedCloudProfile without an expiration date",
    phase: Static,
    level: { documented: Warn, gardener: Off },
    scopes: [NamespacedCloudProfile [Create, Update]],
    findings: {
        UNDATED = "advice/deprecated-image-without-expiration": "a deprecated image of a NamespacedCloudProfile has no expiration date",
    },
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Write<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let old = profile.old.map(|old| old.spec.machine_images.as_slice());
    let images = (profile.new.spec.machine_images.as_slice(), old.unwrap_or_default());
    report_images(&UNDATED, images, context.now, findings);
}
