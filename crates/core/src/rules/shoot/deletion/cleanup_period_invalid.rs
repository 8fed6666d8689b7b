// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shoot::deletion::cleanup::{Period, STEPS, period};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("cleanup_period_invalid.md"),
    id: "shoot/cleanup-period-invalid",
    summary: "rejects a cleanup period that is not a number and would block deletion",
    phase: Static,
    level: { documented: Deny, gardener: Off },
    scopes: [Shoot [Create, Update]],
    findings: {
        INVALID = "shoot/cleanup-period-invalid": "a new cleanup period would block deletion",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    for step in &STEPS {
        let old = shoot.old.and_then(|old| old.annotation(step.key));
        let Some(value) = new.annotation(step.key).filter(|value| old != Some(value)) else {
            continue;
        };
        if period(step, value) == Period::Hangs {
            let message = format!(
                "`{value}` is not a number of seconds; the deletion of the Shoot would hang"
            );
            let field = FieldPath::new("metadata.annotations").key(step.key);
            findings
                .invalid(&INVALID, field, message)
                .value(value)
                .help("write digits only, such as `300`, or remove the annotation");
        }
    }
}
