// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Update, rule};
use crate::rules::shared::validation::{CHANGED, Part, changed, check_immutable};
use garden_gate_model::api::Seed;

rule! {
    page: include_str!("immutable_fields.md"),
    id: "seed/immutable-fields",
    summary: "rejects changes of a Seed's immutable fields",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Seed [Update] [Itself, Status]],
    findings: {
        CHANGED,
        REMOVED = "seed/default-domains-removed": "all default domains of a Seed are removed",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Update<'_, Seed>, findings: &mut Findings) {
    let [new, old] = [context.new_opened(), context.old_opened()].map(Part::whole);
    if context.request.sub_resource == "status" {
        return check_immutable("Seed", &["status"], (&new, &old), findings);
    }
    check_immutable("Seed", &["spec"], (&new, &old), findings);
    check_families(&new, &old, findings);
    if let (None, Some(old)) = (new.at(&["spec", "backup"]), old.at(&["spec", "backup"])) {
        changed(&old, findings);
    }
    let has_defaults = |seed: &Part<'_>| {
        let defaults = seed.at(&["spec", "dns", "defaults"]);
        defaults.is_some_and(|it| !it.items().is_empty())
    };
    if has_defaults(&old) && !has_defaults(&new) {
        let message = "the Seed is left without default domains";
        let field = FieldPath::new("spec.dns.defaults");
        findings.forbid(&REMOVED, field, message).help("keep one");
    }
}

/// Checks the address families; an empty list means IPv4.
fn check_families(new: &Part<'_>, old: &Part<'_>, findings: &mut Findings) {
    let field = ["spec", "networks", "ipFamilies"];
    let families = |seed: &Part<'_>| {
        let families = seed.texts_at(&field).into_iter().map(|(_, it)| it);
        let families: Vec<String> = families.collect();
        if families.is_empty() { vec!["IPv4".to_owned()] } else { families }
    };
    if families(new) != families(old) {
        changed(&Part::absent("spec.networks.ipFamilies"), findings);
    }
}
