// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FindingKind, Findings, Help, Update, rule};
use crate::rules::shared::lists::list;
use crate::rules::shoot::seed::placement::{move_of, seed, seed_name_path};
use garden_gate_model::api::{Seed, Shoot};

rule! {
    page: include_str!("migration_prerequisites.md"),
    id: "shoot/migration-prerequisites",
    summary: "rejects migration between seeds without backups or with different domains",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Update] [Binding]],
    reads: [Seed],
    findings: {
        OLD_SEED_MISSING = "shoot/migration-old-seed-missing": "the old seed of the Shoot is not found",
        OLD_NO_BACKUP = "shoot/migration-old-seed-no-backup": "the old seed of the Shoot has no backup",
        NEW_NO_BACKUP = "shoot/migration-new-seed-no-backup": "the new seed of the Shoot has no backup",
        INTERNAL_DOMAIN = "shoot/migration-internal-domain": "the old and the new seed have different internal domains",
        DEFAULT_DOMAIN = "shoot/migration-default-domain": "the new seed does not have the default domain of the Shoot",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let Some((from, to)) = move_of(shoot) else {
        return;
    };
    if let Ok(None) = context.get::<Seed>(from) {
        let message = format!("the Shoot is on seed `{from}`, which does not exist");
        add(&OLD_SEED_MISSING, message, "bring the Seed back first", findings);
    }
    let (Some(from), Some(to)) = (seed(context, from, findings), seed(context, to, findings))
    else {
        return;
    };
    for (kind, seed) in [(&OLD_NO_BACKUP, &from), (&NEW_NO_BACKUP, &to)] {
        if seed.spec.backup.is_none() {
            let message = format!(
                "seed `{}` has no backup, so no control plane can move from it or to it",
                seed.metadata.name
            );
            add(kind, message, "configure spec.backup of the Seed", findings);
        }
    }
    let (old_domain, new_domain) = (internal(&from), internal(&to));
    if old_domain != new_domain {
        let message =
            format!("the internal domain would change from `{old_domain}` to `{new_domain}`");
        let help = "move the Shoot to a seed with the same spec.dns.internal.domain";
        add(&INTERNAL_DOMAIN, message, help, findings);
    }
    check_default_domain(new, &from, &to, findings);
}

fn check_default_domain(shoot: &Shoot, from: &Seed, to: &Seed, findings: &mut Findings) {
    let domain = shoot.domain();
    let Some(used) = domain.and_then(|domain| from.default_domain_of(domain)) else {
        return;
    };
    let supported = to.spec.dns.defaults.iter().map(|it| it.domain.as_str());
    if supported.clone().any(|domain| domain == used) {
        return;
    }
    let message = format!(
        "Shoot `{}` uses default domain `{used}`, which seed `{}` does not have; its default domains: {}",
        shoot.metadata.name,
        to.metadata.name,
        list(supported)
    );
    let help = "move the Shoot to a seed with that domain in spec.dns.defaults";
    add(&DEFAULT_DOMAIN, message, help, findings);
}

fn add(
    kind: &'static FindingKind,
    message: String,
    help: impl Into<Help>,
    findings: &mut Findings,
) {
    findings.forbid(kind, seed_name_path(), message).help(help);
}

fn internal(seed: &Seed) -> &str {
    let domain = seed.spec.dns.internal.as_ref();
    domain.map_or("", |it| &it.domain)
}
