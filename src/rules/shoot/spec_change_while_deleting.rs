use crate::engine::{
    Change, Check, Context, ErrorType, FieldPath, FindingKind, Findings, Offence, rule,
};
use crate::model::Shoot;

rule! {
    /// ## What it checks
    /// Nothing in the spec of a Shoot changes once its deletion was asked for. So it cannot be put on a seed either.
    ///
    /// ## Why
    /// What is being torn down must be torn down as it was built.
    ///
    /// ## Applies to
    /// Shoots with a deletion timestamp, on UPDATE, the subresource `binding` included. Metadata may change.
    ///
    /// ## Example
    /// ```yaml
    /// metadata:
    ///   deletionTimestamp: "2026-01-01T00:00:00Z"
    /// spec:
    ///   purpose: production   # was evaluation
    /// ```
    ///
    /// ## How to fix
    /// Leave the spec as it is, and let the deletion finish.
    ///
    /// ## Gardener
    /// ValidateShootSpecUpdate in `pkg/api/core/validation/shoot.go` (422).
    pub(crate) static RULE {
        id: "shoot/spec-change-while-deleting",
        summary: "the spec of a Shoot that is being deleted stays as it is",
        phase: Static,
        scopes: [Shoot [Update] ["", "binding"]],
        documented: Deny,
        gardener: Deny,
        findings: [CHANGED],
        check: Check::Shoot(check),
    }
}

static CHANGED: FindingKind = FindingKind {
    id: "shoot/spec-change-while-deleting",
    summary: "the spec of a Shoot that is being deleted changes",
};

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = shoot.new else { return };
    if new.metadata.deletion_timestamp.is_none() || !context.difference().spec {
        return;
    }
    let message = format!(
        "Shoot `{}` is being deleted, so its spec cannot be changed any more",
        new.metadata.name
    );
    let offence = Offence::new(
        &CHANGED,
        ErrorType::Forbidden,
        FieldPath::new("spec"),
        message,
    );
    findings.add(offence.help("leave the spec as it is"));
}
