use super::super::confirmation::require;
use crate::engine::{Change, Check, Context, FindingKind, Findings, Kind, rule};
use crate::model::Project;

rule! {
    /// ## What it checks
    /// A Project is deleted only if its annotation `confirmation.gardener.cloud/deletion` is true (`true`, `True`, `TRUE`, `t`, `T` or
    /// `1`).
    ///
    /// ## Why
    /// Deleting a Project ends a team's access, and its namespace goes with it.
    ///
    /// ## Applies to
    /// Projects, on DELETE, by whomever, also if deletion has begun already. With deletecollection each object is judged alone.
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
    /// `plugin/pkg/global/deletionconfirmation/admission.go` (403). For deletecollection Gardener asks that every object is
    /// confirmed, whatever the request selects; here one that is confirmed passes, and the others are refused.
    pub(crate) static RULE {
        id: "project/deletion-not-confirmed",
        summary: "a Project is deleted only after its deletion was confirmed",
        phase: Admission,
        scopes: [Project [Delete] [""]],
        documented: Deny,
        gardener: Deny,
        findings: [NOT_CONFIRMED],
        check: Check::Project(check),
    }
}

static NOT_CONFIRMED: FindingKind = FindingKind {
    id: "project/deletion-not-confirmed",
    summary: "the deletion of the Project is not confirmed",
};

fn check(_: &Context<'_>, object: Change<'_, Project>, findings: &mut Findings) {
    if let Some(old) = object.old {
        require(&old.metadata, Kind::Project, &NOT_CONFIRMED, findings);
    }
}
