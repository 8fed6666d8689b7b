use super::guarded_parts::{self, Part};
use crate::engine::{Change, Context, Findings, rule};
use crate::model::Project;

rule! {
    page: include_str!("whitelist_verb.md"),
    id: "project/whitelist-verb",
    summary: "changing the toleration whitelist needs the verb `modify-spec-tolerations-whitelist`",
    phase: Admission,
    level: Deny,
    scopes: [Project [Create, Update]],
    reads: [Verbs],
    findings: {
        VERB = "project/whitelist-verb": "the requester may not change the toleration whitelist",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, project: Change<'_, Project>, findings: &mut Findings) {
    guarded_parts::check(Part::Whitelist, &VERB, context, project, findings);
}
