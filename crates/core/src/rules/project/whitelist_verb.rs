// SPDX-License-Identifier: Apache-2.0
use super::guarded_parts::{self, Part};
use crate::admission::{Context, Findings, Write, rule};
use garden_gate_model::api::Project;

rule! {
    page: include_str!("whitelist_verb.md"),
    id: "project/whitelist-verb",
    summary: "rejects changes of the whitelist without `modify-spec-tolerations-whitelist`",
    phase: Admission,
    level: Deny,
    scopes: [Project [Create, Update]],
    reads: [Verbs],
    findings: {
        VERB = "project/whitelist-verb": "the requesting user may not change the toleration whitelist",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, project: Write<'_, Project>, findings: &mut Findings) {
    guarded_parts::check(Part::Whitelist, &VERB, context, project, findings);
}
