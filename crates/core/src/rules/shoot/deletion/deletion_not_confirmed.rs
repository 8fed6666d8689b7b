// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, Kind, rule};
use crate::rules::shared::confirmation::{field, others, require, require_others};
use crate::rules::shared::owning_project::PROJECT_MISSING;
use crate::rules::shared::owning_project::project_of;
use garden_gate_model::api::{
    Confirmation, DELETION_CONFIRMED_BY, DualApprovalForDeletion, Project, Shoot,
};
use garden_gate_text::go::Selector;

rule! {
    page: include_str!("deletion_not_confirmed.md"),
    id: "shoot/deletion-not-confirmed",
    summary: "rejects deletion of a Shoot without confirmation or required dual approval",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Delete]],
    reads: [Project, Shoot],
    findings: {
        NOT_CONFIRMED = "shoot/deletion-not-confirmed": "the deletion of the Shoot, or of one that the request also deletes, is not confirmed",
        DUAL_APPROVAL = "shoot/deletion-dual-approval": "the same user confirms and deletes despite dual approval",
        SELECTOR_INVALID = "shoot/deletion-dual-approval-selector": "the Project's selector for dual approval cannot be parsed",
        PROJECT_MISSING,
    },
    check: Judge(check),
}

/// Prefix of the user names of service accounts.
const SERVICE_ACCOUNT: &str = "system:serviceaccount:";

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(old) = shoot.old else { return };
    let Some(own) = Confirmation::of(&old.metadata) else {
        return require(context, &old.metadata, Kind::Shoot, &NOT_CONFIRMED, findings);
    };
    let Some(project) = project_of(context, findings) else {
        return;
    };
    let approval = match Approval::of(&project, &context.request.user_info.username) {
        Ok(approval) => approval,
        Err(why) => return report_malformed(&project, &why, findings),
    };
    if approval.lacks(&own) {
        let path = FieldPath::new("metadata.annotations").key(DELETION_CONFIRMED_BY);
        approval.refuse(path, "the deletion", findings);
    }
    let lacks = |other: &Confirmation| approval.lacks(other);
    let Some(others) = others(context, &old.metadata, Kind::Shoot, lacks, findings) else {
        return;
    };
    require_others(context, Kind::Shoot, &others, &NOT_CONFIRMED, findings);
    if others.blocked.count() > 0 {
        let names = others.blocked.describe("Shoot");
        let what = format!("the deletion of {names}, which would go with it,");
        approval.refuse(field(), &what, findings);
    }
}

/// The approval that a Project requires for deletions by one user.
struct Approval<'a> {
    project: &'a str,
    requester: &'a str,
    /// The Shoots whose deletion needs a second user; `None` if no Shoot does.
    selector: Option<Selector<'a>>,
}

impl<'a> Approval<'a> {
    /// Uses the first entry for Shoots.
    ///
    /// # Errors
    /// Returns the reason why the entry's selector is invalid.
    fn of(project: &'a Project, requester: &'a str) -> Result<Self, String> {
        let mut approvals = project.spec.dual_approval_for_deletion.iter();
        let approval = approvals.find(|approval| approval.resource == "shoots");
        let selector = approval.map(compile).transpose()?;
        let counts = |approval: &DualApprovalForDeletion| {
            !requester.starts_with(SERVICE_ACCOUNT)
                || approval.include_service_accounts.unwrap_or(true)
        };
        Ok(Self {
            project: &project.metadata.name,
            requester,
            selector: selector.filter(|_| approval.is_some_and(counts)),
        })
    }

    /// Reports whether the deletion needs a second user, but the requester also confirmed it.
    fn lacks(&self, confirmation: &Confirmation) -> bool {
        let selector = self.selector.as_ref();
        confirmation.by == self.requester
            && selector.is_some_and(|selector| selector.matches(&confirmation.labels))
    }

    fn refuse(&self, path: FieldPath, what: &str, findings: &mut Findings) {
        let Self { project, requester, .. } = self;
        let message = format!(
            "user `{requester}` confirmed {what}; Project `{project}` asks that somebody else deletes the Shoot"
        );
        findings
            .forbid(&DUAL_APPROVAL, path, message)
            .value(*requester)
            .help("have somebody else delete it");
    }
}

fn compile(approval: &DualApprovalForDeletion) -> Result<Selector<'_>, String> {
    Selector::compile(&approval.selector.match_labels, approval.selector.expressions())
}

fn report_malformed(project: &Project, why: &str, findings: &mut Findings) {
    let message = format!(
        "cannot tell whether the deletion needs dual approval: a selector of Project `{}` is malformed: {why}",
        project.metadata.name
    );
    let path = FieldPath::new("metadata.annotations").key(DELETION_CONFIRMED_BY);
    findings
        .forbid(&SELECTOR_INVALID, path, message)
        .help("correct spec.dualApprovalForDeletion of the Project");
}
