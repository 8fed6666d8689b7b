// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Operation, Write, rule};
use garden_gate_model::api::{Shoot, ShootStatus};
use garden_gate_model::gardener::status::{LABEL, status_label};

rule! {
    page: include_str!("status_label_stale.md"),
    id: "shoot/status-label-stale",
    summary: "warns about a status label that does not match the status",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Create, Update]],
    findings: {
        STALE = "shoot/status-label-stale": "the status label does not match the status",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let Some(label) = new.metadata.labels.get(LABEL) else {
        return;
    };
    let is_new = context.request.operation == Operation::Create;
    let submitted = match is_new.then(|| submitted_status(context)).transpose() {
        Ok(submitted) => submitted.flatten(),
        Err(error) => {
            let message = format!("the status cannot be read: {error}");
            return findings.undetermined(&FieldPath::new("status"), message);
        }
    };
    let computed = status_label(submitted.as_ref().unwrap_or(&new.status));
    if label != computed {
        let message =
            format!("label `{LABEL}` is `{label}`, but the status of the Shoot means `{computed}`");
        let field = FieldPath::new("metadata.labels").key(LABEL);
        findings
            .invalid(&STALE, field, message)
            .value(label.as_str())
            .help("leave the label to Gardener");
    }
}

fn submitted_status(context: &Context<'_>) -> serde_json::Result<Option<ShootStatus>> {
    context.new_json().take(&["status"]).read()
}
