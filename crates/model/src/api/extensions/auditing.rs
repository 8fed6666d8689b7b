// SPDX-License-Identifier: Apache-2.0
//! The configuration of auditing, in the API group `auditing.extensions.gardener.cloud`.

use super::{
    Configuration, ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion, Header,
};
use crate::api::Constraint::{Enum, Filled, Format, Since};
use crate::api::Format::DnsSubdomain;
use crate::api::object;

const API: ConfigurationApi = ConfigurationApi {
    group: "auditing.extensions.gardener.cloud",
    versions: &["v1alpha1"],
    class: "auditing",
};

/// auditing, which forwards the audit logs of Shoots.
pub static EXTENSION: Extension = Extension {
    name: "auditing",
    component: "github.com/gardener/gardener-extension-auditing",
    resource: ("Extension", "auditing"),
    admission: Some("auditing-admission"),
    webhooks: "gardener-extension-auditing-admission",
    versions: [ExtensionVersion::new(0, 1), ExtensionVersion::new(0, 4)],
    configurations: &[Configuration {
        header: Header::ApiVersion,
        ..API.configuration(&AuditConfiguration, ConfigurationPlace::Extension)
    }],
};

object! {
    /// Receivers of the audit logs of a Shoot.
    AuditConfiguration {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Receivers of the audit logs, each with a different URL. Of several, exactly one must be `Guaranteed`.
        "backends": [AuditBackend] required -> backends: Vec<AuditBackend> => [Filled];
    }
}

object! {
    /// Receiver of audit logs.
    AuditBackend {
        /// Delivery mode: a request fails if `Guaranteed` delivery fails. The default of a single receiver is `Guaranteed`.
        "deliveryMode": String -> delivery_mode: String => [Enum(&["", "Guaranteed", "BestEffort"]), Since(3)];
        /// HTTP endpoint of the receiver.
        "http": BackendHTTP required -> http: Option<BackendHTTP>;
    }
}

object! {
    /// HTTP endpoint of a receiver.
    BackendHTTP {
        /// HTTPS URL without query, fragment and user, for example `https://audit.example.com/logs`.
        "url": String required -> url: String => [Filled];
        /// TLS for the connection to the receiver.
        "tls": TLSConfig -> tls: TLSConfig;
        /// Compression of requests. The default is no compression.
        "compression": String -> compression: Option<String> => [Enum(&["gzip"])];
    }
}

object! {
    /// TLS for the connection to a receiver.
    TLSConfig {
        /// Name of a Secret in `spec.resources` with `client.crt`, `client.key` and `ca.crt`.
        "secretReferenceName": String required -> secret_reference_name: String => [Filled, Format(DnsSubdomain)];
    }
}
