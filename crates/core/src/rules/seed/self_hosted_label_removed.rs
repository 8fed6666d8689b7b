// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Update, rule};
use garden_gate_model::api::Seed;

rule! {
    page: include_str!("self_hosted_label_removed.md"),
    id: "seed/self-hosted-label-removed",
    summary: "rejects removal of the label `seed.gardener.cloud/self-hosted-shoot-cluster`",
    phase: Admission,
    level: Deny,
    since: 140,
    scopes: [Seed [Update]],
    findings: {
        REMOVED = "seed/self-hosted-label-removed": "the label of a Seed on a self-hosted Shoot is removed",
    },
    check: Judge(check),
}

const LABEL: &str = "seed.gardener.cloud/self-hosted-shoot-cluster";

fn check(_: &Context<'_>, seed: Update<'_, Seed>, findings: &mut Findings) {
    let Update { new, old } = seed;
    let has = |seed: &Seed| seed.metadata.labels.contains_key(LABEL);
    if has(new) || !has(old) {
        return;
    }
    let path = FieldPath::new("metadata.labels").key(LABEL);
    let message = format!("label `{LABEL}` cannot be removed from Seed `{}`", new.metadata.name);
    findings.forbid(&REMOVED, path, message).help("keep the label");
}
