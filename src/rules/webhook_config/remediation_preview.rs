use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::WebhookConfiguration;
use crate::webhooks::{Modification, Reading, modifications};

rule! {
    /// ## What it checks
    /// The changes that Gardener would make to a webhook configuration if its automatic remediation is enabled: timeouts above 15 seconds
    /// (3 seconds for leases), failure policies, and selectors.
    ///
    /// ## Why
    /// The owner of the webhook should decide about them, not an automatic process. After the remediation the cluster cannot be
    /// hibernated until the owner changes the configuration.
    ///
    /// ## Applies to
    /// ValidatingWebhookConfigurations and MutatingWebhookConfigurations of a Shoot cluster, on CREATE and UPDATE,
    /// unless labelled `remediation.webhook.shoot.gardener.cloud/exclude=true` or `resources.gardener.cloud/managed-by=gardener`. The rule only
    /// warns, also about webhooks that are not problematic otherwise.
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
    /// `pkg/gardenlet/controller/shoot/care/webhook_remediation.go`, off by default. The label prevents the remediation, but the
    /// constraint `HibernationPossible` is `False` nevertheless.
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
