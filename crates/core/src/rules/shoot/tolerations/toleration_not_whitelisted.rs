// SPDX-License-Identifier: Apache-2.0
use std::cell::LazyCell;
use std::collections::HashSet;

use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use crate::rules::shared::owning_project::PROJECT_MISSING;
use crate::rules::shared::owning_project::project_of;
use crate::rules::shared::tolerations::{Whitelist, describe};
use garden_gate_model::api::{Shoot, Toleration};

rule! {
    page: include_str!("toleration_not_whitelisted.md"),
    id: "shoot/toleration-not-whitelisted",
    summary: "rejects tolerations missing from the whitelists of Project and landscape",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding, Status]],
    reads: [Project],
    findings: {
        NOT_WHITELISTED = "shoot/toleration-not-whitelisted": "a toleration is on neither the landscape's nor the Project's whitelist",
        PROJECT_MISSING,
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let Some(project) = project_of(context, findings) else {
        return;
    };
    let stored = shoot.old.map_or(&[][..], |old| &old.spec.tolerations);
    let global = &context.config.tolerations.whitelist;
    let of_project = project.spec.tolerations.as_ref().map_or(&[][..], |lists| &lists.whitelist);
    if context.request.sub_resource == "status" {
        return;
    }
    let whitelists = [global, of_project].map(Whitelist::of);
    let stored: HashSet<&Toleration> = stored.iter().collect();
    let whitelist = LazyCell::new(|| describe(global.iter().chain(of_project)));
    for (index, toleration) in new.spec.tolerations.iter().enumerate() {
        let allowed = whitelists.iter().any(|it| it.covers(toleration));
        if !stored.contains(toleration) && !allowed {
            findings.report_lazily(&NOT_WHITELISTED, |findings| {
                let message = format!(
                    "toleration `{toleration}` is not whitelisted for project `{}`; whitelisted: {}",
                    project.metadata.name, *whitelist
                );
                findings
                    .forbid(&NOT_WHITELISTED, FieldPath::new("spec.tolerations").index(index), message)
                    .value(toleration.to_string())
                    .help(Help::remove("remove it, or ask an operator to add it to spec.tolerations.whitelist of the Project"));
            });
        }
    }
}
