// SPDX-License-Identifier: Apache-2.0
use super::input::Input;
use crate::admission::rule;
use crate::workload::CheckReport;

rule! {
    page: include_str!("pod_without_controller.md"),
    id: "workload/pod-without-controller",
    summary: "warns about pods without a controller, which are lost with their node",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Plan,
    scopes: [Pod [Delete]],
    findings: { LOST = "workload/pod-without-controller": "a pod has no controller that creates it again" },
    check: External,
}

pub(super) fn check(input: &Input<'_>, report: &mut CheckReport) {
    for set in input.drained().filter(|it| !it.pods.is_empty()) {
        if set.has_controller {
            report.pass();
            continue;
        }
        match set.spec.restart_policy.as_str() {
            "Never" | "OnFailure" => report.warn(
                &LOST,
                &set.object,
                "has no controller; its work is lost if its node is replaced before it ends",
                "let a Job create it, or wait until it ends",
            ),
            _ => report.error(
                &LOST,
                &set.object,
                "has no controller, and is not created again when its node is replaced",
                "create it with a Deployment or StatefulSet",
            ),
        }
    }
}
