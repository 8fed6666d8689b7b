use super::{completed, kind};
use crate::engine::{Change, Context, Findings, rule};
use crate::model::Named;
use crate::rules::shared::validation::{CHANGED, Part, check_immutable};

rule! {
    /// ## What it checks
    /// The references of a SecretBinding or CredentialsBinding, Quotas included, and its provider are immutable; a SecretBinding without a provider can be
    /// given one.
    ///
    /// ## Why
    /// Shoots would silently get other credentials, and their machines could not be deleted with them.
    ///
    /// ## Applies to
    /// SecretBindings and CredentialsBindings, on UPDATE, in `garden-gate review`: an API server has refused the request before it calls a webhook.
    ///
    /// ## Example
    /// ```yaml
    /// credentialsRef:
    ///   apiVersion: v1
    ///   kind: Secret
    ///   name: other-account   # was account
    /// ```
    ///
    /// ## How to fix
    /// Restore the old value, and create another binding.
    ///
    /// ## Gardener
    /// `ValidateSecretBindingUpdate` in `pkg/api/core/validation/secretbinding.go`, `ValidateCredentialsBindingUpdate` in `pkg/api/security/validation/credentialsbinding.go`, by static validation (422).
    id: "binding/immutable-fields",
    summary: "credentials, quotas and provider of a binding stay",
    phase: Static,
    level: Deny,
    door: Review,
    scopes: [SecretBinding [Update]; CredentialsBinding [Update]],
    findings: { CHANGED },
    check: Judge(check),
}

fn check(context: &Context<'_>, binding: Change<'_, Named>, findings: &mut Findings) {
    if binding.new.is_none() || binding.old.is_none() {
        return;
    }
    let namespace = &context.request.namespace;
    let completed = |json| completed(json, namespace);
    let (new, old) = (
        completed(context.new_opened()),
        completed(context.old_opened()),
    );
    let parts = (&Part::whole(&new), &Part::whole(&old));
    check_immutable(kind(context).as_str(), &[], parts, findings);
}
