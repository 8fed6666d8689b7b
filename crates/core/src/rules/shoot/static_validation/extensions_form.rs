// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, REPEATED, Section, UNSUPPORTED, check as check_form, check_resources,
};
use crate::rules::shoot::static_validation::received;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("extensions_form.md"),
    id: "shoot/extensions-form",
    summary: "rejects invalid or duplicate extensions and resources of a Shoot",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: { MALFORMED, MISSING, REPEATED, UNSUPPORTED },
    fixes: Safe,
    check: Judge(check),
}

const SECTIONS: [&[&str]; 2] = [&["spec", "extensions"], &["spec", "resources"]];

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let (received, facts) = received(context, shoot.new);
    for at in SECTIONS {
        let section = Section { kind: "Shoot", at, except: &[] };
        check_form(section, context.new_opened(), facts, findings);
    }
    check_resources(&received, findings);
}
