// SPDX-License-Identifier: Apache-2.0
use super::classification::{UsedVersion, image_versions};
use super::written;
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::effective_profile::offer;
use crate::rules::shared::lists::short;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("machine_image_unsupported.md"),
    id: "hardened/machine-image-unsupported",
    summary: "warns about machine image versions that are not classified `supported`",
    phase: Admission,
    level: { documented: Off, gardener: Off, hardened: Warn },
    scopes: [Shoot [Create, Update]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        UNSUPPORTED = "hardened/machine-image-unsupported": "the profile does not classify a machine image version as `supported`",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let new = written(shoot).filter(|it| !it.is_workerless());
    let Some(new) = new else { return };
    let Some(offer) = offer(context, new, findings) else {
        return;
    };
    let pools = FieldPath::new("spec.provider.workers");
    for (index, pool) in new.spec.provider.workers.iter().enumerate() {
        let Some(image) = &pool.machine.image else {
            continue;
        };
        let used = UsedVersion {
            field: pools.index(index).descendant("machine.image.version"),
            version: &image.version,
            name: || {
                let names = [&image.name, &image.version, &pool.name];
                let [image, version, pool] = names.map(|it| short(it));
                format!("`{image}:{version}` of pool `{pool}`")
            },
        };
        let listed = image_versions(&offer, &image.name);
        used.check(listed, (&UNSUPPORTED, context.now), findings);
    }
}
