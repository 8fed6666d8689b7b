//! Tolerations of the taints of seeds.

rules! {
    RULES:
    tolerations_default,
    tolerations_invalid,
    toleration_not_whitelisted,
}
