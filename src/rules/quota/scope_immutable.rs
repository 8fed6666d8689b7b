use crate::engine::{Change, Context, Findings, rule};
use crate::model::Named;
use crate::rules::shared::validation::{CHANGED, Part, check_immutable};

rule! {
    /// ## What it checks
    /// The scope of a Quota is immutable.
    ///
    /// ## Why
    /// Bindings reference the Quota for this scope, and each may have one Quota per scope.
    ///
    /// ## Applies to
    /// Quotas, on UPDATE, in `garden-gate review`: an API server has refused the request before it calls a webhook.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   scope:
    ///     apiVersion: v1
    ///     kind: Secret   # was Project
    /// ```
    ///
    /// ## How to fix
    /// Restore the old value, and create another Quota.
    ///
    /// ## Gardener
    /// `ValidateQuotaUpdate` in `pkg/api/core/validation/quota.go`, by static validation (422).
    id: "quota/scope-immutable",
    summary: "the scope of a Quota stays",
    phase: Static,
    level: Deny,
    door: Review,
    scopes: [Quota [Update]],
    findings: { CHANGED },
    check: Judge(check),
}

fn check(context: &Context<'_>, quota: Change<'_, Named>, findings: &mut Findings) {
    if quota.new.is_some() && quota.old.is_some() {
        let [new, old] = [context.new_opened(), context.old_opened()].map(Part::whole);
        check_immutable("Quota", &["spec"], (&new, &old), findings);
    }
}
