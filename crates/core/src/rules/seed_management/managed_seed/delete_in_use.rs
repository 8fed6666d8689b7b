// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, Kind, rule};
use crate::rules::seed::delete_in_use::refuse_in_use;
use garden_gate_model::api::Named;

rule! {
    page: include_str!("delete_in_use.md"),
    id: "managedseed/delete-in-use",
    summary: "rejects deletion of a ManagedSeed whose Seed has Shoots",
    phase: Admission,
    level: Deny,
    entry_point: Review,
    scopes: [ManagedSeed [Delete]],
    reads: [ManagedSeed, Shoot],
    findings: { IN_USE = "managedseed/delete-in-use": "the Seed of the ManagedSeed has Shoots" },
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let request = context.request;
    match request.name.as_str() {
        // The deletion of a collection has no name.
        "" => {
            for name in context.names(Kind::ManagedSeed, &request.namespace) {
                refuse_in_use(context, name, &IN_USE, findings);
            }
        }
        name => refuse_in_use(context, name, &IN_USE, findings),
    }
}
