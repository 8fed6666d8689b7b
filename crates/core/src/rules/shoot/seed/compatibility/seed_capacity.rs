// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::shoot::seed::placement::{new_seed, seed_name_path};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("seed_capacity.md"),
    id: "shoot/seed-capacity",
    summary: "rejects a seed without capacity for another Shoot",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create]; Shoot [Update] [Binding]],
    reads: [Seed, Shoot],
    findings: {
        FULL = "shoot/seed-capacity": "the new seed has no capacity for another Shoot",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some((new, seed)) = new_seed(context, shoot, findings) else {
        return;
    };
    let Some(limit) = seed.allocatable_shoots() else {
        return;
    };
    let (name, seed) = (&new.metadata.name, &seed.metadata.name);
    let path = seed_name_path();
    let what = format!("how many Shoots are on seed `{seed}`");
    let Some(range) = findings.known(context.shoots_on_seed(seed), &path, &what) else {
        return;
    };
    let fits = |used: &usize| i64::try_from(*used).is_ok_and(|used| used < limit);
    let (used, most) = (range.start(), range.end());
    if fits(used) {
        if !fits(most) {
            let message = format!(
                "cannot tell {what}: it takes {limit} and has {used}, and some Shoots cannot be read"
            );
            findings.undetermined(&path, message);
        }
        return;
    }
    let message = format!(
        "Shoot `{name}` cannot be put on seed `{seed}`, which takes {limit} Shoots and has {used}"
    );
    findings.forbid(&FULL, path, message).value(seed.clone()).help("choose another seed");
}
