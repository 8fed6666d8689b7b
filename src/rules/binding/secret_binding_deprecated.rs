use crate::engine::{Change, Context, ErrorType, FieldPath, Findings, Offence, rule};
use crate::model::Named;

rule! {
    /// ## What it checks
    /// Whether a SecretBinding is written: CredentialsBindings replace them.
    ///
    /// ## Why
    /// Shoots cannot name SecretBindings from Kubernetes 1.34 on.
    ///
    /// ## Applies to
    /// SecretBindings, on CREATE and UPDATE, in `garden-gate review`: an API server returns its own warning.
    ///
    /// ## Example
    /// ```yaml
    /// kind: SecretBinding
    /// ```
    ///
    /// ## How to fix
    /// Create a CredentialsBinding for the same Secret, and name it in `spec.credentialsBindingName` of Shoots instead of `spec.secretBindingName`.
    ///
    /// ## Gardener
    /// `WarningsOnCreate` and `WarningsOnUpdate` in `pkg/apiserver/registry/core/secretbinding/strategy.go`. No differences.
    id: "binding/secret-binding-deprecated",
    summary: "CredentialsBindings take the place of SecretBindings",
    phase: Static,
    level: Warn,
    door: Review,
    scopes: [SecretBinding [Create, Update]],
    findings: { DEPRECATED = "binding/secret-binding-deprecated": "SecretBindings are deprecated" },
    check: Judge(check),
}

fn check(_: &Context<'_>, binding: Change<'_, Named>, findings: &mut Findings) {
    if binding.new.is_none() {
        return;
    }
    let message = "SecretBindings are deprecated";
    let field = FieldPath::new("kind");
    let offence = Offence::new(&DEPRECATED, ErrorType::Forbidden, field, message);
    findings.add(offence.help("make a CredentialsBinding for the same Secret"));
}
