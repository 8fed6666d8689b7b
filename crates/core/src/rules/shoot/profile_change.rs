// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, FindingKind, Findings, Help, Update, rule};
use crate::rules::shared::effective_profile::{Missing, find, offer};
use crate::rules::shoot::workers::pool_pairs::{Pool, pairs};
use garden_gate_model::api::{CloudProfileSpec, ProfileKind, Shoot};

rule! {
    page: include_str!("profile_change.md"),
    id: "shoot/profile-change",
    summary: "rejects a new profile of another CloudProfile or without images and types in use",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        OTHER_CLOUD_PROFILE = "shoot/profile-change-other-cloudprofile": "the new profile is based on another CloudProfile",
        IMAGE_DROPPED = "shoot/profile-change-image-dropped": "the new profile lacks a machine image version that a pool uses",
        TYPE_DROPPED = "shoot/profile-change-type-dropped": "the new profile lacks a machine type or volume type that a pool uses",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    if new.profile_name() == old.profile_name() {
        return;
    }
    let Some(offer) = offer(context, new, findings) else {
        return;
    };
    let before = find(context, old);
    let known = match &before {
        Ok(before) => before.cloud_profile(),
        Err(Missing::Absent { name, .. }) => name,
        Err(Missing::Parent { parent, .. }) => parent,
        Err(_) => return,
    };
    let is_lost = matches!(before, Err(Missing::Absent { kind: ProfileKind::Namespaced, .. }));
    if is_lost || offer.cloud_profile() != known {
        let from = if is_lost {
            format!("NamespacedCloudProfile `{known}`, which does not exist any more,")
        } else {
            format!("CloudProfile `{known}`")
        };
        let message =
            format!("a Shoot that follows {from} cannot change to `{}`", offer.cloud_profile());
        let (kind, path) = (&OTHER_CLOUD_PROFILE, FieldPath::new("spec.cloudProfile"));
        findings
            .forbid(kind, path, message)
            .value(offer.cloud_profile())
            .help(Help::restore("put the old profile back, or make a new Shoot"));
        return;
    }
    let Ok(before) = before else { return };
    let (spec, before) = (offer.spec(), before.spec());
    for pool in pairs(new, Some(old)) {
        if let Some(image) = &pool.new.machine.image {
            let (name, version) = (&image.name, &image.version);
            if lists(before, name, version) && !lists(spec, name, version) {
                let what = format!("version `{version}` of machine image `{name}`");
                let lacking = (&IMAGE_DROPPED, what, format!("{name}:{version}"));
                report_dropped(&pool, lacking, "update the pool to an image", findings);
            }
        }
        let machine_type = &pool.new.machine.machine_type;
        if !spec.machine_types.iter().any(|it| it.name == *machine_type) {
            let what = format!("machine type `{machine_type}`");
            let lacking = (&TYPE_DROPPED, what, machine_type.clone());
            report_dropped(&pool, lacking, "make a pool with a machine type", findings);
        }
        let volume_type = pool.new.volume.as_ref().and_then(|it| it.volume_type.as_ref());
        let is_listed = |name: &&String| spec.volume_types.iter().any(|it| it.name == **name);
        if let Some(volume_type) = volume_type.filter(|it| !is_listed(it)) {
            let what = format!("volume type `{volume_type}`");
            let lacking = (&TYPE_DROPPED, what, volume_type.clone());
            report_dropped(&pool, lacking, "make a pool with a volume type", findings);
        }
    }
}

fn report_dropped(
    pool: &Pool<'_>,
    (kind, what, value): (&'static FindingKind, String, String),
    help: &str,
    findings: &mut Findings,
) {
    let name = &pool.new.name;
    let message = format!("the new profile does not list {what}, which pool `{name}` uses");
    let path = FieldPath::new("spec.cloudProfile");
    findings
        .forbid(kind, path, message)
        .value(value)
        .help(format!("{help} of both profiles first"));
}

fn lists(spec: &CloudProfileSpec, name: &str, version: &str) -> bool {
    let mut images = spec.machine_images.iter().filter(|it| it.name == name);
    images.any(|it| it.versions.iter().any(|it| it.version == version))
}
