use crate::engine::ErrorType::{Invalid, NotSupported, Required};
use crate::engine::{Change, Context, Findings, rule};
use crate::model::Shoot;
use crate::rules::form::{
    MALFORMED, MISSING, Part, REPEATED, Section, UNSUPPORTED, check as check_form, say,
};
use crate::rules::shoot::forms::received;

rule! {
    /// ## What it checks
    /// Every extension has a type, and each type stands once. Every entry of `spec.resources` has a name that no other has, and refers to a Secret, a ConfigMap or
    /// a WorkloadIdentity by `apiVersion`, `kind` and `name`.
    ///
    /// ## Why
    /// Extensions find what they need by these names.
    ///
    /// ## Applies to
    /// Shoots, on CREATE and UPDATE, in `garden-gate review`: an API server has refused the request before it asks a webhook. Whether an extension is registered
    /// is for `shoot/extensions-unregistered`, and whether what is referred to exists for `shoot/reference-missing`.
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
    /// Do what the message says.
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
    let resources = received.at(&["spec", "resources"]).map(|it| it.items());
    for resource in resources.into_iter().flatten() {
        check_reference(&resource, findings);
    }
}

/// What an extension may be given.
const KINDS: [[&str; 2]; 3] = [
    ["v1", "Secret"],
    ["v1", "ConfigMap"],
    ["security.gardener.cloud/v1alpha1", "WorkloadIdentity"],
];

fn check_reference(resource: &Part<'_>, findings: &mut Findings) {
    let path = resource.path().child("resourceRef");
    let value = |field| resource.text_at(&["resourceRef", field]);
    for field in ["apiVersion", "kind", "name"] {
        if value(field).is_empty() {
            let message = format!("`{field}` of the reference is not set");
            say(
                findings,
                (&MISSING, Required),
                path.child(field),
                message,
                "set it",
            );
        }
    }
    let (version, kind) = (value("apiVersion"), value("kind"));
    if version.matches('/').count() > 1 {
        let message = format!("`{version}` is no API version");
        say(
            findings,
            (&MALFORMED, Invalid),
            path,
            message,
            "write it as `group/version`",
        );
    } else if !KINDS.iter().any(|it| it[0] == version && it[1] == kind) {
        let message = format!("a Shoot cannot refer to a `{kind}` of `{version}`");
        let help = "refer to a Secret, a ConfigMap or a WorkloadIdentity";
        say(findings, (&UNSUPPORTED, NotSupported), path, message, help);
    }
}
