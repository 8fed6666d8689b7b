// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use garden_gate_model::api::WebhookConfiguration;
use garden_gate_model::gardener::webhooks::{defaulted, is_considered, stopped_by};

rule! {
    page: include_str!("hibernation_hangs.md"),
    id: "webhook-config/hibernation-hangs",
    summary: "warns about webhooks that can block hibernation",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [
        ValidatingWebhookConfiguration [Create, Update];
        MutatingWebhookConfiguration [Create, Update]
    ],
    findings: {
        HANGS = "webhook-config/hibernation-hangs": "a webhook can block requests that hibernation needs",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, change: Change<'_, WebhookConfiguration>, findings: &mut Findings) {
    let Some(new) = change.new.filter(|new| is_considered(&new.metadata)) else {
        return;
    };
    for (index, webhook) in new.webhooks.iter().enumerate() {
        let webhook = defaulted(webhook);
        let requests: Vec<String> = stopped_by(&webhook).map(|it| it.to_string()).collect();
        if requests.is_empty() {
            continue;
        }
        let (name, requests) = (webhook.name.as_str(), requests.join(", "));
        let message = format!(
            "once hibernation has removed the pods behind webhook `{name}` (failurePolicy `Fail`), the API server refuses {requests}, and the hibernation can hang"
        );
        let field = FieldPath::new("webhooks").index(index);
        findings.invalid(&HANGS, field, message).value(name).help(format!(
            "remove {requests} from the rules of the webhook, or set `failurePolicy: Ignore`"
        ));
    }
}
