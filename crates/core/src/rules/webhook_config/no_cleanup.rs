// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::workload::no_cleanup::check_mark;
use garden_gate_model::api::WebhookConfiguration;

rule! {
    page: include_str!("no_cleanup.md"),
    id: "webhook-config/no-cleanup",
    summary: "warns about an invalid `no-cleanup` mark of a webhook configuration",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [
        ValidatingWebhookConfiguration [Create, Update];
        MutatingWebhookConfiguration [Create, Update]
    ],
    findings: {
        VALUE = "webhook-config/no-cleanup-value": "the label of a webhook configuration has a value other than `true`",
        ANNOTATION = "webhook-config/no-cleanup-annotation": "the mark of a webhook configuration is an annotation instead of a label",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, change: Write<'_, WebhookConfiguration>, findings: &mut Findings) {
    let path = FieldPath::new("metadata");
    let kinds = (&VALUE, &ANNOTATION);
    check_mark(kinds, &change.new.metadata, &path, findings);
}
