use super::delete_in_use::refuse_in_use;
use crate::engine::{Change, Context, Findings, rule};
use crate::model::Seed;

rule! {
    /// ## What it checks
    /// The same as `seed/delete-in-use`, for requests that delete all Seeds, or all with some label, at once.
    ///
    /// ## Why
    /// The control planes of Shoots would be lost. Gardener is supposed to prevent that, but checks the name in the request,
    /// and such a request has none.
    ///
    /// ## Applies to
    /// Seeds, on DELETE without a name (`deletecollection`).
    ///
    /// ## Example
    /// ```sh
    /// kubectl delete seeds --selector environment=test   # with Shoots on one of them
    /// ```
    ///
    /// ## How to fix
    /// Migrate the Shoots to another Seed or delete them first; delete unused Seeds by their names.
    ///
    /// ## Gardener
    /// validateSeedDeletion in `plugin/pkg/seed/validator/admission.go` does not notice. Off in profile `gardener`.
    id: "seed/deletecollection-in-use",
    summary: "a Seed with Shoots is not deleted together with others",
    phase: Admission,
    level: { documented: Deny, gardener: Off },
    scopes: [Seed [Delete]],
    reads: [Shoot],
    findings: {
        IN_USE = "seed/deletecollection-in-use": "there are Shoots on a Seed that is deleted together with others",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, seed: Change<'_, Seed>, findings: &mut Findings) {
    let Some(old) = seed.old.filter(|_| context.request.name.is_empty()) else {
        return;
    };
    refuse_in_use(context, &old.metadata.name, &IN_USE, findings);
}
