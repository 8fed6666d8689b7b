// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::seed_management::shoot_base::{base, provider_problem, shoot_name};
use crate::rules::shared::lists::instead_of_missing;
use crate::rules::shared::validation::Part;
use garden_gate_model::api::{Kind, Named};

rule! {
    page: include_str!("shoot.md"),
    id: "managedseed/shoot",
    summary: "rejects a ManagedSeed whose Shoot is missing, or has no domain or DNS provider for a Seed",
    phase: Mutating,
    level: Deny,
    entry_point: Review,
    scopes: [ManagedSeed [Create, Update]],
    reads: [CredentialsBinding, Secret, SecretBinding, Seed, Shoot],
    findings: {
        MISSING = "managedseed/shoot-missing": "the Shoot of a ManagedSeed is not found",
        PROVIDER = "managedseed/dns-provider-missing": "the Shoot of a ManagedSeed has no DNS provider for its Seed",
        DOMAIN = "managedseed/shoot-without-domain": "the Shoot of a ManagedSeed has no domain",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let name = shoot_name(context);
    // Static validation refuses an empty name.
    if name.is_empty() {
        return;
    }
    let field = FieldPath::new("spec.shoot.name");
    let what = format_args!("which domain and networks Shoot `{name}` has");
    let Some(shoot) = findings.known(base(context), &field, what) else {
        return;
    };
    let Some(shoot) = shoot else {
        let namespace = &context.request.namespace;
        let other = "name a Shoot of the namespace of the ManagedSeed";
        let help = instead_of_missing(context, Kind::Shoot, &name, other);
        let message = format!("there is no Shoot `{namespace}/{name}`");
        findings.invalid(&MISSING, field, message).value(name.as_str()).help(help);
        return;
    };
    let object = Part::whole(context.new_opened());
    let (Some(base), Some(seed)) =
        (shoot.seed_base.as_deref(), object.at(&["spec", "gardenlet", "config", "seedConfig"]))
    else {
        return;
    };
    if base.domain.is_none() {
        if !base.is_stored {
            let message =
                format!("cannot tell which domain Shoot `{name}` gets when it is created");
            findings.undetermined(&field, message);
            return;
        }
        let message = format!(
            "Shoot `{name}` has no domain, which the Seed needs; gardener-apiserver crashes on this request"
        );
        findings
            .invalid(&DOMAIN, field, message)
            .value(name.as_str())
            .help("name a Shoot with `spec.dns.domain`");
        return;
    }
    if seed.at(&["spec", "dns", "provider"]).is_some() {
        return;
    }
    let at = FieldPath::new("spec.gardenlet.config.seedConfig.spec.ingress");
    let what = format_args!("whether Shoot `{name}` has a DNS provider for the Seed");
    let problem = provider_problem(context, shoot, base);
    if let Some(Some(why)) = findings.known(problem, &at, what) {
        let place = FieldPath::new("spec.gardenlet.config.seedConfig.spec.dns.provider");
        let message = format!("the DNS provider of the Seed cannot be derived: {why}");
        findings
            .invalid(&PROVIDER, at, message)
            .at(&place)
            .help("set `seedConfig.spec.dns.provider`");
    }
}
