// SPDX-License-Identifier: Apache-2.0
use super::kubelet::Kubelet;
use super::received;
use crate::admission::{Change, Context, Findings, Help, rule};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("kernel_unprotected.md"),
    id: "hardened/kernel-unprotected",
    summary: "warns about kubelets that change kernel settings",
    phase: Admission,
    level: { documented: Off, gardener: Off, hardened: Warn },
    scopes: [Shoot [Create, Update]],
    findings: {
        UNPROTECTED = "hardened/kernel-unprotected": "`protectKernelDefaults` of kubelets is disabled",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(shoot) = received(context, shoot) else {
        return;
    };
    for kubelet in Kubelet::all(&shoot) {
        if kubelet.settings.flag_at(&["protectKernelDefaults"]) != Some(false) {
            continue;
        }
        findings.report_lazily(&UNPROTECTED, |findings| {
            let field = kubelet.settings.path().child("protectKernelDefaults");
            let message = format!("{} may change kernel settings of their nodes", kubelet.name());
            findings
                .forbid(&UNPROTECTED, field, message)
                .value(false)
                .help(Help::remove("remove `protectKernelDefaults`, which is `true` by default"));
        });
    }
}
