use crate::engine::{Change, Context, Findings, rule};
use crate::model::Shoot;
use crate::rules::shared::validation::{
    MALFORMED, MISSING, REPEATED, Section, UNSUPPORTED, check as check_form, check_resources,
};
use crate::rules::shoot::static_validation::received;

rule! {
    /// ## What it checks
    /// Every extension has a type, and each type is listed once. Every entry of `spec.resources` has a unique name, and references a Secret, a ConfigMap or
    /// a WorkloadIdentity by `apiVersion`, `kind` and `name`.
    ///
    /// ## Why
    /// Extensions look up their resources by these names.
    ///
    /// ## Applies to
    /// Shoots, on CREATE and UPDATE, in `garden-gate review`: an API server has refused the request before it calls a webhook. `shoot/extensions-unregistered`
    /// checks whether an extension is registered, and `shoot/reference-missing` checks whether referenced objects exist.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   extensions:
    ///   - type: shoot-dns-service
    ///   - type: shoot-dns-service   # twice
    /// ```
    ///
    /// ## How to fix
    /// Apply the correction that the message names.
    ///
    /// ## Gardener
    /// `validateExtensions` and `ValidateResources` in `pkg/api/core/validation/utils.go`, by static validation (422).
    id: "shoot/extensions-form",
    summary: "extensions and referenced resources of a Shoot",
    phase: Static,
    level: Deny,
    door: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: { MALFORMED, MISSING, REPEATED, UNSUPPORTED },
    check: Judge(check),
}

const SECTIONS: [&[&str]; 2] = [&["spec", "extensions"], &["spec", "resources"]];

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some((_, received, facts)) = received(context, shoot) else {
        return;
    };
    for at in SECTIONS {
        let section = Section {
            kind: "Shoot",
            at,
            except: &[],
        };
        check_form(section, context.new_opened(), facts, findings);
    }
    check_resources(&received, findings);
}
