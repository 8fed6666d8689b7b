use serde::Deserialize;

use super::{ObjectMeta, ObjectReference, null_is_default};

/// A SecretBinding: credentials that Shoots may use, as a Secret.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SecretBinding {
    /// Name and namespace.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// The infrastructures of the credentials.
    #[serde(default, deserialize_with = "null_is_default")]
    pub provider: BindingProvider,
    /// The Secret; without a namespace it is in the binding's.
    #[serde(default, deserialize_with = "null_is_default")]
    pub secret_ref: ObjectReference,
    /// The Quotas for the resources of its Shoots.
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
    /// The infrastructures of the credentials.
    #[serde(default, deserialize_with = "null_is_default")]
    pub provider: BindingProvider,
    /// The Secret, InternalSecret or WorkloadIdentity.
    #[serde(default, deserialize_with = "null_is_default")]
    pub credentials_ref: ObjectReference,
    /// The Quotas for the resources of its Shoots.
    #[serde(default, deserialize_with = "null_is_default")]
    pub quotas: Vec<ObjectReference>,
}

/// The infrastructures of credentials.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct BindingProvider {
    /// The provider types, separated by commas.
    #[serde(default, rename = "type", deserialize_with = "null_is_default")]
    pub kind: String,
}
