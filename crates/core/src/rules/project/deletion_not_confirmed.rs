// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, Kind, rule};
use crate::rules::shared::confirmation::require;
use garden_gate_model::api::Project;

rule! {
    page: include_str!("deletion_not_confirmed.md"),
    id: "project/deletion-not-confirmed",
    summary: "rejects deletion of a Project without confirmation",
    phase: Admission,
    level: Deny,
    scopes: [Project [Delete]],
    reads: [Project],
    findings: {
        NOT_CONFIRMED = "project/deletion-not-confirmed": "the deletion of the Project, or of one that the request also deletes, is not confirmed",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, object: Change<'_, Project>, findings: &mut Findings) {
    if let Some(old) = object.old {
        require(context, &old.metadata, Kind::Project, &NOT_CONFIRMED, findings);
    }
}
