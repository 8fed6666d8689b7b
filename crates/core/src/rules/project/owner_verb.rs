// SPDX-License-Identifier: Apache-2.0
use super::guarded_parts::{self, Part};
use crate::admission::{Context, Findings, Write, rule};
use garden_gate_model::api::Project;

rule! {
    page: include_str!("owner_verb.md"),
    id: "project/owner-verb",
    summary: "rejects a change of the owner without the verb `manage-members`",
    phase: Admission,
    level: Deny,
    scopes: [Project [Create, Update]],
    reads: [Verbs],
    findings: { VERB = "project/owner-verb": "the requesting user may not change the owner" },
    check: Judge(check),
}

fn check(context: &Context<'_>, project: Write<'_, Project>, findings: &mut Findings) {
    guarded_parts::check(Part::Owner, &VERB, context, project, findings);
}
