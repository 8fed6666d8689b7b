use std::collections::HashSet;

use crate::rules::shared::owning_project::PROJECT_MISSING;

use crate::engine::{Context, Findings, rule};
use crate::model::{Shoot, Toleration};
use crate::rules::shared::owning_project::project_of;

rule! {
    /// ## What it does
    /// A new Shoot gets the default tolerations of the landscape, then those of its Project, appended in that order.
    /// A default whose key the Shoot itself lists, with any value, is skipped. Defaults are not compared with each other:
    /// the same key in both lists is appended twice, and `shoot/tolerations-invalid` may then refuse the Shoot.
    ///
    /// ## Why
    /// Operators reserve seeds with taints; a default toleration allows all Shoots of a project to use them without a change of manifests.
    ///
    /// ## Applies to
    /// Shoots, on CREATE.
    ///
    /// ## Example
    /// With the global default `example.org/shared` and a Project default `example.org/team-a`, a Shoot without
    /// tolerations is stored with both.
    ///
    /// ## How to fix
    /// The Shoot is refused only if no Project owns its namespace: create the Project first, or use the namespace of one.
    ///
    /// ## Gardener
    /// `Admit` in `plugin/pkg/shoot/tolerationrestriction/admission.go`. No differences; a Shoot that Gardener's own API
    /// server has already changed is not changed again.
    id: "shoot/tolerations-default",
    summary: "new Shoots get the default tolerations of the landscape and of their Project",
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
    let of_project = project
        .spec
        .tolerations
        .as_ref()
        .map_or(&[][..], |lists| &lists.defaults);
    let own = shoot.spec.tolerations.iter();
    let own: HashSet<&str> = own.map(|toleration| toleration.key.as_str()).collect();
    let defaults = context.config.tolerations.defaults.iter().chain(of_project);
    let missing: Vec<Toleration> = defaults
        .filter(|default| !own.contains(default.key.as_str()))
        .cloned()
        .collect();
    shoot.spec.tolerations.extend(missing);
}
