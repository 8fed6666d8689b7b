// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shoot::change;
use crate::rules::shoot::workers::pool_pairs;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("kubernetes_version_required.md"),
    id: "shoot/kubernetes-version-required",
    summary: "rejects a Shoot without a Kubernetes version",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        REQUIRED = "shoot/kubernetes-version-required": "the Shoot has no Kubernetes version",
        UNSET = "shoot/kubernetes-version-unset-on-update": "the Kubernetes version of the Shoot or of a pool is removed",
    },
    check: Judge(check),
}

const HELP: &str = "set `spec.kubernetes.version` to a version of the profile";

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let path = FieldPath::new("spec.kubernetes.version");
    let missing = new.spec.kubernetes.version.is_empty();
    if missing {
        let message = "the Shoot has no Kubernetes version";
        findings.required(&REQUIRED, path.clone(), message).help(HELP);
    }
    let Some(old) = shoot.old else { return };
    if change::is_frozen(context, new) {
        return;
    }
    let mut report_unset = |path: FieldPath| {
        let was = &old.spec.kubernetes.version;
        let message = format!("the Kubernetes version, `{was}` so far, cannot be removed");
        findings.invalid(&UNSET, path, message).value("").help(HELP);
    };
    if missing {
        report_unset(path);
    }
    if change::compared(context, shoot).is_none() {
        return;
    }
    for pool in pool_pairs::pairs(new, Some(old)) {
        if new.version_of(pool.new).is_empty() {
            report_unset(pool.path().descendant("kubernetes.version"));
        }
    }
}
