use super::{describe, shoots_on};
use crate::engine::{Change, Context, FieldPath, FindingKind, Findings, rule};
use crate::model::Seed;

rule! {
    /// ## What it checks
    /// A Seed is not deleted while Shoots are on it, or are being migrated to or from it.
    ///
    /// ## Why
    /// Their control planes would be lost.
    ///
    /// ## Applies to
    /// Seeds, on DELETE by name. See `seed/deletecollection-in-use` for the deletion of all Seeds at once.
    ///
    /// ## Example
    /// ```sh
    /// kubectl delete seed aws-eu1   # with Shoots on it
    /// ```
    ///
    /// ## How to fix
    /// Migrate the Shoots to another Seed or delete them first.
    ///
    /// ## Gardener
    /// validateSeedDeletion in `plugin/pkg/seed/validator/admission.go` (403).
    id: "seed/delete-in-use",
    summary: "a Seed with Shoots is not deleted",
    phase: Admission,
    level: Deny,
    scopes: [Seed [Delete]],
    reads: [Shoot],
    findings: { IN_USE = "seed/delete-in-use": "there are Shoots on the Seed" },
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Change<'_, Seed>, findings: &mut Findings) {
    let name = &context.request.name;
    if !name.is_empty() {
        refuse_in_use(context, name, &IN_USE, findings);
    }
}

/// Refuses the deletion of a Seed with Shoots.
pub(super) fn refuse_in_use(
    context: &Context<'_>,
    seed: &str,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    let path = FieldPath::new("metadata.name");
    let Some(shoots) = shoots_on(context, seed, &path, findings) else {
        return;
    };
    let users = describe(shoots);
    let message = format!("Seed `{seed}` cannot be deleted while it is used by {users}");
    findings
        .forbid(kind, path, message)
        .value(seed)
        .help("move these Shoots to another Seed, or delete them first");
}
