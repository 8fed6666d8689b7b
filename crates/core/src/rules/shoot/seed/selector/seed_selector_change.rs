// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shared::lists::list;
use crate::rules::shoot::seed::placement::seed_of;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("seed_selector_change.md"),
    id: "shoot/seed-selector-change",
    summary: "rejects a seed selector that does not match the current seed",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [Seed],
    only_if: Changed,
    findings: {
        MISMATCH = "shoot/seed-selector-change": "the new seed selector does not match the current seed",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let stored = shoot.old.and_then(|old| old.spec.seed_selector.as_ref());
    if stored == new.spec.seed_selector.as_ref() {
        return;
    }
    let Some(seed) = seed_of(context, new, findings) else {
        return;
    };
    let name = &seed.metadata.name;
    let path = FieldPath::new("spec.seedSelector");
    let mut add = |path, message| {
        findings
            .invalid(&MISMATCH, path, message)
            .help(format!("write a selector that selects seed `{name}`, or keep the old one"));
    };
    let Some(selector) = &new.spec.seed_selector else {
        let message =
            format!("the Shoot is on seed `{name}`, so its seed selector cannot be removed");
        return add(path, message);
    };
    // Another rule refuses a selector that cannot be parsed.
    if selector.selects(&seed.metadata.labels) == Some(false) {
        let message = format!(
            "the seed selector does not match the labels of seed `{name}`, which the Shoot is on"
        );
        add(path.clone(), message);
    }
    let (types, kind) = (&selector.provider_types, &seed.spec.provider.kind);
    if !types.is_empty() && !types.contains(kind) {
        let types = list(types);
        let message = format!(
            "provider types {types} lack `{kind}`, that of seed `{name}`, which the Shoot is on"
        );
        add(path.child("providerTypes"), message);
    }
}
