// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};

use imbl::OrdSet;

use super::shoots_on;
use crate::admission::{Context, FieldPath, FindingKind, Findings, Update, rule};
use crate::garden::Shoots;
use garden_gate_model::api::{DefaultDomain, Seed, ShootName};

rule! {
    page: include_str!("default_domains_in_use.md"),
    id: "seed/default-domains-in-use",
    summary: "rejects removal of a default domain that a Shoot on the Seed uses",
    phase: Admission,
    level: Deny,
    scopes: [Seed [Update]],
    reads: [Secret, Shoot],
    findings: {
        REMOVED = "seed/default-domains-in-use": "a default domain that a Shoot on the Seed uses is removed",
        NOT_COVERED = "seed/default-domains-not-covered": "the new default domains of the Seed lack a landscape domain that a Shoot on it uses",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, seed: Update<'_, Seed>, findings: &mut Findings) {
    let Update { new, old } = seed;
    let (stored, kept) = (domains(old), domains(new));
    if stored.is_empty() && !kept.is_empty() {
        let Some(of_landscape) = default_domains(context, findings) else {
            return;
        };
        let dropped = of_landscape
            .iter()
            .map(|it| it.name.as_str())
            .filter(|domain| !kept.contains(domain))
            .collect();
        refuse_used(context, new, &dropped, &NOT_COVERED, findings);
    } else {
        let dropped = stored.difference(&kept).copied().collect();
        refuse_used(context, new, &dropped, &REMOVED, findings);
    }
}

fn domains(seed: &Seed) -> BTreeSet<&str> {
    let defaults = seed.spec.dns.defaults.iter();
    defaults.map(|it| it.domain.as_str()).collect()
}

fn path() -> FieldPath {
    FieldPath::new("spec.dns.defaults")
}

fn default_domains(context: &Context<'_>, findings: &mut Findings) -> Option<Vec<DefaultDomain>> {
    findings.known(context.default_domains(), &path(), "the default domains of the landscape")
}

fn refuse_used(
    context: &Context<'_>,
    seed: &Seed,
    dropped: &BTreeSet<&str>,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    if dropped.is_empty() {
        return;
    }
    let name = &seed.metadata.name;
    let Some(names) = shoots_on(context, name, &path(), findings) else {
        return;
    };
    let Ok(shoots) = context.shoots() else { return };
    for (domain, user) in first_users(names, shoots, dropped) {
        let message = format!(
            "default domain `{domain}` of Seed `{name}` cannot be dropped while it is used by Shoot `{user}`"
        );
        findings
            .forbid(kind, path(), message)
            .value(domain)
            .help("list the domain in spec.dns.defaults");
    }
}

/// Returns the first of the Shoots `names` below each domain; domains without Shoots are omitted.
fn first_users<'a>(
    names: &'a OrdSet<ShootName>,
    shoots: &Shoots,
    domains: &BTreeSet<&'a str>,
) -> BTreeMap<&'a str, &'a ShootName> {
    let mut users = BTreeMap::new();
    for name in names {
        let own = shoots.get(name).and_then(|shoot| shoot.domain.as_deref()).unwrap_or_default();
        for (dot, _) in own.match_indices('.') {
            if let Some(domain) = domains.get(&own[dot + 1..]) {
                users.entry(*domain).or_insert(name);
            }
        }
    }
    users
}
