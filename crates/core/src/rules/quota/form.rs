// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::lists::one_of;
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, Naming, OUT_OF_RANGE, Part, Section, TOO_LONG, UNSUPPORTED,
    check as check_form, check_amount, check_metadata,
};
use garden_gate_model::api::{Named, ObjectReference, QuotaSpec};

rule! {
    page: include_str!("form.md"),
    id: "quota/form",
    summary: "rejects an invalid scope, metric or lifetime of a Quota",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Quota [Create, Update]],
    findings: { MALFORMED, MISSING, OUT_OF_RANGE, TOO_LONG, UNSUPPORTED },
    fixes: Suggestion,
    check: Judge(check),
}

const METRICS: [&str; 6] =
    ["cpu", "gpu", "memory", "storage.standard", "storage.premium", "loadbalancer"];

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let quota = Part::whole(context.new_opened());
    check_metadata(context, Naming::Subdomain, findings);
    let section = Section { kind: "Quota", at: &["spec"], except: &[] };
    check_form(section, context.new_opened(), Facts::without_shoot(context), findings);
    check_scope(&quota, findings);
    let metrics = quota.at(&["spec", "metrics"]).map(|it| it.entries());
    for (metric, amount) in metrics.into_iter().flatten() {
        let field = amount.path().clone();
        if !METRICS.contains(&metric.as_str()) {
            let message = format!("nobody counts `{metric}`");
            findings.invalid(&UNSUPPORTED, field.clone(), message).help(one_of(&metric, &METRICS));
        }
        check_amount(&metric, &amount, &field, findings);
    }
}

fn check_scope(quota: &Part<'_>, findings: &mut Findings) {
    let text = |field| quota.text_at(&["spec", "scope", field]);
    let scope = ObjectReference {
        api_version: text("apiVersion"),
        kind: text("kind"),
        ..ObjectReference::default()
    };
    let spec = QuotaSpec { scope, ..QuotaSpec::default() };
    if spec.scope().is_none() {
        let (version, kind) = (&spec.scope.api_version, &spec.scope.kind);
        let message = format!("a Quota cannot be for a `{kind}` of `{version}`");
        let field = FieldPath::new("spec.scope");
        findings
            .unsupported(&UNSUPPORTED, field, message)
            .help("use a Project (`core.gardener.cloud/v1beta1`), a Secret (`v1`) or a WorkloadIdentity (`security.gardener.cloud/v1alpha1`)");
    }
}
