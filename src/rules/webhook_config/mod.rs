//! Rules about the webhook configurations of Shoot clusters.

rules! {
    RULES:
    problematic,
    remediation_preview,
}
