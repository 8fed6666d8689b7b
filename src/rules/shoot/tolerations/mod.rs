//! Tolerations of the taints of seeds.

pub(in crate::rules) mod toleration_not_whitelisted;
pub(in crate::rules) mod tolerations_default;
pub(in crate::rules) mod tolerations_invalid;
