use crate::engine::{Change, Context, ErrorType, FieldPath, Findings, Offence, rule};
use crate::model::{Webhook, WebhookConfiguration};
use crate::webhooks::{Problem, Reason, defaulted, is_considered, problems, warning};

rule! {
    /// ## What it checks
    /// No webhook of a Shoot cluster can block requests that the cluster needs to work and to wake up from hibernation. A webhook that
    /// fails closed (or fails open only after more than 15 seconds) is not called for nodes, leases, RBAC, CustomResourceDefinitions,
    /// APIServices, priority classes and certificates, nor for system resources in kube-system and endpoints and services in default.
    /// Whatever its failure policy, it does not delay leases in kube-system for more than 3 seconds.
    ///
    /// ## Why
    /// The webhook's own pods do not run while the cluster is hibernated. When it wakes up from hibernation, nodes cannot register and system pods cannot start
    /// without the webhook, which cannot run without them. That is why Gardener refuses to hibernate such a cluster.
    ///
    /// ## Applies to
    /// ValidatingWebhookConfigurations and MutatingWebhookConfigurations of a Shoot cluster (`admissionregistration.k8s.io/v1`),
    /// on CREATE and UPDATE, except Gardener's own. Omitted fields have the defaults of the cluster. The rule only
    /// warns. Match conditions are ignored, as in Gardener. API servers call no webhook for webhook configurations, so
    /// that the rule applies only in `garden-gate review`.
    ///
    /// ## Example
    /// ```yaml
    /// webhooks:
    /// - name: validate.policy.example.com
    ///   failurePolicy: Fail
    ///   rules:
    ///   - operations: ["*"]
    ///     apiGroups: ["*"]
    ///     apiVersions: ["*"]
    ///     resources: ["*"]   # nodes and leases, too
    /// ```
    ///
    /// ## How to fix
    /// Name only the resources that the webhook needs; exclude kube-system (and default, for endpoints and services) with a
    /// `namespaceSelector` on `kubernetes.io/metadata.name`; or use `failurePolicy: Ignore` with a short timeout.
    ///
    /// ## Gardener
    /// The API server accepts the configuration; gardenlet then sets the constraint `HibernationPossible` to `False`
    /// (`pkg/gardenlet/controller/shoot/care/constraints.go`).
    id: "webhook-config/problematic",
    summary: "no webhook keeps a cluster from working or waking up",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [
        ValidatingWebhookConfiguration [Create, Update];
        MutatingWebhookConfiguration [Create, Update]
    ],
    findings: {
        PROBLEMATIC = "webhook-config/problematic": "a webhook can stop critical resources",
        REMEDIATED = "webhook-config/remediated": "Gardener has changed the configuration, and its note is still there",
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
            findings.add_with(&PROBLEMATIC, || {
                let field = FieldPath::new("webhooks").index(index);
                let message = describe(&webhook, &problem);
                let offence = Offence::new(&PROBLEMATIC, ErrorType::Invalid, field, message);
                let name = webhook.name.as_str();
                offence.value(name).help(problem.way_out())
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

fn describe(webhook: &Webhook, problem: &Problem) -> String {
    let Webhook {
        name,
        failure_policy,
        timeout_seconds,
        ..
    } = webhook;
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
