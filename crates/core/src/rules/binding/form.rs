// SPDX-License-Identifier: Apache-2.0
use super::{PROVIDER, is_secret_binding, provider_path, provider_types};
use crate::admission::{Change, Context, FieldPath, Findings, Operation, rule};
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, Naming, Part, Section, TOO_LONG, UNSUPPORTED, check as check_form,
    check_credentials, check_label_of_type, check_metadata, check_name_and_namespace,
};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("form.md"),
    id: "binding/form",
    summary: "rejects invalid or missing fields of a SecretBinding or CredentialsBinding",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [SecretBinding [Create, Update]; CredentialsBinding [Create, Update]],
    findings: { MALFORMED, MISSING, TOO_LONG, UNSUPPORTED },
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let binding = Part::whole(context.new_opened());
    let namespace = &context.request.namespace;
    check_metadata(context, Naming::SubdomainOrNothing, findings);
    for provider in provider_types(context) {
        check_label_of_type(&MALFORMED, &provider, &provider_path(), findings);
    }
    let at = |field| {
        let nothing = || binding.empty(field);
        binding.at(&[field]).unwrap_or_else(nothing)
    };
    if is_secret_binding(context) {
        check_name_and_namespace(&at("secretRef"), findings);
        if context.request.operation == Operation::Create {
            check_provider(context, findings);
        }
    } else {
        check_credentials(&at("credentialsRef"), namespace, findings);
        check_section("CredentialsBinding", context, findings);
    }
    for quota in at("quotas").items() {
        check_name_and_namespace(&quota, findings);
    }
}

/// Checks the provider; only new SecretBindings need one.
fn check_provider(context: &Context<'_>, findings: &mut Findings) {
    if Part::whole(context.new_opened()).at(&["provider"]).is_some() {
        return check_section("SecretBinding", context, findings);
    }
    let message = "the binding does not say for which provider it is";
    let help = format!("set `{PROVIDER}`");
    let field = FieldPath::new("provider");
    findings.required(&MISSING, field, message).help(help);
}

fn check_section(kind: &'static str, context: &Context<'_>, findings: &mut Findings) {
    let section = Section { kind, at: &["provider"], except: &[] };
    check_form(section, context.new_opened(), Facts::without_shoot(context), findings);
}
