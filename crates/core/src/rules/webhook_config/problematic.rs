// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use garden_gate_model::api::{Webhook, WebhookConfiguration};
use garden_gate_model::gardener::webhooks::{
    Problem, Reason, defaulted, is_considered, problems, warning,
};

rule! {
    page: include_str!("problematic.md"),
    id: "webhook-config/problematic",
    summary: "warns about webhooks that can block requests critical to the cluster",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [
        ValidatingWebhookConfiguration [Create, Update];
        MutatingWebhookConfiguration [Create, Update]
    ],
    findings: {
        pub(in crate::rules) PROBLEMATIC = "webhook-config/problematic": "a webhook can block requests for critical resources",
        REMEDIATED = "webhook-config/remediated": "Gardener has remediated the configuration, and its note is still present",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, change: Change<'_, WebhookConfiguration>, findings: &mut Findings) {
    let Some(new) = change.new.filter(|new| is_considered(&new.metadata)) else {
        return;
    };
    for (index, webhook) in new.webhooks.iter().enumerate() {
        let webhook = defaulted(webhook);
        for problem in problems(&webhook) {
            findings.report_lazily(&PROBLEMATIC, |findings| {
                let field = FieldPath::new("webhooks").index(index);
                let message = describe(&webhook, &problem);
                let name = webhook.name.as_str();
                findings.invalid(&PROBLEMATIC, field, message).value(name).help(problem.way_out());
            });
        }
    }
    if warning(&new.metadata).is_some() {
        let field = FieldPath::new("metadata.annotations").key("gardener.cloud/warning");
        let message = "Gardener has changed this configuration; as long as its note is there, the cluster cannot be hibernated";
        findings
            .invalid(&REMEDIATED, field, message)
            .help("take the changes over, then remove the annotation");
    }
}

pub(in crate::rules) fn describe(webhook: &Webhook, problem: &Problem) -> String {
    let Webhook { name, failure_policy, timeout_seconds, .. } = webhook;
    let policy = failure_policy.as_deref().unwrap_or_default();
    let timeout = timeout_seconds.unwrap_or_default();
    let resources = problem.describe_resources();
    let what = match problem.reason {
        Reason::SlowForLeases => format!(
            "may hold up {resources} for {timeout} s, longer than the 3 s that leader election survives"
        ),
        Reason::FailsClosed => format!("stops {resources} when it does not answer"),
        Reason::WaitsTooLong => {
            format!("may hold up {resources} for {timeout} s, longer than 15 s")
        }
    };
    format!(
        "webhook `{name}` (failurePolicy `{policy}`, timeout {timeout} s) {what}; the cluster cannot be hibernated"
    )
}
