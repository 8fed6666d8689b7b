use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::WebhookConfiguration;
use crate::webhooks::{Modification, Reading, modifications};

rule! {
    /// ## What it checks
    /// What Gardener would change in a webhook configuration where its automatic remediation is switched on: timeouts above 15 seconds
    /// (3 seconds where leases are concerned), failure policies, and selectors.
    ///
    /// ## Why
    /// The owner of the webhook should decide that, not a robot in the middle of the night; and after it the cluster cannot be
    /// hibernated until somebody takes note.
    ///
    /// ## Applies to
    /// ValidatingWebhookConfigurations and MutatingWebhookConfigurations as they would stand in a Shoot cluster, on CREATE and UPDATE,
    /// unless labelled `remediation.webhook.shoot.gardener.cloud/exclude=true` or `resources.gardener.cloud/managed-by=gardener`. It only
    /// warns, also about webhooks that are no problem otherwise.
    ///
    /// ## Example
    /// ```yaml
    /// webhooks:
    /// - name: audit.example.com
    ///   failurePolicy: Ignore
    ///   timeoutSeconds: 30   # would become 15
    /// ```
    ///
    /// ## How to fix
    /// Make the changes yourself, or exclude the configuration by the label.
    ///
    /// ## Gardener
    /// `pkg/gardenlet/controller/shoot/care/webhook_remediation.go`, off by default. The label keeps the remediation away, but the
    /// constraint `HibernationPossible` is `False` all the same.
    id: "webhook-config/remediation-preview",
    summary: "what Gardener's remediation would change",
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

fn check(_: &Context<'_>, change: Change<'_, WebhookConfiguration>, findings: &mut Findings) {
    let Some(new) = change.new else { return };
    for Modification {
        webhook,
        field,
        what,
    } in modifications(new, Reading::Defaulted)
    {
        let message = format!(
            "Gardener's remediation, where it is switched on, would change `{field}`: {what}"
        );
        let path = FieldPath::new("webhooks").index(webhook).child(field);
        findings
            .invalid(&PREVIEW, path, message)
            .help("make the change yourself, so that nobody else does");
    }
}
