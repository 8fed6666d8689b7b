// SPDX-License-Identifier: Apache-2.0
//! The domain of a Shoot and its DNS providers.
//!
//! An API server's plugins do this before it calls a webhook, so these rules apply only in `review`.

mod default_domain_misused;
mod defaults;
pub(crate) mod dns_default;
mod domain_taken;

use crate::admission::Rule;
use garden_gate_model::api::{DNSProvider, Shoot};

pub(crate) const RULES: &[&Rule] =
    &[&dns_default::RULE, &domain_taken::RULE, &default_domain_misused::RULE];

/// Reports whether the domain is unmanaged.
fn is_unmanaged(shoot: &Shoot) -> bool {
    let providers = shoot.spec.dns.as_ref().map(|dns| &dns.providers[..]).unwrap_or_default();
    let is_primary = |it: &&DNSProvider| it.primary == Some(true);
    let main = providers.iter().find(is_primary).or(providers.first());
    main.is_some_and(|it| it.kind.as_deref() == Some("unmanaged"))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, from_value, json};

    use super::is_unmanaged;

    #[rstest]
    #[case::first(json!([{"type": "unmanaged"}, {"type": "aws-route53"}]), true)]
    #[case::other_is_primary(json!([{"type": "unmanaged"}, {"type": "aws-route53", "primary": true}]), false)]
    #[case::primary(json!([{"type": "aws-route53"}, {"type": "unmanaged", "primary": true}]), true)]
    #[case::none(json!([]), false)]
    fn primary_or_first_provider_counts(#[case] providers: Value, #[case] expected: bool) {
        let shoot = json!({"spec": {"dns": {"providers": providers}}});
        assert_eq!(is_unmanaged(&from_value(shoot).unwrap()), expected);
    }
}
