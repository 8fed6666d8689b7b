// SPDX-License-Identifier: Apache-2.0
use super::delete_in_use::refuse_in_use;
use crate::admission::{Change, Context, Findings, rule};
use garden_gate_model::api::Seed;

rule! {
    page: include_str!("deletecollection_in_use.md"),
    id: "seed/deletecollection-in-use",
    summary: "rejects deletion of a collection of Seeds if one has Shoots",
    phase: Admission,
    level: { documented: Deny, gardener: Off },
    scopes: [Seed [Delete]],
    reads: [Shoot],
    findings: {
        IN_USE = "seed/deletecollection-in-use": "a Seed of the deleted collection has Shoots",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, seed: Change<'_, Seed>, findings: &mut Findings) {
    let Some(old) = seed.old.filter(|_| context.request.name.is_empty()) else {
        return;
    };
    refuse_in_use(context, &old.metadata.name, &IN_USE, findings);
}
