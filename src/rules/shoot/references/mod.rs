//! What Shoots refer to: credentials, objects of their namespace, and the extensions that take care of them.

mod referred;

pub(in crate::rules) use referred::of_shoot;

rules! {
    RULES:
    binding_missing,
    provider_type,
    credentials_change,
    quota_exceeded,
    internal_api_version,
    reference_missing,
    kubeconfig_secret_unusable,
    managed_issuer,
    managed_seed,
    extensions_unregistered,
}

mod counted;
