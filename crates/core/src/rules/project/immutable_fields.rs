// SPDX-License-Identifier: Apache-2.0
use serde_json::{Value, json};

use crate::admission::{Context, FieldPath, Findings, Help, Update, rule};
use garden_gate_model::api::Project;

rule! {
    page: include_str!("immutable_fields.md"),
    id: "project/immutable-fields",
    summary: "rejects changes of a Project's creator or namespace, and removal of its owner",
    phase: Static,
    level: Deny,
    scopes: [Project [Update]],
    findings: {
        CHANGED = "project/immutable-field-changed": "`spec.createdBy` or `spec.namespace` was changed after it was set",
        OWNER_REMOVED = "project/owner-removed": "`spec.owner` was removed after it was set",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(_: &Context<'_>, project: Update<'_, Project>, findings: &mut Findings) {
    let Update { new, old } = project;
    let (new, old) = (&new.spec, &old.spec);
    if old.created_by.is_some() && new.created_by != old.created_by {
        report("spec.createdBy", json!(new.created_by), &json!(old.created_by), findings);
    }
    if old.namespace.is_some() && new.namespace != old.namespace {
        report("spec.namespace", json!(new.namespace), &json!(old.namespace), findings);
    }
    if let (Some(owner), None) = (&old.owner, &new.owner) {
        let message = format!(
            "the owner `{}` was removed; a Project keeps an owner once it has one",
            owner.name
        );
        findings
            .invalid(&OWNER_REMOVED, FieldPath::new("spec.owner"), message)
            .help("name the new owner, or leave the old one");
    }
}

fn report(field: &'static str, new: Value, old: &Value, findings: &mut Findings) {
    let message = format!("the field is immutable once it is set; it was {old}");
    findings
        .invalid(&CHANGED, FieldPath::new(field), message)
        .value(new)
        .help(Help::restore("put the old value back"));
}
