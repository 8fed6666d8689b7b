use super::{is_wanted, kind, may_refer_to_all, provider_path, provider_types};
use crate::engine::{Change, Context, Findings, rule};
use crate::model::{Kind, Named, WorkloadIdentity};
use crate::rules::shared::references::{Referred, check_exists, check_right, credentials};
use crate::rules::shared::validation::Part;

rule! {
    /// ## What it checks
    /// The Secret, InternalSecret or WorkloadIdentity that a SecretBinding or CredentialsBinding is for exists, and the requester may read it. A WorkloadIdentity is for the provider of the binding.
    ///
    /// ## Why
    /// Who could bind what he may not read could use credentials of others.
    ///
    /// ## Applies to
    /// SecretBindings and CredentialsBindings, on CREATE and UPDATE, whatever changes, in `garden-gate review`: an API server has refused the request before it asks a webhook. Bindings
    /// that are being deleted are left alone.
    ///
    /// Of Secrets and InternalSecrets nothing but names is looked at. A garden directory tells what is missing in a namespace of which it holds any; `--live` asks for the metadata. Where neither
    /// tells, `review` lists the field as not judged.
    ///
    /// ## Example
    /// ```yaml
    /// credentialsRef:
    ///   apiVersion: v1
    ///   kind: Secret
    ///   name: acount   # the namespace has `account`
    /// ```
    ///
    /// ## How to fix
    /// Name credentials that exist and that you may read, or have the binding made by somebody who may.
    ///
    /// ## Gardener
    /// `ensureBindingReferences` in `plugin/pkg/global/resourcereferencemanager/admission.go` (403), which stops at the first. It also tries whether the provider's extension accepts the Secret,
    /// which is not done here.
    id: "binding/credentials-unusable",
    summary: "the credentials of a binding exist and may be read",
    phase: Admission,
    level: Deny,
    door: Review,
    scopes: [SecretBinding [Create, Update]; CredentialsBinding [Create, Update]],
    reads: [WorkloadIdentity, Names, Verbs],
    findings: {
        MISSING = "binding/credentials-missing": "the credentials of a binding do not exist",
        UNREADABLE = "binding/credentials-unreadable": "the requester may not read the credentials of a binding",
        PROVIDER = "binding/identity-of-other-provider": "the WorkloadIdentity is for another provider than the binding",
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
        check_right(context, (&reference, &UNREADABLE), findings);
    }
    match reference.key.kind {
        Kind::WorkloadIdentity => check_identity(context, &reference, findings),
        _ => check_exists(context, (&reference, &MISSING), findings),
    }
}

fn check_identity(context: &Context<'_>, reference: &Referred, findings: &mut Findings) {
    let Referred { key, field, .. } = reference;
    if !context.tells_of(Kind::WorkloadIdentity) {
        return check_exists(context, (reference, &MISSING), findings);
    }
    let identity = context.get::<WorkloadIdentity>((key.namespace.as_str(), key.name.as_str()));
    let what = format_args!("what {key} is for");
    let Some(identity) = findings.known(identity.answer(), field, what) else {
        return;
    };
    let Some(identity) = identity else {
        return check_exists(context, (reference, &MISSING), findings);
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
