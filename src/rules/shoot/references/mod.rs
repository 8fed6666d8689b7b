//! What Shoots refer to: credentials, and the extensions that take care of them.

rules! {
    RULES:
    binding_missing,
    provider_type,
    credentials_change,
    quota_exceeded,
    internal_api_version,
    extensions_unregistered,
}

mod counted;
