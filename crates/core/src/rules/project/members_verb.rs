// SPDX-License-Identifier: Apache-2.0
use super::guarded_parts::{self, Part};
use crate::admission::{Context, Findings, Write, rule};
use garden_gate_model::api::Project;

rule! {
    page: include_str!("members_verb.md"),
    id: "project/members-verb",
    summary: "rejects changes of human members without the verb `manage-members`",
    phase: Admission,
    level: Deny,
    scopes: [Project [Create, Update]],
    reads: [Verbs],
    findings: { VERB = "project/members-verb": "the requesting user may not change the human members" },
    check: Judge(check),
}

fn check(context: &Context<'_>, project: Write<'_, Project>, findings: &mut Findings) {
    guarded_parts::check(Part::Members, &VERB, context, project, findings);
}
