//! The domain of a Shoot, and who manages it: what plugins fill in and refuse before a server is asked, so only `review` does.

mod defaults;

rules! {
    RULES:
    dns_default,
    domain_taken,
    default_domain_misused,
}

use crate::model::{DnsProvider, Shoot};

/// Whether nobody manages the domain.
fn is_unmanaged(shoot: &Shoot) -> bool {
    let providers = shoot.spec.dns.as_ref().map(|dns| &dns.providers[..]);
    let providers = providers.unwrap_or_default();
    let is_primary = |it: &&DnsProvider| it.primary == Some(true);
    let main = providers.iter().find(is_primary).or(providers.first());
    main.is_some_and(|it| it.kind.as_deref() == Some("unmanaged"))
}
