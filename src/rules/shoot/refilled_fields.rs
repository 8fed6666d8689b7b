use crate::engine::{Context, Findings, rule};
use crate::garden::Lookup;
use crate::model::{Dns, Seed, Shoot};
use crate::rules::shoot::seed::addresses::with_defaults;

rule! {
    /// ## What it does
    /// What a manifest of a scheduled Shoot leaves out, and Gardener fills in again, counts as filled in: the domain that it generates
    /// (`<shoot>.<project>.<default domain>`), and the ranges of pods and services that the seed gives to Shoots that say nothing.
    ///
    /// ## Why
    /// Otherwise leaving out what was never written would be a change of what cannot be changed.
    ///
    /// ## Applies to
    /// Shoots, on UPDATE, `binding` included, in `garden-gate review`; what an API server sends to a webhook is filled in already.
    ///
    /// ## Example
    /// A manifest without `spec.dns` of a Shoot whose domain is `web.dev.shoots.example.org`.
    ///
    /// ## How to fix
    /// It refuses nothing.
    ///
    /// ## Gardener
    /// `Admit` of `plugin/pkg/shoot/dns` and `defaultShootNetworks` in `plugin/pkg/shoot/mutator/admission.go`. Where the landscape has several default
    /// domains, any of them counts as the first.
    id: "shoot/refilled-fields",
    summary: "domain and networks that a manifest leaves out are filled in again",
    phase: Mutating,
    level: Deny,
    door: Review,
    scopes: [Shoot [Update] [Itself, Binding]],
    reads: [Seed, Project, Secret],
    effect: "fields are filled in before they are compared; nothing is refused",
    check: Mutate(mutate),
}

fn mutate(context: &Context<'_>, shoot: &mut Shoot, old: Option<&Shoot>, _: &mut Findings) {
    let (Some(old), Some(name)) = (old, shoot.seed_name().map(str::to_owned)) else {
        return;
    };
    let Lookup::Found(seed) = context.get::<Seed>(&name) else {
        return;
    };
    refill_networks(shoot, old, &seed);
    refill_domain(context, shoot, old, &seed);
}

fn refill_networks(shoot: &mut Shoot, old: &Shoot, seed: &Seed) {
    let (own, stored) = (shoot.networking().into_owned(), old.networking());
    if own.pods.is_none() && stored.pods.is_some()
        || own.services.is_none() && stored.services.is_some()
    {
        let (pods, services) = with_defaults(&own, shoot.is_workerless(), &seed.spec.networks);
        let networking = shoot.spec.networking.get_or_insert_default();
        (networking.pods, networking.services) = (pods, services);
    }
}

fn refill_domain(context: &Context<'_>, shoot: &mut Shoot, old: &Shoot, seed: &Seed) {
    if old.spec.dns.is_none() || shoot.domain().is_some() || is_unmanaged(shoot) {
        return;
    }
    let dns = shoot.spec.dns.get_or_insert_default();
    let Some(stored) = old.domain() else { return };
    if generated(context, &shoot.metadata.name, seed)
        .iter()
        .any(|it| it == stored)
    {
        dns.domain = Some(stored.to_owned());
    }
}

/// The domains that Gardener would make for a Shoot.
fn generated(context: &Context<'_>, shoot: &str, seed: &Seed) -> Vec<String> {
    let Lookup::Found(project) = context.project_of_namespace(&context.request.namespace) else {
        return Vec::new();
    };
    let own = seed
        .spec
        .dns
        .defaults
        .first()
        .map(|it| vec![it.domain.clone()]);
    let all = || match context.default_domains() {
        Lookup::Found(domains) => domains,
        _ => Vec::new(),
    };
    let domains = own.unwrap_or_else(all);
    let below = |domain: &String| format!("{shoot}.{}.{domain}", project.metadata.name);
    domains.iter().map(below).collect()
}

fn is_unmanaged(shoot: &Shoot) -> bool {
    let providers = |dns: &Dns| dns.providers.clone();
    let providers = shoot.spec.dns.as_ref().map(providers).unwrap_or_default();
    let primary = providers.iter().find(|it| it.primary == Some(true));
    let first = primary.or(providers.first());
    first.is_some_and(|it| it.kind.as_deref() == Some("unmanaged"))
}
