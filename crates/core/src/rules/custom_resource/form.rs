use super::WRONG_TYPE;
use super::explanation::{Explanation, explained};
use crate::admission::{Context, Findings, Operation, rule};
use crate::custom_resources::validate;
use crate::rules::shared::validation::{
    MALFORMED, MISSING, Naming, OUT_OF_RANGE, REPEATED, TOO_LONG, UNSUPPORTED, check_kept_metadata,
    check_metadata,
};

rule! {
    page: include_str!("form.md"),
    id: "custom-resource/form",
    summary: "rejects invalid or missing fields of a custom resource",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [
        Garden [Create, Update] [Itself, Status];
        Extension [Create, Update] [Itself, Status];
    ],
    findings: { MALFORMED, MISSING, OUT_OF_RANGE, REPEATED, TOO_LONG, UNSUPPORTED, WRONG_TYPE },
    fixes: Safe,
    check: Written(check),
}

fn check(context: &Context<'_>, findings: &mut Findings) {
    let Some(validated) = validate(context.request) else {
        return;
    };
    match context.request.operation {
        Operation::Create => check_metadata(context, Naming::Subdomain, findings),
        _ => check_kept_metadata(context, findings),
    }
    for violation in validated.form.first {
        let Explanation { kind, message, help } = explained(&violation);
        let reported = findings.report(kind, violation.error, violation.path, message);
        reported.value(violation.value).help(help);
    }
    for (field, why) in validated.undetermined {
        findings.undetermined(&field, why);
    }
}
