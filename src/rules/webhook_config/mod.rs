//! Rules about the webhook configurations of Shoot clusters.

pub(in crate::rules) mod hibernation_hangs;
pub(in crate::rules) mod problematic;
pub(in crate::rules) mod remediation_preview;

use crate::engine::Rule;

pub(in crate::rules) const RULES: &[&Rule] = &[
    &problematic::RULE,
    &hibernation_hangs::RULE,
    &remediation_preview::RULE,
];
