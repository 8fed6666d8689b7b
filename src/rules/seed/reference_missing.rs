use crate::engine::{Change, Context, Findings, rule};
use crate::fields::Declared;
use crate::model::{GARDEN_NAMESPACE, Seed};
use crate::rules::shared::references::{RESOURCES, check_exists, check_right, resources};
use crate::rules::shared::validation::Part;

rule! {
    /// ## What it checks
    /// The Secrets, ConfigMaps and WorkloadIdentities that `spec.resources` of a Seed names exist in the namespace `garden`, and the requester may read them.
    ///
    /// ## Why
    /// Gardener copies them to the Seed, and cannot reconcile it without them.
    ///
    /// ## Applies to
    /// Seeds, on CREATE, and on UPDATE if `spec.resources` changes, in `garden-gate review`: an API server has refused the request before
    /// it calls a webhook. Seeds that are being deleted are skipped.
    ///
    /// The rule only checks names. A garden directory shows whether an object is missing if it holds any Secret, or ConfigMap, of the
    /// namespace; `--live` requests the metadata of each object. If neither knows, `review` lists the field as not judged.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   resources:
    ///   - name: registry
    ///     resourceRef:
    ///       apiVersion: v1
    ///       kind: Secret
    ///       name: regstry   # the namespace has `registry`
    /// ```
    ///
    /// ## How to fix
    /// Name an object of the namespace `garden`, or create it first.
    ///
    /// ## Gardener
    /// `ensureSeedReferences` in `plugin/pkg/global/resourcereferencemanager/admission.go` (403), which stops at the first.
    id: "seed/reference-missing",
    summary: "what a Seed refers to exists",
    phase: Admission,
    level: Deny,
    door: Review,
    scopes: [Seed [Create, Update]],
    reads: [Names, Verbs],
    findings: {
        MISSING = "seed/reference-missing": "an object that the Seed refers to does not exist",
        UNREADABLE = "seed/reference-unreadable": "the requester may not read an object that the Seed refers to",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, seed: Change<'_, Seed>, findings: &mut Findings) {
    let is_same = || {
        let [new, old] = [context.new_opened(), context.old_opened()];
        let typing = Declared::at("Seed", RESOURCES);
        new.opened_at(RESOURCES)
            .same_as(old.opened_at(RESOURCES), typing)
    };
    let is_wanted = |seed: &Seed| seed.metadata.deletion_timestamp.is_none();
    if !seed.new.is_some_and(is_wanted) || seed.old.is_some() && is_same() {
        return;
    }
    for reference in resources(&Part::whole(context.new_opened()), GARDEN_NAMESPACE) {
        check_right(context, (&reference, &UNREADABLE), findings);
        check_exists(context, (&reference, &MISSING), findings);
    }
}
