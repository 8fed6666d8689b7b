use super::guarded_parts::{self, Part};
use crate::engine::{Change, Context, Findings, rule};
use crate::model::Project;

rule! {
    /// ## What it checks
    /// Adding or removing members that are not service accounts, and changing their roles, needs the verb `manage-members` on the Project.
    /// The owner does not need the verb. Service accounts, and the order of members and roles, may change freely. Groups of service
    /// accounts count as human. The entry of the (new) owner is not checked.
    ///
    /// ## Why
    /// A user who may add members could grant every permission in the Project.
    ///
    /// ## Applies to
    /// Projects, on CREATE and UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   members:
    ///   - apiGroup: rbac.authorization.k8s.io
    ///     kind: User
    ///     name: carol@example.com   # added by a member with the role admin
    ///     role: admin
    /// ```
    ///
    /// ## How to fix
    /// Have the owner make the change, or a member with the role `uam`, which includes the verb.
    ///
    /// ## Gardener
    /// `mustCheckProjectMembers` in `plugin/pkg/global/customverbauthorizer/admission.go` (403). In profile `gardener` this is not checked
    /// if the request also changes the whitelist, as in Gardener; profile `documented` checks both.
    id: "project/members-verb",
    summary: "changing human members needs the verb `manage-members`",
    phase: Admission,
    level: Deny,
    scopes: [Project [Create, Update]],
    reads: [Verbs],
    findings: { VERB = "project/members-verb": "the requester may not change the human members" },
    check: Judge(check),
}

fn check(context: &Context<'_>, project: Change<'_, Project>, findings: &mut Findings) {
    guarded_parts::check(Part::Members, &VERB, context, project, findings);
}
