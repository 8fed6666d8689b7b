// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, Kind, Operation, rule};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("name_taken.md"),
    id: "gardenlet/name-taken",
    summary: "rejects a Gardenlet with the name of a ManagedSeed, and the reverse",
    phase: Admission,
    level: Deny,
    entry_point: Review,
    scopes: [ManagedSeed [Create, Update]; Gardenlet [Create, Update]],
    reads: [Gardenlet, ManagedSeed],
    findings: { TAKEN = "gardenlet/name-taken": "a ManagedSeed and a Gardenlet have the same name" },
    check: Judge(check),
}

fn check(context: &Context<'_>, object: Change<'_, Named>, findings: &mut Findings) {
    let request = context.request;
    let is_deleted = object.new.is_some_and(|it| it.metadata.deletion_timestamp.is_some());
    let (Some(kind), Some(new)) = (request.kind(), object.new) else {
        return;
    };
    if request.operation == Operation::Update && is_deleted {
        return;
    }
    let other = if kind == Kind::Gardenlet { Kind::ManagedSeed } else { Kind::Gardenlet };
    let name = if request.name.is_empty() { &new.metadata.name } else { &request.name };
    if !name.is_empty() && context.names(other, &request.namespace).contains(&name.as_str()) {
        let message = format!("{other} `{name}` has the same name, which both would give a Seed");
        findings
            .forbid(&TAKEN, FieldPath::new("metadata.name"), message)
            .value(name.as_str())
            .help("choose another name");
    }
}
