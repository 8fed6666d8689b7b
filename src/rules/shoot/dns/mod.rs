//! The domain of a Shoot and its DNS providers.
//!
//! An API server's plugins do this before it calls a webhook, so these rules apply only in `review`.

mod default_domain_misused;
mod defaults;
pub(in crate::rules) mod dns_default;
mod domain_taken;

use crate::admission::Rule;
use crate::api::{DNSProvider, Shoot};

pub(in crate::rules) const RULES: &[&Rule] = &[
    &dns_default::RULE,
    &domain_taken::RULE,
    &default_domain_misused::RULE,
];

/// Reports whether the domain is unmanaged.
fn is_unmanaged(shoot: &Shoot) -> bool {
    let providers = shoot.spec.dns.as_ref().map(|dns| &dns.providers[..]);
    let providers = providers.unwrap_or_default();
    let is_primary = |it: &&DNSProvider| it.primary == Some(true);
    let main = providers.iter().find(is_primary).or(providers.first());
    main.is_some_and(|it| it.kind.as_deref() == Some("unmanaged"))
}
