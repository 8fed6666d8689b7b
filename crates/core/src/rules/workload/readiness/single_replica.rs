// SPDX-License-Identifier: Apache-2.0
use super::input::Input;
use crate::admission::rule;
use crate::workload::CheckReport;

rule! {
    page: include_str!("single_replica.md"),
    id: "workload/single-replica",
    summary: "warns about controllers with one replica, which is unavailable while it moves",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Plan,
    scopes: [
        Deployment [Update];
        StatefulSet [Update];
        ReplicaSet [Update];
        ReplicationController [Update];
    ],
    findings: { SINGLE = "workload/single-replica": "a controller has one replica" },
    check: External,
}

pub(super) fn check(input: &Input<'_>, report: &mut CheckReport) {
    for set in input.drained() {
        match set.replicas {
            Some(1) => report.warn(
                &SINGLE,
                &set.object,
                "has 1 replica, which is unavailable while it moves to another node",
                "run at least 2 replicas, with a PodDisruptionBudget of `maxUnavailable: 1`",
            ),
            Some(_) => report.pass(),
            None => {}
        }
    }
}
