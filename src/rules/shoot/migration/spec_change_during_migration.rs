use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::Shoot;
use crate::rules::shoot::change::spec_differs;
use crate::rules::shoot::seed::placement::{move_of, status};

rule! {
    /// ## What it checks
    /// The spec of a Shoot does not change during a control plane migration: from the assignment of another seed until
    /// the control plane is restored there.
    ///
    /// ## Why
    /// The control plane must be restored with the spec that it had on the old seed.
    ///
    /// ## Applies to
    /// Shoots, on UPDATE, the subresource `binding` included. Metadata may change, and so may the seed itself.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   purpose: production        # was evaluation
    /// status:
    ///   lastOperation: {type: Migrate, state: Processing}
    /// ```
    ///
    /// ## How to fix
    /// Wait until the operation `Restore` has succeeded.
    ///
    /// ## Gardener
    /// validateScheduling in `plugin/pkg/shoot/validator/admission.go` (403).
    id: "shoot/spec-change-during-migration",
    summary: "the spec of a Shoot stays as it is while its control plane moves",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        RESCHEDULED = "shoot/spec-change-after-reschedule": "the Shoot has another seed, but the move to it has not begun",
        MIGRATING = "shoot/spec-change-during-migration": "the control plane of the Shoot is between two seeds",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let (Some(new), Some(status)) = (shoot.new, status(shoot)) else {
        return;
    };
    let Some(operation) = &status.last_operation else {
        return;
    };
    if move_of(shoot).is_some() {
        return;
    }
    let (kind, message) = match (new.seed_name(), status.seed_name.as_deref()) {
        (Some(wanted), Some(current)) if wanted != current && operation.kind != "Migrate" => (
            &RESCHEDULED,
            format!(
                "the Shoot will move from seed `{current}` to `{wanted}`, so its spec cannot be changed now"
            ),
        ),
        _ if operation.is_migration() => (
            &MIGRATING,
            format!(
                "the spec cannot be changed during operation `{}`, which is in state `{}`",
                operation.kind, operation.state
            ),
        ),
        _ => return,
    };
    if !spec_differs(context, new) {
        return;
    }
    findings
        .forbid(kind, FieldPath::new("spec"), message)
        .help("wait until the control plane is restored on its new seed");
}
