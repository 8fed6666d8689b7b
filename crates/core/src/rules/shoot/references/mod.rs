// SPDX-License-Identifier: Apache-2.0
//! References of Shoots: credentials, objects of their namespace, and extensions.

mod binding_missing;
mod counted;
mod credentials_change;
mod extensions_unregistered;
mod internal_api_version;
mod kubeconfig_secret_unusable;
mod managed_issuer;
mod managed_seed;
mod provider_type;
pub(crate) mod quota_exceeded;
mod reference_missing;
mod referred;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[
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
