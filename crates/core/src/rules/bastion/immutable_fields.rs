// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Help, Update, rule};
use crate::rules::shared::validation::{CHANGED, Part, changed};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("immutable_fields.md"),
    id: "bastion/immutable-fields",
    summary: "rejects changes of the Shoot, SSH key or creator of a Bastion",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Bastion [Update]],
    findings: { CHANGED },
    fixes: Suggestion,
    check: Judge(check),
}

/// The annotation with the user that created the Bastion.
const CREATOR: &str = "gardener.cloud/created-by";

fn check(context: &Context<'_>, _: Update<'_, Named>, findings: &mut Findings) {
    let [new, old] = [context.new_opened(), context.old_opened()].map(Part::whole);
    let fields: [(&[&str], _); 2] = [
        (&["spec", "shootRef", "name"], "spec.shootRef.name"),
        (&["spec", "sshPublicKey"], "spec.sshPublicKey"),
    ];
    for (path, field) in fields {
        if new.text_at(path) != old.text_at(path) {
            let was = old.at(path);
            changed(&was.unwrap_or_else(|| Part::absent(field)), findings);
        }
    }
    let creator = ["metadata", "annotations", CREATOR];
    // `kubectl apply` keeps an annotation that the manifest does not have.
    let is_left_out = context.request.is_converted && new.at(&creator).is_none();
    if new.text_at(&creator) != old.text_at(&creator) && !is_left_out {
        let message = format!("annotation `{CREATOR}` is immutable");
        findings
            .invalid(&CHANGED, FieldPath::new("metadata.annotations"), message)
            .help(Help::from("put the old value back"));
    }
}
