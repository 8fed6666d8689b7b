// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::shared::references::{RESOURCES, check_exists, check_right, resources};
use crate::rules::shared::validation::{Part, is_unchanged};
use garden_gate_model::api::{GARDEN_NAMESPACE, Seed};

rule! {
    page: include_str!("reference_missing.md"),
    id: "seed/reference-missing",
    summary: "rejects references of a Seed to objects that are not found or not readable",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Seed [Create, Update]],
    reads: [Names, Verbs],
    findings: {
        MISSING = "seed/reference-missing": "an object that the Seed references is not found",
        UNREADABLE = "seed/reference-unreadable": "the requesting user may not read an object that the Seed references",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, seed: Change<'_, Seed>, findings: &mut Findings) {
    let is_same = || is_unchanged(context, "Seed", RESOURCES);
    let is_wanted = |seed: &Seed| seed.metadata.deletion_timestamp.is_none();
    if !seed.new.is_some_and(is_wanted) || seed.old.is_some() && is_same() {
        return;
    }
    for reference in resources(&Part::whole(context.new_opened()), GARDEN_NAMESPACE) {
        check_right(context, &reference, &UNREADABLE, findings);
        check_exists(context, (&reference, &MISSING), findings);
    }
}
