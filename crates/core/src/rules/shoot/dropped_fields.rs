// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, FindingKind, Findings, Help, Write, rule};
use crate::rules::shoot::deprecated_fields::forbidden_from;
use garden_gate_model::api::Shoot;
use garden_gate_text::go::{compare_versions, is_at_least};

rule! {
    page: include_str!("dropped_fields.md"),
    id: "shoot/dropped-fields",
    summary: "warns about deprecated fields that the API server drops",
    phase: Mutating,
    level: Warn,
    entry_point: Review,
    scopes: [Shoot [Create, Update]],
    findings: {
        BULK_DELETE = "shoot/warn-max-empty-bulk-delete": "maxEmptyBulkDelete is set",
        ANONYMOUS = "shoot/warn-enable-anonymous-authentication": "enableAnonymousAuthentication is set",
        ADDONS = "shoot/warn-addons": "spec.addons is set",
    },
    check: Between(check),
}

/// Runs with the mutating rules, because the fields are dropped later.
fn check(_: &Context<'_>, write: Write<'_, Shoot>, findings: &mut Findings) {
    let shoot = write.new;
    let kubernetes = &shoot.spec.kubernetes;
    let autoscaler = kubernetes.cluster_autoscaler.as_ref();
    let bulk_delete = autoscaler.and_then(|autoscaler| autoscaler.max_empty_bulk_delete);
    if bulk_delete.is_some() && compare_versions(&kubernetes.version, "<", "1.33") == Ok(true) {
        let message = forbidden_from(33, "`maxEmptyBulkDelete`, which is not used,", shoot);
        let field = "spec.kubernetes.clusterAutoscaler.maxEmptyBulkDelete";
        let help = "use `maxScaleDownParallelism`";
        add(&BULK_DELETE, field, &message, help, findings);
    }
    if is_at_least(&kubernetes.version, 1, 35) {
        // Another rule refuses them, which makes a warning redundant.
        return;
    }
    let server = kubernetes.kube_api_server.as_ref();
    if server.is_some_and(|server| server.enable_anonymous_authentication.is_some()) {
        let message = forbidden_from(35, "`enableAnonymousAuthentication`", shoot);
        let help = "configure anonymous access with an AuthenticationConfiguration";
        let field = "spec.kubernetes.kubeAPIServer.enableAnonymousAuthentication";
        add(&ANONYMOUS, field, &message, help, findings);
    }
    if shoot.spec.addons.is_some() {
        let message = forbidden_from(35, "`spec.addons`", shoot);
        let help = "install what you need yourself";
        add(&ADDONS, "spec.addons", &message, help, findings);
    }
}

fn add(
    kind: &'static FindingKind,
    field: &'static str,
    message: &str,
    help: impl Into<Help>,
    findings: &mut Findings,
) {
    findings.forbid(kind, FieldPath::new(field), message).help(help);
}
