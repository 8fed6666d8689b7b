// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("secret_binding_deprecated.md"),
    id: "binding/secret-binding-deprecated",
    summary: "warns about deprecated SecretBindings",
    phase: Static,
    level: Warn,
    entry_point: Review,
    scopes: [SecretBinding [Create, Update]],
    findings: { DEPRECATED = "binding/secret-binding-deprecated": "SecretBindings are deprecated" },
    check: Judge(check),
}

fn check(_: &Context<'_>, _: Write<'_, Named>, findings: &mut Findings) {
    let message = "SecretBindings are deprecated";
    let field = FieldPath::new("kind");
    findings
        .forbid(&DEPRECATED, field, message)
        .help("make a CredentialsBinding for the same Secret");
}
