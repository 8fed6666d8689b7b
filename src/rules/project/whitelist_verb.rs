use super::guarded_parts::{self, Part};
use crate::engine::{Change, Context, Findings, rule};
use crate::model::Project;

rule! {
    /// ## What it checks
    /// Changing `spec.tolerations.whitelist` needs the verb `modify-spec-tolerations-whitelist` on the Project. Adding or
    /// removing the whole `spec.tolerations` block is a change, whatever its content; so is another order of
    /// the entries. Changing only `defaults` in an existing block is not.
    ///
    /// ## Why
    /// The whitelist determines which reserved seeds a Project may use; the operators of the landscape decide about it.
    ///
    /// ## Applies to
    /// Projects, on CREATE and UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   tolerations:
    ///     whitelist:
    ///     - key: seed.gardener.cloud/protected   # added by a project member
    /// ```
    ///
    /// ## How to fix
    /// Keep the stored block, or ask an operator to change it.
    ///
    /// ## Gardener
    /// `mustCheckProjectTolerationsWhitelist` in `plugin/pkg/global/customverbauthorizer/admission.go` (403). No differences.
    id: "project/whitelist-verb",
    summary: "changing the toleration whitelist needs the verb `modify-spec-tolerations-whitelist`",
    phase: Admission,
    level: Deny,
    scopes: [Project [Create, Update]],
    reads: [Verbs],
    findings: {
        VERB = "project/whitelist-verb": "the requester may not change the toleration whitelist",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, project: Change<'_, Project>, findings: &mut Findings) {
    guarded_parts::check(Part::Whitelist, &VERB, context, project, findings);
}
