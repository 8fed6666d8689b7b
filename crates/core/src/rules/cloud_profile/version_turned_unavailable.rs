// SPDX-License-Identifier: Apache-2.0
use std::collections::HashMap;

use jiff::Timestamp;

use crate::admission::{Context, FieldPath, Findings, Update, rule};
use crate::rules::shared::profiles::{image_version, image_versions, kubernetes_versions};
use garden_gate_model::api::{CloudProfile, CloudProfileSpec};
use garden_gate_model::gardener::version::{Classified, is_unavailable};

rule! {
    page: include_str!("version_turned_unavailable.md"),
    id: "cloudprofile/version-turned-unavailable",
    summary: "rejects a lifecycle that makes an available version unavailable",
    phase: Static,
    level: Deny,
    scopes: [CloudProfile [Update]],
    findings: {
        UNAVAILABLE = "cloudprofile/version-turned-unavailable": "an available version becomes unavailable",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Update<'_, CloudProfile>, findings: &mut Findings) {
    let Update { new, old } = profile;
    let (new, old): (&CloudProfileSpec, &CloudProfileSpec) = (&new.spec, &old.spec);
    let now = context.now;
    let versions = old.kubernetes.versions.iter();
    let stored: HashMap<&str, _> = versions.map(|v| (v.version.as_str(), v)).collect();
    for (index, version) in unavailable(&new.kubernetes.versions, now) {
        let name = version.version.as_str();
        if stored.get(name).is_some_and(|stored| !is_unavailable(*stored, now)) {
            report(name, kubernetes_versions("spec").index(index), findings);
        }
    }
    let mut stored = None;
    for (position, image) in new.machine_images.iter().enumerate() {
        for (index, version) in unavailable(&image.versions, now) {
            // Most writes have no such version, and need no comparison.
            let known = stored.get_or_insert_with(|| image_versions(&old.machine_images));
            let name = version.version.as_str();
            let stored = known.get(&(image.name.as_str(), name));
            if stored.is_some_and(|stored| !is_unavailable(*stored, now)) {
                report(name, image_version("spec", position, index), findings);
            }
        }
    }
}

fn unavailable<T: Classified>(versions: &[T], now: Timestamp) -> impl Iterator<Item = (usize, &T)> {
    versions.iter().enumerate().filter(move |(_, version)| is_unavailable(*version, now))
}

fn report(version: &str, path: FieldPath, findings: &mut Findings) {
    let message = format!(
        "version `{version}` is available and must stay so; with this lifecycle it would not be"
    );
    findings
        .forbid(&UNAVAILABLE, path, message)
        .value(version)
        .help("let a stage have started already");
}
