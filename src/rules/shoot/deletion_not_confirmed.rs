use std::sync::Arc;

use super::super::confirmation::{is_confirmed, require};
use super::{PROJECT_MISSING, project_of};
use crate::compat::Selector;
use crate::engine::{
    Change, Check, Context, ErrorType, FieldPath, FindingKind, Findings, Kind, Offence, rule,
};
use crate::model::{DualApproval, Project, Shoot};

rule! {
    /// ## What it checks
    /// A Shoot is deleted only if its annotation `confirmation.gardener.cloud/deletion` is true (`true`, `True`, `TRUE`, `t`, `T` or
    /// `1`). Where the Project asks for dual approval of the deletion of such Shoots, whoever confirmed it (annotation
    /// `deletion.gardener.cloud/confirmed-by`) is not the one who deletes it.
    ///
    /// ## Why
    /// Deleting a Shoot destroys a cluster and everything in it.
    ///
    /// ## Applies to
    /// Shoots, on DELETE, by whomever, also if deletion has begun already. With deletecollection each Shoot is judged alone.
    ///
    /// ## Example
    /// ```yaml
    /// metadata:
    ///   annotations:
    ///     confirmation.gardener.cloud/deletion: "yes"   # not a truth value to Gardener
    /// ```
    ///
    /// ## How to fix
    /// `kubectl annotate shoot NAME confirmation.gardener.cloud/deletion=true`, then delete it; with dual approval, have
    /// somebody else delete it.
    ///
    /// ## Gardener
    /// `plugin/pkg/global/deletionconfirmation/admission.go` (403). For deletecollection Gardener asks that every Shoot of the namespace is
    /// confirmed, whatever the request selects; here one that is confirmed passes, and the others are refused.
    pub(crate) static RULE {
        id: "shoot/deletion-not-confirmed",
        summary: "a Shoot is deleted only after its deletion was confirmed, if need be by somebody else",
        phase: Admission,
        scopes: [Shoot [Delete] [""]],
        documented: Deny,
        gardener: Deny,
        findings: [NOT_CONFIRMED, DUAL_APPROVAL, SELECTOR_INVALID, PROJECT_MISSING],
        check: Check::Shoot(check),
    }
}

static NOT_CONFIRMED: FindingKind = FindingKind {
    id: "shoot/deletion-not-confirmed",
    summary: "the deletion of the Shoot is not confirmed",
};
static DUAL_APPROVAL: FindingKind = FindingKind {
    id: "shoot/deletion-dual-approval",
    summary: "the deletion was confirmed by the one who deletes",
};
static SELECTOR_INVALID: FindingKind = FindingKind {
    id: "shoot/deletion-dual-approval-selector",
    summary: "the Project's selector for dual approval cannot be read",
};

/// Who confirmed a deletion; kept by `shoot/deletion-confirmed-by`.
pub(super) const CONFIRMED_BY: &str = "deletion.gardener.cloud/confirmed-by";
/// User names of service accounts begin so.
const SERVICE_ACCOUNT: &str = "system:serviceaccount:";

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(old) = shoot.old else { return };
    require(&old.metadata, Kind::Shoot, &NOT_CONFIRMED, findings);
    if is_confirmed(&old.metadata)
        && let Some(project) = project_of(context, findings)
    {
        check_approval(context, old, &project, findings);
    }
}

fn check_approval(
    context: &Context<'_>,
    shoot: &Shoot,
    project: &Arc<Project>,
    findings: &mut Findings,
) {
    let path = FieldPath::new("metadata.annotations").key(CONFIRMED_BY);
    let mut approvals = project.spec.dual_approval_for_deletion.iter();
    let Some(approval) = approvals.find(|approval| approval.resource == "shoots") else {
        return;
    };
    let requester = &context.request.user_info.username;
    match is_needed(approval, shoot, requester) {
        Ok(false) => {}
        Ok(true) => {
            if shoot.annotation(CONFIRMED_BY).unwrap_or_default() == requester {
                let message = format!(
                    "user `{requester}` confirmed the deletion; Project `{}` asks that somebody else deletes the Shoot",
                    project.metadata.name
                );
                let offence = Offence::new(&DUAL_APPROVAL, ErrorType::Forbidden, path, message);
                findings.add(
                    offence
                        .value(requester.as_str())
                        .help("have somebody else delete it"),
                );
            }
        }
        Err(why) => {
            let message = format!(
                "cannot tell whether the deletion needs dual approval: a selector of Project `{}` is malformed: {why}",
                project.metadata.name
            );
            let offence = Offence::new(&SELECTOR_INVALID, ErrorType::Forbidden, path, message);
            findings.add(offence.help("correct spec.dualApprovalForDeletion of the Project"));
        }
    }
}

fn is_needed(approval: &DualApproval, shoot: &Shoot, requester: &str) -> Result<bool, String> {
    let DualApproval { selector, .. } = approval;
    let compiled = Selector::compile(&selector.match_labels, selector.expressions())?;
    let counts = !requester.starts_with(SERVICE_ACCOUNT)
        || approval.include_service_accounts.unwrap_or(true);
    Ok(counts && compiled.matches(&shoot.metadata.labels))
}
