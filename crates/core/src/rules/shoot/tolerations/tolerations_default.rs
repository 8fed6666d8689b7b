// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;

use crate::rules::shared::owning_project::PROJECT_MISSING;

use crate::admission::{Context, Findings, rule};
use crate::rules::shared::owning_project::project_of;
use garden_gate_model::api::{Shoot, Toleration};

rule! {
    page: include_str!("tolerations_default.md"),
    id: "shoot/tolerations-default",
    summary: "adds the default tolerations of landscape and Project to new Shoots",
    phase: Mutating,
    level: Deny,
    scopes: [Shoot [Create]],
    reads: [Project],
    findings: { PROJECT_MISSING },
    check: Mutate(mutate),
}

fn mutate(context: &Context<'_>, shoot: &mut Shoot, _: Option<&Shoot>, findings: &mut Findings) {
    let Some(project) = project_of(context, findings) else {
        return;
    };
    let of_project = project.spec.tolerations.as_ref().map_or(&[][..], |lists| &lists.defaults);
    let own: HashSet<&str> =
        shoot.spec.tolerations.iter().map(|toleration| toleration.key.as_str()).collect();
    let defaults = context.config.tolerations.defaults.iter().chain(of_project);
    let missing: Vec<Toleration> =
        defaults.filter(|default| !own.contains(default.key.as_str())).cloned().collect();
    shoot.spec.tolerations.extend(missing);
}
