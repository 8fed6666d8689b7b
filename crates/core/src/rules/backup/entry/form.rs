// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::backup::owner::check_owner;
use crate::rules::shared::validation::{
    MALFORMED, MISSING, Naming, Part, TOO_LONG, UNFITTING, UNSUPPORTED, check_metadata,
};
use garden_gate_model::api::Named;

rule! {
    page: include_str!("form.md"),
    id: "backupentry/form",
    summary: "rejects invalid or missing fields of a BackupEntry",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [BackupEntry [Create, Update]],
    findings: { MALFORMED, MISSING, TOO_LONG, UNFITTING, UNSUPPORTED },
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    check_metadata(context, Naming::Any, findings);
    let entry = Part::whole(context.new_opened());
    check_owner(&entry, Some(&context.request.namespace), findings);
}
