use crate::engine::{Change, Context, Findings, Kind, rule};
use crate::model::{Named, is_confirmed};
use crate::rules::shared::confirmation::require;
use crate::rules::shared::owning_project::PROJECT_MISSING;
use crate::rules::shared::owning_project::project_of;

rule! {
    /// ## What it checks
    /// A ShootState is deleted only if its annotation `confirmation.gardener.cloud/deletion` is true (`true`, `True`, `TRUE`, `t`, `T` or
    /// `1`), and if a Project owns its namespace.
    ///
    /// ## Why
    /// Gardener rebuilds a cluster from the ShootState after a migration of its control plane.
    ///
    /// ## Applies to
    /// ShootStates, on DELETE, by any user, also if deletion has begun already. Many are deleted at once
    /// (deletecollection) only if the deletion of each ShootState of the namespace is confirmed, whatever the request selects.
    ///
    /// ## Example
    /// ```yaml
    /// metadata:
    ///   annotations: {}   # not confirmed
    /// ```
    ///
    /// ## How to fix
    /// `kubectl annotate shootstate NAME confirmation.gardener.cloud/deletion=true`, then delete it.
    ///
    /// ## Gardener
    /// `plugin/pkg/global/deletionconfirmation/admission.go` (403). No differences.
    id: "shootstate/deletion-not-confirmed",
    summary: "a ShootState is deleted only after its deletion was confirmed",
    phase: Admission,
    level: Deny,
    scopes: [ShootState [Delete]],
    reads: [Project, ShootState],
    findings: {
        NOT_CONFIRMED = "shootstate/deletion-not-confirmed": "the deletion of the ShootState, or of one that would go with it, is not confirmed",
        PROJECT_MISSING,
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, object: Change<'_, Named>, findings: &mut Findings) {
    let Some(old) = object.old else { return };
    let (own, kind) = (&old.metadata, Kind::ShootState);
    require(context, own, kind, &NOT_CONFIRMED, findings);
    if is_confirmed(own) {
        project_of(context, findings);
    }
}
