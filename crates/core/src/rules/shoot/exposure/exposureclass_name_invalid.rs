// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use garden_gate_model::api::Shoot;
use garden_gate_text::go::dns_subdomain_error;

rule! {
    page: include_str!("exposureclass_name_invalid.md"),
    id: "shoot/exposureclass-name-invalid",
    summary: "rejects a `spec.exposureClassName` that is not a valid DNS name",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        MALFORMED = "shoot/exposureclass-name-invalid": "`spec.exposureClassName` is not a valid DNS name",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(name) = shoot.new.and_then(|new| new.spec.exposure_class_name.as_deref()) else {
        return;
    };
    if let Some(why) = dns_subdomain_error(name) {
        let message = format!("`{name}` is not a name of an ExposureClass: {why}");
        let path = FieldPath::new("spec.exposureClassName");
        findings
            .invalid(&MALFORMED, path, message)
            .value(name)
            .help("use a name such as `intranet`");
    }
}
