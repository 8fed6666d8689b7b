// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use garden_gate_model::api::WebhookConfiguration;
use garden_gate_model::gardener::webhooks::{Modification, Reading, modifications};

rule! {
    page: include_str!("remediation_preview.md"),
    id: "webhook-config/remediation-preview",
    summary: "warns about changes that Gardener's webhook remediation would make",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [
        ValidatingWebhookConfiguration [Create, Update];
        MutatingWebhookConfiguration [Create, Update]
    ],
    findings: {
        PREVIEW = "webhook-config/remediation-preview": "Gardener's remediation would change the configuration",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, change: Write<'_, WebhookConfiguration>, findings: &mut Findings) {
    let new = change.new;
    for Modification { webhook, field, what } in modifications(new, Reading::Defaulted) {
        let message = format!(
            "Gardener's remediation, where it is switched on, would change `{field}`: {what}"
        );
        let path = FieldPath::new("webhooks").index(webhook).child(field);
        findings
            .invalid(&PREVIEW, path, message)
            .help("make the change yourself, so that nobody else does");
    }
}
