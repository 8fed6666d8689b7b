use super::referred::is_looked_for;
use crate::engine::{Change, Context, Findings, rule};
use crate::model::Shoot;
use crate::rules::shared::references::of_shoot;
use crate::rules::shared::references::{RESOURCES, check_exists, check_right};
use crate::rules::shared::validation::Part;

rule! {
    /// ## What it checks
    /// The Secrets, ConfigMaps and WorkloadIdentities that a Shoot refers to exist in its namespace: `spec.resources`, the credentials of DNS providers, the
    /// kubeconfigs of admission plugins, and what structured authentication and authorization name. What `spec.resources` names the requester may read.
    ///
    /// ## Why
    /// Gardener takes them to the control plane, and cannot bring it up without them.
    ///
    /// ## Applies to
    /// Shoots, on CREATE, and on UPDATE for what changes, by a binding, too, in `garden-gate review`: an API server has refused the request
    /// before it asks a webhook. Shoots that are being deleted are left alone.
    ///
    /// Nothing but names is looked at. A garden directory tells what is missing in a namespace of which it holds any Secret, or ConfigMap; `--live` asks for the
    /// metadata of each object. Where neither tells, `review` lists the field as not judged. What a change brings along is there.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   resources:
    ///   - name: credentials
    ///     resourceRef:
    ///       apiVersion: v1
    ///       kind: Secret
    ///       name: acount   # the namespace has `account`
    /// ```
    ///
    /// ## How to fix
    /// Name an object of the Shoot's namespace, or create it first.
    ///
    /// ## Gardener
    /// `ensureShootReferences` and `ensureResourceReferences` in `plugin/pkg/global/resourcereferencemanager/admission.go` (403), which stop at the first.
    id: "shoot/reference-missing",
    summary: "what a Shoot refers to exists",
    phase: Admission,
    level: Deny,
    door: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [Names, Verbs],
    only_if: Changed,
    findings: {
        MISSING = "shoot/reference-missing": "an object that the Shoot refers to does not exist",
        UNREADABLE = "shoot/reference-unreadable": "the requester may not read an object that the Shoot refers to",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    if shoot.new.is_none() {
        return;
    }
    let namespace = &context.request.namespace;
    let referred = of_shoot(&Part::whole(context.new_opened()), namespace);
    for reference in referred {
        if !is_looked_for(context, shoot, reference.part) {
            continue;
        }
        if reference.part == RESOURCES {
            check_right(context, (&reference, &UNREADABLE), findings);
        }
        check_exists(context, (&reference, &MISSING), findings);
    }
}
