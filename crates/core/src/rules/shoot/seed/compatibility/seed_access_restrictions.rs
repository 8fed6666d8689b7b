// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::shared::lists::list;
use crate::rules::shoot::seed::placement::{new_seed, seed_name_path};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("seed_access_restrictions.md"),
    id: "shoot/seed-access-restrictions",
    summary: "rejects a seed that does not support the Shoot's access restrictions",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create]; Shoot [Update] [Binding]],
    reads: [Seed],
    findings: {
        UNSUPPORTED = "shoot/seed-access-restrictions": "the new seed of the Shoot lacks an access restriction of the Shoot",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some((new, seed)) = new_seed(context, shoot, findings) else {
        return;
    };
    let wanted = &new.spec.access_restrictions;
    if seed.supports(wanted) {
        return;
    }
    let name = &seed.metadata.name;
    let missing = seed.unsupported(wanted);
    let message = if missing.is_empty() {
        format!("the Shoot has more access restrictions than seed `{name}`")
    } else {
        format!(
            "seed `{name}` does not support these access restrictions of the Shoot: {}",
            list(missing)
        )
    };
    let path = seed_name_path();
    findings
        .forbid(&UNSUPPORTED, path, message)
        .value(name.clone())
        .help("choose a seed that supports them");
}
