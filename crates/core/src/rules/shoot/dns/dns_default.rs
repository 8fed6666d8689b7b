// SPDX-License-Identifier: Apache-2.0
use super::defaults::Defaults;
use super::is_unmanaged;
use crate::admission::{Context, FieldPath, Findings, rule};
use garden_gate_model::api::{DNSProvider, Dns, Shoot};

rule! {
    page: include_str!("dns_default.md"),
    id: "shoot/dns-default",
    summary: "sets the default domain and the primary DNS provider of a Shoot",
    phase: Mutating,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [Seed, Project, Secret],
    acts_on_unchanged: [SCHEDULED],
    effect: "default fields are set; no request is rejected",
    check: Fill(mutate),
}

/// CEL: the Shoot has a seed, without which no domain is set.
const SCHEDULED: &str = "'seedName' in object.spec";

fn mutate(context: &Context<'_>, shoot: &mut Shoot, old: Option<&Shoot>, findings: &mut Findings) {
    if let Some(stored) = old.and_then(|old| old.spec.dns.as_ref()) {
        keep_primary(shoot, stored);
    }
    if shoot.seed_name().is_none() || is_settled(shoot) {
        return;
    }
    let defaults = Defaults::of(context, shoot);
    if !is_unmanaged(shoot) {
        let stored = old.and_then(Shoot::domain);
        fill_domain(shoot, stored, &defaults);
        let is_missing = shoot.domain().is_none() && (shoot.spec.dns.is_some() || stored.is_some());
        if let Some(why) = defaults.unknown.as_ref().filter(|_| is_missing) {
            let message = format!("cannot tell which default domain the Shoot has: {why}");
            findings.undetermined(&FieldPath::new("spec.dns.domain"), message);
        }
    }
    mark_first(shoot, &defaults);
}

/// Reports whether domain and primary provider are set.
fn is_settled(shoot: &Shoot) -> bool {
    shoot.domain().is_some() && primary(shoot).is_some()
}

fn primary(shoot: &Shoot) -> Option<&DNSProvider> {
    let mut providers = shoot.spec.dns.iter().flat_map(|dns| &dns.providers);
    providers.find(|it| it.primary == Some(true))
}

fn keep_primary(shoot: &mut Shoot, stored: &Dns) {
    let was = stored.providers.iter().find(|it| it.primary == Some(true));
    let (Some(was), None) = (was, primary(shoot)) else {
        return;
    };
    let mut providers = shoot.spec.dns.iter_mut().flat_map(|it| &mut it.providers);
    let same =
        |it: &&mut DNSProvider| it.kind == was.kind && it.credentials_ref == was.credentials_ref;
    if let Some(same) = providers.find(same) {
        same.primary = Some(true);
    }
}

fn fill_domain(shoot: &mut Shoot, stored: Option<&str>, defaults: &Defaults) {
    let dns = match &mut shoot.spec.dns {
        dns @ None if defaults.domains.is_some() => dns.get_or_insert_default(),
        None if stored.is_some() => shoot.spec.dns.get_or_insert_default(),
        None => return,
        Some(dns) => dns,
    };
    if dns.domain.is_some() {
        return;
    }
    let kept = stored.filter(|it| defaults.may_be_generated(it));
    dns.domain = match (kept, &defaults.generated()[..]) {
        (Some(stored), _) => Some(stored.to_owned()),
        (None, [generated]) => Some(generated.clone()),
        _ => None,
    };
}

fn mark_first(shoot: &mut Shoot, defaults: &Defaults) {
    let is_default = shoot.domain().is_some_and(|it| defaults.above(it).is_some());
    if is_default || primary(shoot).is_some() {
        return;
    }
    let first = shoot.spec.dns.as_mut().and_then(|it| it.providers.first_mut());
    if let Some(first) = first {
        first.primary = Some(true);
    }
}
