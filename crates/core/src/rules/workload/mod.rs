// SPDX-License-Identifier: Apache-2.0
//! Rules about workload of Shoot clusters.

mod critical_component;
pub(crate) mod no_cleanup;
mod readiness;

use crate::admission::{FieldPath, FindingKind, Findings, Help, Rule};
use garden_gate_model::api::ObjectMeta;

pub(crate) use readiness::RULES as READINESS;
pub use readiness::readiness;

pub(crate) const RULES: &[&Rule] = &[&critical_component::RULE, &no_cleanup::RULE];

/// Reports whether a label has the only valid value.
fn is_labelled(metadata: &ObjectMeta, label: &str) -> bool {
    let value = metadata.labels.get(label);
    value.is_some_and(|value| value == "true")
}

/// Reports a label with an invalid value.
fn check_label_value(
    kind: &'static FindingKind,
    label: &str,
    metadata: &ObjectMeta,
    path: &FieldPath,
    help: impl Into<Help>,
    findings: &mut Findings,
) {
    if let Some(value) = metadata.labels.get(label).filter(|value| *value != "true") {
        let message = format!("label `{label}` is `{value}`, but only `true` counts");
        let field = path.child("labels").key(label);
        add(kind, field, message, help, findings);
    }
}

fn add(
    kind: &'static FindingKind,
    field: FieldPath,
    message: String,
    help: impl Into<Help>,
    findings: &mut Findings,
) {
    findings.invalid(kind, field, message).help(help);
}
