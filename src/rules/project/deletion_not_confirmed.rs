use crate::engine::{Change, Context, Findings, Kind, rule};
use crate::model::Project;
use crate::rules::shared::confirmation::require;

rule! {
    /// ## What it checks
    /// A Project is deleted only if its annotation `confirmation.gardener.cloud/deletion` is true (`true`, `True`, `TRUE`, `t`, `T` or
    /// `1`).
    ///
    /// ## Why
    /// Deleting a Project ends a team's access, and deletes its namespace.
    ///
    /// ## Applies to
    /// Projects, on DELETE, by any user, also if deletion has begun already. Many are deleted at once
    /// (deletecollection) only if the deletion of each Project is confirmed, whatever the request selects.
    ///
    /// ## Example
    /// ```yaml
    /// metadata:
    ///   annotations: {}   # not confirmed
    /// ```
    ///
    /// ## How to fix
    /// `kubectl annotate project NAME confirmation.gardener.cloud/deletion=true`, then delete it.
    ///
    /// ## Gardener
    /// `plugin/pkg/global/deletionconfirmation/admission.go` (403). No differences.
    id: "project/deletion-not-confirmed",
    summary: "a Project is deleted only after its deletion was confirmed",
    phase: Admission,
    level: Deny,
    scopes: [Project [Delete]],
    reads: [Project],
    findings: {
        NOT_CONFIRMED = "project/deletion-not-confirmed": "the deletion of the Project, or of one that would go with it, is not confirmed",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, object: Change<'_, Project>, findings: &mut Findings) {
    if let Some(old) = object.old {
        require(
            context,
            &old.metadata,
            Kind::Project,
            &NOT_CONFIRMED,
            findings,
        );
    }
}
