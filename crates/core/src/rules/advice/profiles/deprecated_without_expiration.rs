// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;

use jiff::Timestamp;

use crate::admission::{Context, FieldPath, FindingKind, Findings, Write, rule};
use crate::rules::shared::profiles::{image_version, image_versions, kubernetes_versions};
use garden_gate_model::api::{CloudProfile, MachineImage};
use garden_gate_model::gardener::version::{Classified, current_classification, expiry};

rule! {
    page: include_str!("deprecated_without_expiration.md"),
    id: "advice/deprecated-without-expiration",
    summary: "warns about a deprecated version without an expiration date",
    phase: Static,
    level: { documented: Warn, gardener: Off },
    scopes: [CloudProfile [Create, Update]],
    findings: {
        UNDATED = "advice/deprecated-without-expiration": "a deprecated version of a CloudProfile has no expiration date",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Write<'_, CloudProfile>, findings: &mut Findings) {
    let (new, old) = (&profile.new.spec, profile.old.map(|old| &old.spec));
    let now = context.now;
    let old_versions = old
        .map_or(&[][..], |old| &old.kubernetes.versions)
        .iter()
        .filter(|it| is_undated(*it, now));
    let known: HashSet<&str> = old_versions.map(|it| it.version.as_str()).collect();
    for (index, version) in new.kubernetes.versions.iter().enumerate() {
        if is_undated(version, now) && !known.contains(version.version.as_str()) {
            let name = format!("Kubernetes `{}`", version.version);
            let path = kubernetes_versions("spec").index(index);
            report(&UNDATED, &name, &path, findings);
        }
    }
    let old_images = old.map_or(&[][..], |old| &old.machine_images);
    let images = (new.machine_images.as_slice(), old_images);
    report_images(&UNDATED, images, now, findings);
}

/// Reports deprecated image versions without an expiration date that were not like that before.
pub(super) fn report_images(
    kind: &'static FindingKind,
    (images, old): (&[MachineImage], &[MachineImage]),
    now: Timestamp,
    findings: &mut Findings,
) {
    let mut known = None;
    for (position, image) in images.iter().enumerate() {
        for (index, version) in image.versions.iter().enumerate() {
            if !is_undated(version, now) {
                continue;
            }
            // Most writes have no such version, and need no comparison.
            let stored = known.get_or_insert_with(|| image_versions(old));
            let key = (image.name.as_str(), version.version.as_str());
            if stored.get(&key).is_none_or(|old| !is_undated(*old, now)) {
                let name = format!("image `{}:{}`", image.name, version.version);
                let path = image_version("spec", position, index);
                report(kind, &name, &path, findings);
            }
        }
    }
}

fn is_undated(version: &impl Classified, now: Timestamp) -> bool {
    expiry(version).is_none() && current_classification(version, now) == "deprecated"
}

fn report(kind: &'static FindingKind, name: &str, path: &FieldPath, findings: &mut Findings) {
    let message = format!("{name} is deprecated, but has no expiration date");
    findings.forbid(kind, path.clone(), message).help(
        "set `expirationDate`, or a stage `expired` in `lifecycle`; Shoots without automatic updates keep the version for ever otherwise",
    );
}
