// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::seed_management::completed::Completed;
use crate::rules::seed_management::operation::{OperationFindings, check_operation};
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, Naming, OUT_OF_RANGE, Section, TOO_LONG, UNFITTING,
    check as check_form, check_metadata,
};
use garden_gate_model::api::{GARDEN_NAMESPACE, Named};

rule! {
    page: include_str!("form.md"),
    id: "gardenlet/form",
    summary: "rejects an invalid name, namespace, operation or status of a Gardenlet",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Gardenlet [Create, Update] [Itself, Status]],
    findings: {
        MALFORMED, MISSING, OUT_OF_RANGE, TOO_LONG, UNFITTING,
        UNSUPPORTED = "gardenlet/operation-unsupported": "the operation is not supported for Gardenlets",
        OVERWRITE = "gardenlet/operation-overwrite": "a pending operation is replaced",
    },
    check: Judge(check),
}

const OPERATIONS: [&str; 3] = ["force-redeploy", "reconcile", "renew-kubeconfig"];
const STATUS: Section = Section { kind: "Gardenlet", at: &["status"], except: &["Condition"] };

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    if context.request.sub_resource == "status" {
        let facts = Facts::without_shoot(context);
        return check_form(STATUS, context.new_opened(), facts, findings);
    }
    check_metadata(context, Naming::Label, findings);
    if context.request.namespace != GARDEN_NAMESPACE {
        let message = format!("a Gardenlet can only be in namespace `{GARDEN_NAMESPACE}`");
        findings
            .forbid(&UNFITTING, FieldPath::new("metadata.namespace"), message)
            .help(format!("use namespace `{GARDEN_NAMESPACE}`"));
    }
    if let Some(objects) = Completed::of(context) {
        let kinds = OperationFindings { unsupported: &UNSUPPORTED, overwrite: &OVERWRITE };
        check_operation(context, &objects, &OPERATIONS, &kinds, findings);
    }
}
