// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::shared::effective_profile::offer;
use crate::rules::shared::lists::list;
use crate::rules::shoot::seed::placement::{new_seed, seed_name_path};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("cp_seed_selector.md"),
    id: "shoot/cp-seed-selector",
    summary: "rejects a seed that the CloudProfile's seed selector does not match",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create]; Shoot [Update] [Binding]],
    reads: [CloudProfile, NamespacedCloudProfile, Seed],
    findings: {
        LABELS = "shoot/cp-seed-selector-labels": "the seed selector of the CloudProfile does not match the labels of the seed",
        PROVIDER = "shoot/cp-seed-selector-provider": "the seed selector of the CloudProfile does not list the provider type of the seed",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some((new, seed)) = new_seed(context, shoot, findings) else {
        return;
    };
    let Some(offer) = offer(context, new, findings) else {
        return;
    };
    let spec = offer.spec();
    let Some(selector) = &spec.seed_selector else {
        return;
    };
    let (name, seed_name) = (&new.metadata.name, &seed.metadata.name);
    let mut add = |kind, why: String| {
        let message = format!("Shoot `{name}` cannot be put on seed `{seed_name}`: {why}");
        findings
            .forbid(kind, seed_name_path(), message)
            .value(seed_name.clone())
            .help("choose a seed that the profile selects");
    };
    match selector.selects(&seed.metadata.labels) {
        Some(true) => {}
        Some(false) => add(
            &LABELS,
            "the seed selector of its profile does not match the labels of the seed".to_owned(),
        ),
        None => add(&LABELS, "the seed selector of its profile is not a label selector".to_owned()),
    }
    let (types, kind) = (&selector.provider_types, &seed.spec.provider.kind);
    if !types.is_empty() && !types.iter().any(|it| it == kind || it == "*") {
        let types = list(types);
        let why = format!("its profile wants a seed with provider type {types}, not `{kind}`");
        add(&PROVIDER, why);
    }
}
