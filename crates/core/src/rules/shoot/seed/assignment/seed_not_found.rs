// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, Kind, rule};
use crate::rules::shared::lists::instead_of_missing;
use crate::rules::shoot::seed::placement::seed_name_path;
use garden_gate_model::api::{Seed, Shoot};

rule! {
    page: include_str!("seed_not_found.md"),
    id: "shoot/seed-not-found",
    summary: "rejects a Shoot whose Seed is not found",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding, Status]; Shoot [Delete]],
    reads: [Seed],
    findings: {
        NOT_FOUND = "shoot/seed-not-found": "the Seed in `spec.seedName` is not found",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let name = shoot.new.or(shoot.old).and_then(Shoot::seed_name);
    // Another rule refuses an empty name.
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return;
    };
    let found = findings.known(
        context.get::<Seed>(name),
        &seed_name_path(),
        format_args!("what Seed `{name}` is like"),
    );
    if let Some(None) = found {
        let message = format!("there is no Seed `{name}`");
        let path = seed_name_path();
        let otherwise = "name an existing Seed, or leave the field out";
        findings.not_found(&NOT_FOUND, path, message).value(name).help(instead_of_missing(
            context,
            Kind::Seed,
            name,
            otherwise,
        ));
    }
}
