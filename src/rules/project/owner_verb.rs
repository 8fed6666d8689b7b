use super::guarded_parts::{self, Part};
use crate::engine::{Change, Context, Findings, rule};
use crate::model::Project;

rule! {
    /// ## What it checks
    /// Changing `spec.owner` needs the verb `manage-members` on the Project, unless the requester is the current owner.
    /// Setting an owner where there was none needs no verb.
    ///
    /// ## Why
    /// The owner may do everything in the Project.
    ///
    /// ## Applies to
    /// Projects, on CREATE and UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   owner:
    ///     apiGroup: rbac.authorization.k8s.io
    ///     kind: User
    ///     name: mallory@example.com   # was alice@example.com, changed by mallory
    /// ```
    ///
    /// ## How to fix
    /// The owner, or a user with the verb `manage-members`, must make the change.
    ///
    /// ## Gardener
    /// `mustCheckProjectOwner` in `plugin/pkg/global/customverbauthorizer/admission.go` (403). In profile `gardener` this is not checked
    /// if the request also changes the whitelist or human members, as in Gardener; profile `documented` checks each.
    id: "project/owner-verb",
    summary: "changing the owner needs the verb `manage-members`",
    phase: Admission,
    level: Deny,
    scopes: [Project [Create, Update]],
    reads: [Verbs],
    findings: { VERB = "project/owner-verb": "the requester may not change the owner" },
    check: Judge(check),
}

fn check(context: &Context<'_>, project: Change<'_, Project>, findings: &mut Findings) {
    guarded_parts::check(Part::Owner, &VERB, context, project, findings);
}
