// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, FindingKind, Findings, Write, rule};
use crate::rules::advice::PRECONDITIONS;
use crate::rules::shared::lists::short;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("constraints.md"),
    id: "audit/constraints",
    summary: "warns about a Shoot with constraints that are not `True`",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Audit,
    scopes: [Shoot [Update]],
    findings: {
        UNSATISFIED = "audit/maintenance-preconditions": "webhooks of the cluster may stop the update of its nodes",
        CONVERSION = "audit/conversion-webhooks": "CustomResourceDefinitions with conversion webhooks may stop the reconciliation",
        IGNORED = "audit/managed-resources-ignored": "Gardener does not reconcile some resources of the Shoot",
        PRESERVED = "audit/failed-machines-preserved": "failed machines are kept",
        ROTATION = "audit/automatic-rotation-impossible": "an overdue automatic rotation of the ETCD encryption key cannot run",
    },
    check: Judge(check),
}

/// A constraint, and the advice of Gardener's documentation if it is not `True`.
struct Constraint {
    kind: &'static str,
    finding: &'static FindingKind,
    meaning: &'static str,
    help: &'static str,
}

/// Other rules read the constraints about hibernation, in-place updates and certificate authorities.
static CONSTRAINTS: [Constraint; 5] = [
    Constraint {
        kind: PRECONDITIONS,
        finding: &UNSATISFIED,
        meaning: "webhooks of the cluster may stop the next update of its nodes",
        help: "correct what the constraint names; `garden-gate review` explains webhook configurations of the cluster",
    },
    Constraint {
        kind: "CRDsWithProblematicConversionWebhooks",
        finding: &CONVERSION,
        meaning: "conversion webhooks of CustomResourceDefinitions may stop the reconciliation",
        help: "store the existing objects in the current stored version",
    },
    Constraint {
        kind: "ManagedResourcesHonored",
        finding: &IGNORED,
        meaning: "some resources of the control plane are not reconciled",
        help: "take annotation `resources.gardener.cloud/ignore` off the ManagedResources when the manual intervention is complete",
    },
    Constraint {
        kind: "PreservedFailedMachinesAbsent",
        finding: &PRESERVED,
        meaning: "failed machines are kept, and cost money",
        help: "end their preservation when they are analysed",
    },
    Constraint {
        kind: "AutomaticCredentialsRotationPossible",
        finding: &ROTATION,
        meaning: "the overdue rotation of the ETCD encryption key cannot run in the next maintenance window",
        help: "change the maintenance window or the hibernation schedule, so that the cluster is awake then",
    },
];

fn check(_: &Context<'_>, write: Write<'_, Shoot>, findings: &mut Findings) {
    let shoot = write.new;
    if shoot.metadata.deletion_timestamp.is_some() {
        return;
    }
    for it in &CONSTRAINTS {
        let Some(constraint) = shoot.status.constraint(it.kind).filter(|it| it.status != "True")
        else {
            continue;
        };
        let since = constraint
            .last_transition_time
            .map_or(String::new(), |since| format!(" since `{since:.0}`"));
        let message = format!(
            "{}: constraint `{}` is `{}`{since}: {}",
            it.meaning,
            it.kind,
            constraint.status,
            short(&constraint.message)
        );
        findings.forbid(it.finding, FieldPath::new("status.constraints"), message).help(it.help);
    }
}
