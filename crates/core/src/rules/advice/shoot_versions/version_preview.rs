// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::advice::shoot_versions::versions_in_use::AdvisedShoot;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("version_preview.md"),
    id: "advice/version-preview",
    summary: "warns about an update to a preview version",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Create, Update]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        PREVIEW = "advice/version-preview": "the Shoot is updated to a preview version",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(advised) = AdvisedShoot::of(context, shoot) else {
        return;
    };
    let spec = advised.spec();
    for used in advised.uses(spec) {
        if used.changed && used.classification(context.now) == Some("preview") {
            used.advice(&PREVIEW, "is in preview", findings)
                .help("use a version that is supported, unless trying it out is the purpose");
        }
    }
}
