// SPDX-License-Identifier: Apache-2.0
use super::{describe, shoots_on};
use crate::admission::{Change, Context, FieldPath, FindingKind, Findings, rule};
use garden_gate_model::api::Seed;

rule! {
    page: include_str!("delete_in_use.md"),
    id: "seed/delete-in-use",
    summary: "rejects deletion of a Seed with Shoots",
    phase: Admission,
    level: Deny,
    scopes: [Seed [Delete]],
    reads: [Shoot],
    findings: { IN_USE = "seed/delete-in-use": "the Seed has Shoots" },
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Change<'_, Seed>, findings: &mut Findings) {
    let name = &context.request.name;
    if !name.is_empty() {
        refuse_in_use(context, name, &IN_USE, findings);
    }
}

/// Refuses the deletion of a Seed with Shoots.
pub(crate) fn refuse_in_use(
    context: &Context<'_>,
    seed: &str,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    let path = FieldPath::new("metadata.name");
    let Some(shoots) = shoots_on(context, seed, &path, findings) else {
        return;
    };
    let users = describe(shoots);
    let message = format!("Seed `{seed}` cannot be deleted while it is used by {users}");
    findings
        .forbid(kind, path, message)
        .value(seed)
        .help("move these Shoots to another Seed, or delete them first");
}
