//! Rules about SecretBindings and CredentialsBindings.

pub(super) mod finalizer_removal;
