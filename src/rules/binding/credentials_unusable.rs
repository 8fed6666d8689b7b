use super::{is_wanted, kind, may_refer_to_all, provider_path, provider_types};
use crate::engine::{Change, Context, Findings, rule};
use crate::model::{Kind, Named, WorkloadIdentity};
use crate::rules::shared::references::{Referred, check_exists, check_right, credentials};
use crate::rules::shared::validation::Part;

rule! {
    /// ## What it checks
    /// The Secret, InternalSecret or WorkloadIdentity that a SecretBinding or CredentialsBinding references exists, and the requester may
    /// read it. A WorkloadIdentity is for the provider of the binding.
    ///
    /// ## Why
    /// Otherwise a user could use credentials of others by binding them without permission to read them.
    ///
    /// ## Applies to
    /// SecretBindings and CredentialsBindings, on CREATE and UPDATE, whatever changes, in `garden-gate review`: an API server has refused the request before it
    /// calls a webhook. Bindings that are being deleted are skipped.
    ///
    /// Of Secrets and InternalSecrets the rule only checks names. A garden directory shows whether one is missing if it holds any of that namespace; `--live`
    /// requests the metadata. If neither knows, `review` lists the field as not judged.
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
    /// Name credentials that exist and that you may read, or have a user with that permission create the binding.
    ///
    /// ## Gardener
    /// `ensureBindingReferences` in `plugin/pkg/global/resourcereferencemanager/admission.go` (403), which stops at the first. It also
    /// checks whether the provider's extension accepts the Secret, which is not checked here.
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
