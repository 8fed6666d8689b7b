use crate::engine::{Change, Context, ErrorType, FieldPath, Findings, rule};
use crate::model::Project;
use crate::rules::shared::validation::{MISSING, Part, say};

rule! {
    /// ## What it checks
    /// The phase in the status of a Project is not removed once it is set.
    ///
    /// ## Why
    /// It shows whether the Project can be used.
    ///
    /// ## Applies to
    /// The subresource `status` of Projects, on UPDATE, in `garden-gate review`: an API server has refused the request before it calls a webhook.
    ///
    /// ## Example
    /// ```yaml
    /// status:
    ///   phase: ""   # was Ready
    /// ```
    ///
    /// ## How to fix
    /// Write a phase.
    ///
    /// ## Gardener
    /// `ValidateProjectStatusUpdate` in `pkg/api/core/validation/project.go`, by static validation (422).
    id: "project/status-form",
    summary: "the phase of a Project stays set",
    phase: Static,
    level: Deny,
    door: Review,
    scopes: [Project [Update] [Status]],
    findings: { MISSING },
    check: Judge(check),
}

fn check(context: &Context<'_>, project: Change<'_, Project>, findings: &mut Findings) {
    if project.new.is_none() || project.old.is_none() {
        return;
    }
    let [new, old] = [context.new_opened(), context.old_opened()].map(Part::whole);
    let phase = |project: &Part<'_>| project.text_at(&["status", "phase"]);
    if !phase(&old).is_empty() && phase(&new).is_empty() {
        let message = format!("the phase was `{}`, and is removed", phase(&old));
        let field = FieldPath::new("status.phase");
        let kind = (&MISSING, ErrorType::Invalid);
        say(findings, kind, field, message, "write the phase");
    }
}
