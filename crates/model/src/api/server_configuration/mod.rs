// SPDX-License-Identifier: Apache-2.0
//! Configuration files for the API server of a Shoot, which ConfigMaps contain.
//!
//! They are declared like Gardener's kinds.

pub mod audit_policy;
pub mod authentication;
pub mod authorization;

use super::Object;

/// The type of a configuration file.
#[derive(Debug)]
pub struct ServerConfiguration {
    /// The kind in the header.
    pub kind: &'static str,
    /// The API group in the header.
    pub group: &'static str,
    /// The versions of the group that gardener-admission-controller decodes; the newest is the last.
    pub versions: &'static [&'static str],
    /// The fields.
    pub object: &'static Object,
}

/// The audit policy.
pub static AUDIT_POLICY: ServerConfiguration = ServerConfiguration {
    kind: "Policy",
    group: "audit.k8s.io",
    versions: &["v1"],
    object: &audit_policy::Policy,
};

/// The configuration of structured authentication.
pub static AUTHENTICATION: ServerConfiguration = ServerConfiguration {
    kind: "AuthenticationConfiguration",
    group: "apiserver.config.k8s.io",
    versions: &["v1alpha1", "v1beta1"],
    object: &authentication::AuthenticationConfiguration,
};

/// The configuration of structured authorization.
pub static AUTHORIZATION: ServerConfiguration = ServerConfiguration {
    kind: "AuthorizationConfiguration",
    group: "apiserver.config.k8s.io",
    versions: &["v1alpha1", "v1beta1"],
    object: &authorization::AuthorizationConfiguration,
};

impl ServerConfiguration {
    /// Returns the `apiVersion` with the newest version.
    pub fn api_version(&self) -> String {
        let newest = self.versions.last().copied().unwrap_or_default();
        format!("{}/{newest}", self.group)
    }
}
