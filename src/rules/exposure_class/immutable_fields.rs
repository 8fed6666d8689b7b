use crate::engine::{Change, Context, Findings, rule};
use crate::model::Named;
use crate::rules::shared::validation::{CHANGED, Part, check_immutable};

rule! {
    /// ## What it checks
    /// Handler and scheduling of an ExposureClass are immutable.
    ///
    /// ## Why
    /// Existing control planes are reached through this handler.
    ///
    /// ## Applies to
    /// ExposureClasses, on UPDATE, in `garden-gate review`: an API server has refused the request before it calls a webhook.
    ///
    /// ## Example
    /// ```yaml
    /// handler: internal   # was internet
    /// ```
    ///
    /// ## How to fix
    /// Restore the old value, and create another ExposureClass.
    ///
    /// ## Gardener
    /// `ValidateExposureClassUpdate` in `pkg/api/core/validation/exposureclass.go`, by static validation (422).
    id: "exposureclass/immutable-fields",
    summary: "handler and scheduling of an ExposureClass stay",
    phase: Static,
    level: Deny,
    door: Review,
    scopes: [ExposureClass [Update]],
    findings: { CHANGED },
    check: Judge(check),
}

fn check(context: &Context<'_>, class: Change<'_, Named>, findings: &mut Findings) {
    if class.new.is_some() && class.old.is_some() {
        let [new, old] = [context.new_opened(), context.old_opened()].map(Part::whole);
        check_immutable("ExposureClass", &[], (&new, &old), findings);
    }
}
