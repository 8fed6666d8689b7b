// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Update, rule};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("hibernation_constraint.md"),
    id: "shoot/hibernation-constraint",
    summary: "rejects hibernation while `HibernationPossible` is not `True`",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        CONSTRAINT = "shoot/hibernation-constraint": "a Shoot is hibernated while its constraint HibernationPossible is not True",
    },
    check: Judge(check),
}

/// The constraint that forbids hibernation unless it is `True`.
pub const HIBERNATION_POSSIBLE: &str = "HibernationPossible";

fn check(_: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    if old.wants_hibernation() || !new.wants_hibernation() {
        return;
    }
    if let Some(constraint) =
        old.status.constraint(HIBERNATION_POSSIBLE).filter(|constraint| constraint.status != "True")
    {
        let message = format!(
            "the Shoot cannot fall asleep: its constraint `{HIBERNATION_POSSIBLE}` is `{}`: {}",
            constraint.status, constraint.message
        );
        let path = FieldPath::new("spec.hibernation.enabled");
        findings.forbid(&CONSTRAINT, path, message).value(true).help(help(&constraint.status));
    }
}

fn help(status: &str) -> &'static str {
    match status {
        "Progressing" | "Unknown" => {
            "wait until the next health check has renewed the constraint, then try again"
        }
        _ => {
            "correct what the constraint names; `garden-gate review` explains webhook configurations of the cluster"
        }
    }
}
