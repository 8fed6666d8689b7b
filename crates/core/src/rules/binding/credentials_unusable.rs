// SPDX-License-Identifier: Apache-2.0
use super::{is_wanted, kind, may_refer_to_all, provider_path, provider_types};
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::shared::references::{
    Referred, check_exists, check_right, credentials, known_identity,
};
use crate::rules::shared::validation::Part;
use garden_gate_model::api::{Kind, Named};

rule! {
    page: include_str!("credentials_unusable.md"),
    id: "binding/credentials-unusable",
    summary: "rejects a binding whose credentials are not found or not readable",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [SecretBinding [Create, Update]; CredentialsBinding [Create, Update]],
    reads: [WorkloadIdentity, Names, Verbs],
    findings: {
        MISSING = "binding/credentials-missing": "the credentials of a binding are not found",
        UNREADABLE = "binding/credentials-unreadable": "the requesting user may not read the credentials of a binding",
        PROVIDER = "binding/identity-of-other-provider": "the WorkloadIdentity has another provider type than the binding",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, binding: Change<'_, Named>, findings: &mut Findings) {
    if !is_wanted(binding.new) {
        return;
    }
    let object = Part::whole(context.new_opened());
    let namespace = &context.request.namespace;
    let Some(reference) = credentials(kind(context), &object, namespace) else {
        return;
    };
    if !may_refer_to_all(context, &reference.key.namespace) {
        check_right(context, &reference, &UNREADABLE, findings);
    }
    match reference.key.kind {
        Kind::WorkloadIdentity => check_identity(context, &reference, findings),
        _ => check_exists(context, (&reference, &MISSING), findings),
    }
}

fn check_identity(context: &Context<'_>, reference: &Referred, findings: &mut Findings) {
    let key = &reference.key;
    let what = format_args!("what {key} is for");
    let Some(identity) = known_identity(context, (reference, &MISSING), what, findings) else {
        return;
    };
    let target = &identity.spec.target_system.kind;
    if !provider_types(context).contains(target) {
        let message = format!("{key} is for `{target}`");
        findings
            .forbid(&PROVIDER, provider_path(), message)
            .help(format!(
                "name a WorkloadIdentity for the provider of the binding, or make a binding for `{target}`"
            ));
    }
}
