use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::api::Shoot;
use crate::rules::shared::tolerations::check_form;

rule! {
    page: include_str!("tolerations_invalid.md"),
    id: "shoot/tolerations-invalid",
    summary: "rejects invalid or duplicate tolerations",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        INVALID = "shoot/tolerations-invalid": "a toleration has a missing or malformed key, a malformed value, or is a duplicate",
    },
    fixes: Safe,
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    if let Some(new) = shoot.new {
        check_form(
            &new.spec.tolerations,
            &FieldPath::new("spec.tolerations"),
            &INVALID,
            findings,
        );
    }
}
