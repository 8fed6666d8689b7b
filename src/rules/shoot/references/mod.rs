//! What Shoots refer to: credentials, and the extensions that take care of them.

rules! {
    RULES:
    binding_missing,
    provider_type,
    internal_api_version,
    extensions_unregistered,
}
