// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shared::profiles::{
    LifecycleSettings, OVERLAP, check_overlaps, image_version, kubernetes_versions,
};
use garden_gate_model::api::CloudProfile;

rule! {
    page: include_str!("supported_overlap.md"),
    id: "cloudprofile/supported-overlap",
    summary: "rejects two versions of one minor version or image classified `supported`",
    phase: Static,
    level: Deny,
    scopes: [CloudProfile [Create, Update]],
    findings: { OVERLAP },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Write<'_, CloudProfile>, findings: &mut Findings) {
    let new = profile.new;
    let settings = LifecycleSettings::of(context);
    let path = kubernetes_versions("spec");
    let versions = &new.spec.kubernetes.versions;
    check_overlaps(versions, settings, |index| path.index(index), findings);
    for (image, machine_image) in new.spec.machine_images.iter().enumerate() {
        let place = |index| image_version("spec", image, index);
        check_overlaps(&machine_image.versions, settings, place, findings);
    }
}
