use crate::engine::{Change, Context, Findings, rule};
use crate::model::Named;
use crate::rules::shared::validation::{CHANGED, Part, check_immutable};

rule! {
    /// ## What it checks
    /// Handler and scheduling of an ExposureClass stay as they are.
    ///
    /// ## Why
    /// The control planes that are there are reached by this handler.
    ///
    /// ## Applies to
    /// ExposureClasses, on UPDATE, in `garden-gate review`: an API server has refused the request before it asks a webhook.
    ///
    /// ## Example
    /// ```yaml
    /// handler: internal   # was internet
    /// ```
    ///
    /// ## How to fix
    /// Put the old value back, and make another ExposureClass.
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
