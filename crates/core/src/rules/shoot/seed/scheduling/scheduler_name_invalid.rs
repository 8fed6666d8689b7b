// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use garden_gate_model::api::Shoot;
use garden_gate_text::go::dns_label_error;

rule! {
    page: include_str!("scheduler_name_invalid.md"),
    id: "shoot/scheduler-name-invalid",
    summary: "rejects a `spec.schedulerName` that is not a valid DNS label",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        MALFORMED = "shoot/scheduler-name-invalid": "`spec.schedulerName` is not a valid DNS label",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(name) = shoot.new.and_then(|new| new.spec.scheduler_name.as_deref()) else {
        return;
    };
    let path = FieldPath::new("spec.schedulerName");
    if let Some(why) = dns_label_error(name) {
        let message = format!("`{name}` is not a name of a scheduler: {why}");
        findings
            .invalid(&MALFORMED, path, message)
            .value(name)
            .help("use a name such as `default-scheduler`");
    }
}
