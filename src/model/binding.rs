use serde::Deserialize;

use super::{ObjectMeta, null_is_default};

/// A SecretBinding: credentials that Shoots may use, as a Secret.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SecretBinding {
    /// Name and namespace.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// For which infrastructures they are.
    #[serde(default, deserialize_with = "null_is_default")]
    pub provider: BindingProvider,
}

/// A CredentialsBinding: credentials that Shoots may use.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct CredentialsBinding {
    /// Name and namespace.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// For which infrastructures they are.
    #[serde(default, deserialize_with = "null_is_default")]
    pub provider: BindingProvider,
}

/// For which infrastructures credentials are.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct BindingProvider {
    /// The provider types, with commas between them.
    #[serde(default, rename = "type", deserialize_with = "null_is_default")]
    pub kind: String,
}
