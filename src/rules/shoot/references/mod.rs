//! What Shoots refer to: credentials, objects of their namespace, and the extensions that take care of them.

pub(in crate::rules) mod binding_missing;
mod counted;
pub(in crate::rules) mod credentials_change;
pub(in crate::rules) mod extensions_unregistered;
pub(in crate::rules) mod internal_api_version;
pub(in crate::rules) mod kubeconfig_secret_unusable;
pub(in crate::rules) mod managed_issuer;
pub(in crate::rules) mod managed_seed;
pub(in crate::rules) mod provider_type;
pub(in crate::rules) mod quota_exceeded;
pub(in crate::rules) mod reference_missing;
mod referred;

use crate::engine::Rule;

pub(in crate::rules) use referred::of_shoot;

pub(in crate::rules) const RULES: &[&Rule] = &[
    &binding_missing::RULE,
    &provider_type::RULE,
    &credentials_change::RULE,
    &quota_exceeded::RULE,
    &internal_api_version::RULE,
    &reference_missing::RULE,
    &kubeconfig_secret_unusable::RULE,
    &managed_issuer::RULE,
    &managed_seed::RULE,
    &extensions_unregistered::RULE,
];
