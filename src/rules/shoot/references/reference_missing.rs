use super::referred::is_looked_for;
use crate::engine::{Change, Context, Findings, rule};
use crate::model::Shoot;
use crate::rules::shared::references::of_shoot;
use crate::rules::shared::references::{RESOURCES, check_exists, check_right};
use crate::rules::shared::validation::Part;

rule! {
    /// ## What it checks
    /// The Secrets, ConfigMaps and WorkloadIdentities that a Shoot references exist in its namespace: `spec.resources`, the credentials of DNS providers, the
    /// kubeconfigs of admission plugins, and the ConfigMaps and Secrets of structured authentication and authorization. The requester may read the objects in
    /// `spec.resources`.
    ///
    /// ## Why
    /// Gardener copies them to the control plane, and cannot start it without them.
    ///
    /// ## Applies to
    /// Shoots, on CREATE, and on UPDATE for changed references, by a binding, too, in `garden-gate review`: an API server has refused the request
    /// before it calls a webhook. Shoots that are being deleted are skipped.
    ///
    /// The rule only checks names. A garden directory shows whether an object is missing if it holds any Secret, or ConfigMap, of the
    /// namespace; `--live` requests the metadata of each object. If neither knows, `review` lists the field as not judged. Objects of the
    /// same change count as existing.
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
