// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, Kind, rule};
use crate::rules::shared::confirmation::require;
use crate::rules::shared::owning_project::PROJECT_MISSING;
use crate::rules::shared::owning_project::project_of;
use garden_gate_model::api::{Named, is_confirmed};

rule! {
    page: include_str!("deletion_not_confirmed.md"),
    id: "shootstate/deletion-not-confirmed",
    summary: "rejects deletion of a ShootState without confirmation",
    phase: Admission,
    level: Deny,
    scopes: [ShootState [Delete]],
    reads: [Project, ShootState],
    findings: {
        NOT_CONFIRMED = "shootstate/deletion-not-confirmed": "the deletion of the ShootState, or of one that the request also deletes, is not confirmed",
        PROJECT_MISSING,
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, object: Change<'_, Named>, findings: &mut Findings) {
    let Some(old) = object.old else { return };
    let (own, kind) = (&old.metadata, Kind::ShootState);
    require(context, own, kind, &NOT_CONFIRMED, findings);
    if is_confirmed(own) {
        project_of(context, findings);
    }
}
