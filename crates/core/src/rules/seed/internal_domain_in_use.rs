// SPDX-License-Identifier: Apache-2.0
use super::{describe, shoots_on};
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use garden_gate_model::api::Seed;

rule! {
    page: include_str!("internal_domain_in_use.md"),
    id: "seed/internal-domain-in-use",
    summary: "rejects a change of the internal domain of a Seed with Shoots",
    phase: Admission,
    level: Deny,
    scopes: [Seed [Update]],
    reads: [Shoot],
    findings: {
        CHANGED = "seed/internal-domain-in-use": "the internal domain of a Seed with Shoots is changed",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, seed: Change<'_, Seed>, findings: &mut Findings) {
    let internal = |seed: Option<&'_ Seed>| seed.and_then(|seed| seed.spec.dns.internal.clone());
    let (Some(new), Some(domain), Some(stored)) =
        (seed.new, internal(seed.new), internal(seed.old))
    else {
        return;
    };
    if domain.domain == stored.domain {
        return;
    }
    let name = &new.metadata.name;
    let path = FieldPath::new("spec.dns.internal.domain");
    let Some(shoots) = shoots_on(context, name, &path, findings) else {
        return;
    };
    let (domain, stored, users) = (domain.domain, stored.domain, describe(shoots));
    let message = format!(
        "the internal domain of Seed `{name}` cannot change from `{stored}` to `{domain}` while it is used by {users}"
    );
    findings.forbid(&CHANGED, path, message).value(domain).help(format!("keep `{stored}`"));
}
