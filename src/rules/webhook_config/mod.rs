//! Rules about the webhook configurations of Shoot clusters.

rules! {
    RULES:
    problematic,
    hibernation_hangs,
    remediation_preview,
}
