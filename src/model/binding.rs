use serde::Deserialize;

use super::{ObjectMeta, ObjectReference, null_is_default};

/// A SecretBinding: credentials that Shoots may use, as a Secret.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SecretBinding {
    /// Name and namespace.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// For which infrastructures they are.
    #[serde(default, deserialize_with = "null_is_default")]
    pub provider: BindingProvider,
    /// The Secret; without a namespace it is one of the binding's.
    #[serde(default, deserialize_with = "null_is_default")]
    pub secret_ref: ObjectReference,
    /// The Quotas that count what its Shoots use.
    #[serde(default, deserialize_with = "null_is_default")]
    pub quotas: Vec<ObjectReference>,
}

/// A CredentialsBinding: credentials that Shoots may use.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CredentialsBinding {
    /// Name and namespace.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// For which infrastructures they are.
    #[serde(default, deserialize_with = "null_is_default")]
    pub provider: BindingProvider,
    /// The Secret, InternalSecret or WorkloadIdentity.
    #[serde(default, deserialize_with = "null_is_default")]
    pub credentials_ref: ObjectReference,
    /// The Quotas that count what its Shoots use.
    #[serde(default, deserialize_with = "null_is_default")]
    pub quotas: Vec<ObjectReference>,
}

/// For which infrastructures credentials are.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct BindingProvider {
    /// The provider types, with commas between them.
    #[serde(default, rename = "type", deserialize_with = "null_is_default")]
    pub kind: String,
}
