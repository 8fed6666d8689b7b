// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::shoot::seed::placement::{new_seed, seed_name_path};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("seed_deleting.md"),
    id: "shoot/seed-deleting",
    summary: "rejects a seed that is being deleted",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create]; Shoot [Update] [Binding]],
    reads: [Seed],
    findings: { DELETING = "shoot/seed-deleting": "the new seed of the Shoot is being deleted" },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some((new, seed)) = new_seed(context, shoot, findings) else {
        return;
    };
    if seed.metadata.deletion_timestamp.is_none() {
        return;
    }
    let (name, seed) = (&new.metadata.name, &seed.metadata.name);
    let message = format!("Shoot `{name}` cannot be put on seed `{seed}`, which is being deleted");
    findings
        .forbid(&DELETING, seed_name_path(), message)
        .value(seed.clone())
        .help("choose another seed");
}
