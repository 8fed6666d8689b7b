// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use garden_gate_model::api::{Shoot, ShootName};

rule! {
    page: include_str!("domain_taken.md"),
    id: "shoot/domain-taken",
    summary: "rejects a domain equal to, below or above that of another Shoot",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [Shoot],
    only_if: Changed,
    findings: {
        SAME = "shoot/domain-taken": "another Shoot has the same domain",
        WITHIN = "shoot/domain-overlaps": "the domain is a subdomain or a parent domain of another Shoot's domain",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let Some(domain) = new.domain().filter(|domain| !domain.is_empty()) else {
        return;
    };
    let own = ShootName {
        namespace: context.request.namespace.as_str().into(),
        name: new.metadata.name.as_str().into(),
    };
    let Some(rival) = context.conflicting_domain(domain, &own) else {
        return;
    };
    if shoot.old.is_some() && context.changed_fields(new).is_empty() {
        return;
    }
    let field = FieldPath::new("spec.dns.domain");
    let (other, theirs) = (rival.shoot, rival.domain);
    let found = if theirs == domain {
        let message = format!("`{domain}` is the domain of Shoot `{other}`");
        findings.duplicate(&SAME, field, message)
    } else if domain.len() > theirs.len() {
        let message = format!("`{domain}` is below `{theirs}`, the domain of Shoot `{other}`");
        findings.forbid(&WITHIN, field, message)
    } else {
        let message = format!("`{theirs}`, the domain of Shoot `{other}`, is below `{domain}`");
        findings.forbid(&WITHIN, field, message)
    };
    found.value(domain).help("choose another domain");
}
