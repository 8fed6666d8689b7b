// SPDX-License-Identifier: Apache-2.0
//! The Shoot of a ManagedSeed.

use crate::admission::Context;
use crate::garden::Unknown;
use crate::rules::shared::validation::Part;
use garden_gate_model::api::{CredentialsBinding, SecretBinding, Seed};
use garden_gate_model::api::{SeedBase, ShootName, ShootUse, is_below};

/// Returns the name of the Shoot; empty if there is none.
pub(super) fn shoot_name(context: &Context<'_>) -> String {
    Part::whole(context.new_opened()).text_at(&["spec", "shoot", "name"])
}

/// Returns the Shoot of the ManagedSeed in the request; `None` if it is not found.
pub(super) fn base<'a>(context: &Context<'a>) -> Result<Option<&'a ShootUse>, Unknown> {
    let namespace = context.request.namespace.as_str().into();
    let name = ShootName { namespace, name: shoot_name(context).as_str().into() };
    context.shoot(&name)
}

/// Returns the reason why Gardener cannot derive the DNS provider of the Seed from the Shoot; `None` if it can.
///
/// Mirrors getSeedDNSProvider in `plugin/pkg/managedseed/validator/admission.go`.
pub(super) fn provider_problem(
    context: &Context<'_>,
    shoot: &ShootUse,
    base: &SeedBase,
) -> Result<Option<String>, Unknown> {
    let name = &shoot.name;
    let primary = base.primary_provider.as_ref();
    let Some(primary) = primary.filter(|it| it.kind.as_deref() != Some("unmanaged")) else {
        return default_domain_problem(context, shoot, base);
    };
    if primary.kind.is_none() {
        return Ok(Some(format!("the primary DNS provider of Shoot `{name}` has no type")));
    }
    if primary.has_credentials {
        return Ok(None);
    }
    let namespace = name.namespace.as_ref();
    let missing = |kind, binding: &str| format!("there is no {kind} `{namespace}/{binding}`");
    if let Some(binding) = shoot.secret_binding.as_deref() {
        let found = context.get::<SecretBinding>((namespace, binding))?;
        return Ok(found.is_none().then(|| missing("SecretBinding", binding)));
    }
    if let Some(binding) = shoot.credentials_binding.as_deref() {
        let found = context.get::<CredentialsBinding>((namespace, binding))?;
        return Ok(found.is_none().then(|| missing("CredentialsBinding", binding)));
    }
    Ok(Some(format!("the primary DNS provider of Shoot `{name}` has no credentials")))
}

fn default_domain_problem(
    context: &Context<'_>,
    shoot: &ShootUse,
    base: &SeedBase,
) -> Result<Option<String>, Unknown> {
    let domain = base.domain.as_deref().unwrap_or_default();
    let problem = || {
        format!("domain `{domain}` is neither below a default domain, nor has it a DNS provider")
    };
    if let Some(seed_name) = shoot.seed_name.as_deref() {
        let Some(seed) = context.get::<Seed>(seed_name)? else {
            return Ok(Some(format!("there is no Seed `{seed_name}`")));
        };
        let defaults = &seed.spec.dns.defaults;
        if !defaults.is_empty() {
            let is_own = defaults.iter().any(|it| is_below(domain, &it.domain));
            return Ok((!is_own).then(problem));
        }
    }
    let domains = context.default_domains()?;
    let is_default = domains.iter().any(|it| domain.ends_with(&it.name));
    Ok((!is_default).then(problem))
}
