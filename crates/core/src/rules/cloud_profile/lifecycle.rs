// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shared::profiles::{
    CLASSIFICATION, EXPIRED_EXPLICITLY, GATE_OFF, MIXED, STAGE_DUPLICATE, STAGE_ORDER,
    STAGE_UNSUPPORTED, START_MISSING, START_ORDER, check_lifecycle, image_version,
    kubernetes_versions,
};
use garden_gate_model::api::CloudProfile;

rule! {
    page: include_str!("lifecycle.md"),
    id: "cloudprofile/lifecycle",
    summary: "rejects an inconsistent classification, expiration date or lifecycle of a version",
    phase: Static,
    level: Deny,
    scopes: [CloudProfile [Create, Update]],
    findings: {
        GATE_OFF, CLASSIFICATION, EXPIRED_EXPLICITLY, MIXED, STAGE_UNSUPPORTED, STAGE_DUPLICATE,
        STAGE_ORDER, START_MISSING, START_ORDER,
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Write<'_, CloudProfile>, findings: &mut Findings) {
    let new = profile.new;
    let gate = context.config.feature_gates.version_classification_lifecycle;
    for (index, version) in new.spec.kubernetes.versions.iter().enumerate() {
        let place = || kubernetes_versions("spec").index(index);
        check_lifecycle(version, gate, &place, findings);
    }
    for (image, machine_image) in new.spec.machine_images.iter().enumerate() {
        for (index, version) in machine_image.versions.iter().enumerate() {
            let place = || image_version("spec", image, index);
            check_lifecycle(version, gate, &place, findings);
        }
    }
}
