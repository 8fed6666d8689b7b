// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use crate::admission::{Context, ErrorType, FieldPath, FindingKind, Findings, Help, Write, rule};
use crate::rules::shared::effective_profile::offer;
use crate::rules::shared::lists::{list, short};
use crate::rules::shoot::seed::placement::seed_of;
use garden_gate_model::api::{AccessRestriction, Shoot};

rule! {
    page: include_str!("access_restrictions.md"),
    id: "shoot/access-restrictions",
    summary: "rejects access restrictions that the region or the seed does not support",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile, Seed],
    only_if: Changed,
    findings: {
        REGION = "shoot/access-restrictions-region": "the region of a Shoot with access restrictions is not in the profile",
        NOT_OFFERED = "shoot/access-restrictions-not-offered": "the access restriction is not available in the region",
        NOT_ON_SEED = "shoot/access-restrictions-not-on-seed": "the seed does not support the access restriction",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let wanted = &new.spec.access_restrictions;
    let stored = shoot.old.map_or(&[][..], |old| &old.spec.access_restrictions);
    if names(wanted) == names(stored) {
        return;
    }
    let Some(offer) = offer(context, new, findings) else {
        return;
    };
    let region = &new.spec.region;
    let spec = offer.spec();
    let Some(known) = spec.regions.iter().find(|it| it.name == *region) else {
        let message = format!("the profile has no region `{region}`");
        let path = FieldPath::new("spec.region");
        findings
            .invalid(&REGION, path, message)
            .value(region.clone())
            .help("use a region of the profile");
        return;
    };
    let offered = list(known.access_restrictions.iter().map(|it| &it.name));
    let region = short(region);
    let not_offered = |restriction: &AccessRestriction| {
        let missing = !known.access_restrictions.contains(restriction);
        missing.then(|| {
            format!(
                "access restriction `{}` is not offered in region `{region}`; offered: {offered}",
                restriction.name
            )
        })
    };
    add(&NOT_OFFERED, ErrorType::NotSupported, wanted, not_offered, findings);
    let Some(seed) = seed_of(context, new, findings) else {
        return;
    };
    let not_on_seed = |restriction: &AccessRestriction| {
        let missing = !seed.spec.access_restrictions.contains(restriction);
        missing.then(|| {
            format!(
                "seed `{}` does not support access restriction `{}`",
                seed.metadata.name, restriction.name
            )
        })
    };
    add(&NOT_ON_SEED, ErrorType::Forbidden, wanted, not_on_seed, findings);
}

fn names(restrictions: &[AccessRestriction]) -> BTreeSet<&str> {
    restrictions.iter().map(|it| it.name.as_str()).collect()
}

fn add(
    kind: &'static FindingKind,
    error: ErrorType,
    wanted: &[AccessRestriction],
    problem: impl Fn(&AccessRestriction) -> Option<String>,
    findings: &mut Findings,
) {
    for (index, restriction) in wanted.iter().enumerate() {
        if let Some(message) = problem(restriction) {
            let path = FieldPath::new("spec.accessRestrictions").index(index);
            findings
                .report(kind, error, path, message)
                .value(restriction.name.clone())
                .help(Help::remove("remove it, or use another region or seed"));
        }
    }
}
