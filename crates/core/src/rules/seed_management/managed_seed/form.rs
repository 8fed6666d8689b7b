// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::seed_management::completed::Completed;
use crate::rules::seed_management::operation::{OperationFindings, check_operation};
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, Naming, OUT_OF_RANGE, Part, Section, TOO_LONG, check as check_form,
    check_metadata,
};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("form.md"),
    id: "managedseed/form",
    summary: "rejects an invalid name, operation or status of a ManagedSeed, and one without a Shoot",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [ManagedSeed [Create, Update] [Itself, Status]],
    reads: [Shoot],
    findings: {
        MALFORMED, MISSING, OUT_OF_RANGE, TOO_LONG,
        UNSUPPORTED = "managedseed/operation-unsupported": "the operation is not supported for ManagedSeeds",
        OVERWRITE = "managedseed/operation-overwrite": "a pending operation is replaced",
    },
    check: Judge(check),
}

const OPERATIONS: [&str; 2] = ["reconcile", "renew-kubeconfig"];
const STATUS: Section = Section { kind: "ManagedSeed", at: &["status"], except: &["Condition"] };

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    if context.request.sub_resource == "status" {
        let facts = Facts::without_shoot(context);
        return check_form(STATUS, context.new_opened(), facts, findings);
    }
    check_metadata(context, Naming::Label, findings);
    let object = Part::whole(context.new_opened());
    let field = FieldPath::new("spec.shoot");
    match object.at(&["spec", "shoot"]) {
        None => {
            let message = "the ManagedSeed names no Shoot";
            findings.required(&MISSING, field, message).help("set `spec.shoot.name`");
        }
        Some(shoot) if shoot.text_at(&["name"]).is_empty() => {
            let message = "the ManagedSeed names no Shoot";
            findings.required(&MISSING, field.child("name"), message).help("set `spec.shoot.name`");
        }
        Some(_) => {}
    }
    if let Some(objects) = Completed::of(context) {
        let kinds = OperationFindings { unsupported: &UNSUPPORTED, overwrite: &OVERWRITE };
        check_operation(context, &objects, &OPERATIONS, &kinds, findings);
    }
}
