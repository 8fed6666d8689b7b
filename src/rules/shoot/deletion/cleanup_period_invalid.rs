use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::Shoot;
use crate::rules::shoot::deletion::cleanup::{Period, STEPS, period};

rule! {
    /// ## What it checks
    /// The annotations `shoot.gardener.cloud/cleanup-…-finalize-grace-period-seconds` for webhooks, extended APIs and Kubernetes
    /// resources are whole numbers of seconds: an optional sign and digits, nothing else.
    ///
    /// ## Why
    /// Gardener reads them only when the Shoot is deleted. A value that it cannot read makes each try fail, so that deletion hangs
    /// until the annotation is corrected.
    ///
    /// ## Applies to
    /// Shoots, on CREATE and UPDATE, when the annotation is added or changed. For an existing value `shoot/cleanup-annotation` warns instead.
    ///
    /// ## Example
    /// ```yaml
    /// metadata:
    ///   annotations:
    ///     shoot.gardener.cloud/cleanup-webhooks-finalize-grace-period-seconds: 5m   # write 300
    /// ```
    ///
    /// ## How to fix
    /// Write seconds, or remove the annotation.
    ///
    /// ## Gardener
    /// Its API server accepts anything; `pkg/gardenlet/operation/botanist/cleanup.go` fails. Only in profile `documented`.
    id: "shoot/cleanup-period-invalid",
    summary: "cleanup periods are numbers, so that deletion does not hang",
    phase: Static,
    level: { documented: Deny, gardener: Off },
    scopes: [Shoot [Create, Update]],
    findings: {
        INVALID = "shoot/cleanup-period-invalid": "a cleanup period is added that would make deletion hang",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = shoot.new else { return };
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
