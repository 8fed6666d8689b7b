use super::referred::is_looked_for;
use crate::admission::{Context, Findings, Write, rule};
use crate::api::Shoot;
use crate::rules::shared::references::of_shoot;
use crate::rules::shared::references::{RESOURCES, check_exists, check_right};
use crate::rules::shared::validation::Part;

rule! {
    page: include_str!("reference_missing.md"),
    id: "shoot/reference-missing",
    summary: "rejects references of a Shoot to objects that are not found or not readable",
    phase: Admission,
    level: Deny,
    entry_point: Review,
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
    let referred = of_shoot(&Part::whole(context.new_opened()), namespace);
    for reference in referred {
        if !is_looked_for(context, shoot, reference.part) {
            continue;
        }
        if reference.part == RESOURCES {
            check_right(context, (&reference, &UNREADABLE), findings);
        }
        check_exists(context, (&reference, &MISSING), findings);
    }
}
