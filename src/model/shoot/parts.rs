use serde::{Deserialize, Serialize};

use crate::model::{bounded, is_default, null_is_default};

/// Settings of all worker pools.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkersSettings {
    /// SSH access to nodes.
    #[serde(default, deserialize_with = "null_is_default")]
    pub ssh_access: SshAccess,
}

/// SSH access to nodes.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SshAccess {
    /// Whether it is enabled; the default is true.
    pub enabled: Option<bool>,
}

/// A taint of a node.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct NodeTaint {
    /// The key.
    #[serde(default, deserialize_with = "null_is_default")]
    pub key: String,
}

/// Settings of the control plane of a [`Shoot`](crate::model::Shoot).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ControlPlane {
    /// The failures that it survives.
    pub high_availability: Option<HighAvailability>,
    /// The zones of the seed that it runs in.
    #[serde(default, deserialize_with = "null_is_default")]
    pub zones: Vec<String>,
}

/// The failures that a control plane survives.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HighAvailability {
    /// The component that may fail.
    #[serde(default, deserialize_with = "null_is_default")]
    pub failure_tolerance: FailureTolerance,
}

/// The component whose failure a control plane survives.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct FailureTolerance {
    /// `node` or `zone`.
    #[serde(default, deserialize_with = "null_is_default", rename = "type")]
    pub kind: String,
}

/// The domain of a [`Shoot`](crate::model::Shoot) and its DNS providers.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Dns {
    /// The domain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// The providers that manage it.
    #[serde(
        default,
        deserialize_with = "bounded::list",
        skip_serializing_if = "is_default"
    )]
    pub providers: Vec<DnsProvider>,
}

/// A provider that manages a domain.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DnsProvider {
    /// The extension that manages the domain.
    #[serde(rename = "type", skip_serializing)]
    pub kind: Option<String>,
    /// Whether it manages the Shoot's own domain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary: Option<bool>,
    /// Deprecated name of a Secret.
    #[serde(skip_serializing)]
    pub secret_name: Option<String>,
    /// The object with the credentials.
    #[serde(skip_serializing)]
    pub credentials_ref: Option<CredentialsRef>,
}

/// An object with credentials.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct CredentialsRef {
    /// The API version of the object.
    #[serde(default, deserialize_with = "null_is_default")]
    pub api_version: String,
    /// The kind of the object.
    #[serde(default, deserialize_with = "null_is_default")]
    pub kind: String,
    /// The name of the object.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
}

/// The network of a [`Shoot`](crate::model::Shoot).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Networking {
    /// The type of the network.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The range of the pods.
    pub pods: Option<String>,
    /// The range of the services.
    pub services: Option<String>,
    /// The range of the nodes.
    pub nodes: Option<String>,
    /// `IPv4`, `IPv6` or both; empty means IPv4.
    #[serde(default, deserialize_with = "null_is_default")]
    pub ip_families: Vec<String>,
}

impl Networking {
    /// Reports whether the Shoot has addresses of this family.
    #[must_use]
    pub fn has(&self, family: &str) -> bool {
        match self.ip_families.is_empty() {
            true => family == "IPv4",
            false => self.ip_families.iter().any(|it| it == family),
        }
    }
}
