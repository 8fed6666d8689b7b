// SPDX-License-Identifier: Apache-2.0
use super::referred::is_looked_for;
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shared::references::{
    AUTHORIZATION, RESOURCES, check_exists, check_right, of_shoot,
};
use crate::rules::shared::validation::Part;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("reference_missing.md"),
    id: "shoot/reference-missing",
    summary: "rejects references of a Shoot to objects that are not found or not readable",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [Names, Verbs],
    only_if: Changed,
    findings: {
        MISSING = "shoot/reference-missing": "an object that the Shoot references is not found",
        UNREADABLE = "shoot/reference-unreadable": "the requesting user may not read an object that the Shoot references",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let namespace = &context.request.namespace;
    let whole = Part::whole(context.new_opened());
    if is_looked_for(context, shoot, AUTHORIZATION) {
        check_named(&whole, findings);
    }
    for reference in of_shoot(&whole, namespace) {
        if !is_looked_for(context, shoot, reference.part) {
            continue;
        }
        if reference.part == RESOURCES {
            check_right(context, &reference, &UNREADABLE, findings);
        }
        check_exists(context, (&reference, &MISSING), findings);
    }
}

/// Refuses kubeconfigs of structured authorization without a Secret; nothing else checks their names.
fn check_named(shoot: &Part<'_>, findings: &mut Findings) {
    let authorization = shoot.at(AUTHORIZATION);
    let kubeconfigs = authorization.iter().flat_map(|it| it.items_at(&["kubeconfigs"]));
    for kubeconfig in kubeconfigs.filter(|it| it.text_at(&["secretName"]).is_empty()) {
        let field = kubeconfig.path().child("secretName");
        findings
            .forbid(&MISSING, field, "the authorizer names no Secret".to_owned())
            .help("name the Secret with its kubeconfig");
    }
}
