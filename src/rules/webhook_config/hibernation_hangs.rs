use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::WebhookConfiguration;
use crate::webhooks::{defaulted, is_considered, stopped_by};

rule! {
    /// ## What it checks
    /// No webhook that fails closed and has a Service in the cluster is called for requests that the hibernation of the
    /// cluster needs: DELETE of nodes, pods and volumeattachments, and UPDATE of pods/status and endpoints.
    ///
    /// ## Why
    /// Gardener hibernates a cluster by removing its machines. Then it waits until no Node, no running Pod and no address of a Pod
    /// in Endpoints is left, and deletes VolumeAttachments. By then the pods of the webhook are gone, and the API server refuses
    /// requests for which it cannot call the webhook. The hibernation hangs at `Hibernating control plane`, and the control plane keeps
    /// running.
    ///
    /// Excluding kube-system is not enough, since Gardener waits for the pods and Endpoints of all namespaces. The constraint
    /// `HibernationPossible` does not show it: Gardener checks CREATE and UPDATE only, and pods and endpoints only in
    /// kube-system and default (`webhook-config/problematic`).
    ///
    /// ## Applies to
    /// ValidatingWebhookConfigurations and MutatingWebhookConfigurations of a Shoot cluster (`admissionregistration.k8s.io/v1`), on CREATE
    /// and UPDATE, except Gardener's own. The rule only warns. Selectors and match conditions are ignored: one pod that they match is
    /// enough. A webhook with `clientConfig.url` is assumed to run outside of the cluster, where it answers during a hibernation, too.
    ///
    /// ## Example
    /// ```yaml
    /// webhooks:
    /// - name: guard.policy.example.com
    ///   failurePolicy: Fail
    ///   clientConfig:
    ///     service: {namespace: policy, name: guard}
    ///   rules:
    ///   - operations: [DELETE]
    ///     apiGroups: [""]
    ///     apiVersions: [v1]
    ///     resources: [pods]
    /// ```
    ///
    /// ## How to fix
    /// Remove these requests from `rules`, set `failurePolicy: Ignore`, or run the webhook outside of the cluster.
    ///
    /// ## Gardener
    /// Gardener does not warn. HibernateControlPlane in `pkg/gardenlet/operation/botanist/controlplane.go` waits, with
    /// `pkg/gardenlet/operation/botanist/waiter.go`; `pkg/gardenlet/operation/botanist/matchers` skips DELETE.
    id: "webhook-config/hibernation-hangs",
    summary: "no webhook keeps the hibernation of a cluster from finishing",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [
        ValidatingWebhookConfiguration [Create, Update];
        MutatingWebhookConfiguration [Create, Update]
    ],
    findings: {
        HANGS = "webhook-config/hibernation-hangs": "a webhook can stop requests that a hibernation waits for",
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
        findings
            .invalid(&HANGS, field, message)
            .value(name)
            .help(format!(
                "remove {requests} from the rules of the webhook, or set `failurePolicy: Ignore`"
            ));
    }
}
