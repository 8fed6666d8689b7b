use super::{completed, kind};
use crate::admission::{Change, Context, Findings, rule};
use crate::api::Named;
use crate::rules::shared::validation::{CHANGED, Part, check_immutable};

rule! {
    page: include_str!("immutable_fields.md"),
    id: "binding/immutable-fields",
    summary: "rejects changes of a binding's immutable fields",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [SecretBinding [Update]; CredentialsBinding [Update]],
    findings: { CHANGED },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, binding: Change<'_, Named>, findings: &mut Findings) {
    if binding.new.is_none() || binding.old.is_none() {
        return;
    }
    let namespace = &context.request.namespace;
    let completed = |json| completed(json, namespace);
    let (new, old) = (
        completed(context.new_opened()),
        completed(context.old_opened()),
    );
    let parts = (&Part::whole(&new), &Part::whole(&old));
    check_immutable(kind(context).as_str(), &[], parts, findings);
}
