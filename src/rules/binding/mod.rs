//! Rules about SecretBindings and CredentialsBindings.

rules! {
    RULES:
    finalizer_removal,
}
