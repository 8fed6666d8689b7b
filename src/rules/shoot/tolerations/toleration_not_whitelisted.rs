use std::cell::LazyCell;
use std::collections::HashSet;

use crate::engine::{Change, Context, ErrorType, FieldPath, Findings, Offence, rule};
use crate::model::{Shoot, Toleration};
use crate::rules::shared::owning_project::PROJECT_MISSING;
use crate::rules::shared::owning_project::project_of;
use crate::rules::shared::tolerations::{Whitelist, describe};

rule! {
    /// ## What it checks
    /// Every toleration that a Shoot gets must be whitelisted: by the landscape's list or by that of the Shoot's Project.
    /// An entry without a value covers every value of its key; `key=value` covers only this value. On UPDATE only new or changed entries
    /// are checked, so an entry that was whitelisted once may stay for ever.
    ///
    /// ## Why
    /// Taints reserve seeds; a user who may tolerate any taint may use any seed.
    ///
    /// ## Applies to
    /// Shoots, on CREATE and UPDATE, the subresources `binding` and `status` included.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   tolerations:
    ///   - key: seed.gardener.cloud/protected   # in a Project that does not whitelist it
    /// ```
    ///
    /// ## How to fix
    /// Remove the toleration, or ask an operator to add it to `spec.tolerations.whitelist` of the Project (that needs
    /// the verb `modify-spec-tolerations-whitelist` on the Project).
    ///
    /// ## Gardener
    /// `Validate` in `plugin/pkg/shoot/tolerationrestriction/admission.go` (403). On UPDATE Gardener numbers
    /// `spec.tolerations[i]` within the changed entries; here `i` is the real index.
    id: "shoot/toleration-not-whitelisted",
    summary: "a Shoot tolerates only what its Project or the landscape whitelists",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding, Status]],
    reads: [Project],
    findings: {
        NOT_WHITELISTED = "shoot/toleration-not-whitelisted": "a toleration is neither on the landscape's nor on the Project's whitelist",
        PROJECT_MISSING,
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = shoot.new else { return };
    let Some(project) = project_of(context, findings) else {
        return;
    };
    let stored = shoot.old.map_or(&[][..], |old| &old.spec.tolerations);
    let global = &context.config.tolerations.whitelist;
    let of_project = project
        .spec
        .tolerations
        .as_ref()
        .map_or(&[][..], |lists| &lists.whitelist);
    if context.request.sub_resource == "status" {
        return;
    }
    let whitelists = [global, of_project].map(Whitelist::of);
    let stored: HashSet<&Toleration> = stored.iter().collect();
    let whitelist = LazyCell::new(|| describe(global.iter().chain(of_project)));
    for (index, toleration) in new.spec.tolerations.iter().enumerate() {
        let allowed = whitelists.iter().any(|it| it.covers(toleration));
        if !stored.contains(toleration) && !allowed {
            findings.add_with(&NOT_WHITELISTED, || {
                let path = FieldPath::new("spec.tolerations").index(index);
                offence(toleration, &path, &project.metadata.name, &whitelist)
            });
        }
    }
}

fn offence(toleration: &Toleration, path: &FieldPath, project: &str, whitelist: &str) -> Offence {
    let message = format!(
        "toleration `{toleration}` is not whitelisted for project `{project}`; whitelisted: {whitelist}"
    );
    Offence::new(&NOT_WHITELISTED, ErrorType::Forbidden, path.clone(), message)
        .value(toleration.to_string())
        .help("remove it, or have it added to spec.tolerations.whitelist of the Project by somebody who may")
}
