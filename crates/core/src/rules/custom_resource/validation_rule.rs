use super::REFUSED;
use super::explanation::{Explanation, explained};
use crate::admission::{Context, Findings, rule};
use crate::custom_resources::validate;

rule! {
    page: include_str!("validation_rule.md"),
    id: "custom-resource/validation-rule",
    summary: "rejects values that the rules of a CustomResourceDefinition refuse",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [
        Garden [Create, Update] [Itself, Status];
        Extension [Create, Update] [Itself, Status];
    ],
    findings: { REFUSED },
    fixes: Suggestion,
    check: Written(check),
}

fn check(context: &Context<'_>, findings: &mut Findings) {
    let Some(validated) = validate(context.request) else {
        return;
    };
    for violation in validated.rules.first {
        let Explanation { kind, message, help } = explained(&violation);
        let reported = findings.report(kind, violation.error, violation.path, message);
        reported.value(violation.value).help(help);
    }
}
