use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::{GARDEN_NAMESPACE, Shoot};
use crate::rules::shared::lists::one_of;

rule! {
    /// ## What it checks
    /// `spec.purpose` is `evaluation`, `testing`, `development` or `production`; in namespace `garden` it may be
    /// `infrastructure`, too.
    ///
    /// ## Why
    /// The purpose determines size and monitoring of a control plane.
    ///
    /// ## Applies to
    /// Shoots, on CREATE and UPDATE, the `binding` subresource included. The purpose may change.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   purpose: prod
    /// ```
    ///
    /// ## How to fix
    /// Use one of the values above, or omit the field, which means `evaluation`.
    ///
    /// ## Gardener
    /// `ValidateShootSpec` in `pkg/api/core/validation/shoot.go`, by static validation (422). No differences.
    id: "shoot/purpose-unsupported",
    summary: "the purpose is one that exists",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: { UNSUPPORTED = "shoot/purpose-unsupported": "there is no such purpose here" },
    check: Judge(check),
}

const PURPOSES: [&str; 4] = ["development", "evaluation", "production", "testing"];
const INFRASTRUCTURE: &str = "infrastructure";

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(purpose) = shoot.new.and_then(|new| new.spec.purpose.as_deref()) else {
        return;
    };
    let in_garden = context.request.namespace == GARDEN_NAMESPACE;
    let is_allowed = PURPOSES.contains(&purpose) || (in_garden && purpose == INFRASTRUCTURE);
    if !is_allowed {
        let message =
            format!("`{purpose}` is not a purpose that a Shoot of this namespace can have");
        let field = FieldPath::new("spec.purpose");
        let help = one_of(purpose, &PURPOSES);
        findings
            .unsupported(&UNSUPPORTED, field, message)
            .value(purpose)
            .help(help);
    }
}
