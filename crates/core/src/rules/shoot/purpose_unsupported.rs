// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::lists::one_of;
use garden_gate_model::api::{GARDEN_NAMESPACE, Shoot, ShootSpec};

rule! {
    page: include_str!("purpose_unsupported.md"),
    id: "shoot/purpose-unsupported",
    summary: "rejects an unsupported purpose",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: { UNSUPPORTED = "shoot/purpose-unsupported": "the purpose is not supported in the namespace" },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(purpose) = shoot.new.and_then(|new| new.spec.purpose.as_deref()) else {
        return;
    };
    let request = context.request;
    let in_garden = request.namespace == GARDEN_NAMESPACE || request.is_template;
    let is_allowed = ShootSpec::PURPOSES.contains(&purpose)
        || (in_garden && purpose == ShootSpec::INFRASTRUCTURE);
    if !is_allowed {
        let message =
            format!("`{purpose}` is not a purpose that a Shoot of this namespace can have");
        let field = FieldPath::new("spec.purpose");
        let help = one_of(purpose, &ShootSpec::PURPOSES);
        findings.unsupported(&UNSUPPORTED, field, message).value(purpose).help(help);
    }
}
