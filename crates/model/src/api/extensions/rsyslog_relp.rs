// SPDX-License-Identifier: Apache-2.0
//! The configuration of shoot-rsyslog-relp, in the API group `rsyslog-relp.extensions.gardener.cloud`.

use super::{
    Configuration, ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion, Header,
};
use crate::api::Constraint::{AtLeast, Enum, Filled, Since};
use crate::api::object;

const API: ConfigurationApi = ConfigurationApi {
    group: "rsyslog-relp.extensions.gardener.cloud",
    versions: &["v1alpha1"],
    class: "shoot-rsyslog-relp",
};

/// shoot-rsyslog-relp, which forwards the logs of nodes.
pub static EXTENSION: Extension = Extension {
    name: "rsyslog-relp",
    component: "github.com/gardener/gardener-extension-shoot-rsyslog-relp",
    resource: ("Extension", "shoot-rsyslog-relp"),
    admission: Some("shoot-rsyslog-relp-admission"),
    webhooks: "gardener-extension-shoot-rsyslog-relp-admission",
    versions: [ExtensionVersion::new(0, 5), ExtensionVersion::new(0, 15)],
    configurations: &[Configuration {
        header: Header::ApiVersion,
        ..API.configuration(&RsyslogRelpConfig, ConfigurationPlace::Extension)
    }],
};

object! {
    /// Server that receives the logs of nodes, and rules for forwarded logs.
    RsyslogRelpConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// IP address or host name of the server.
        "target": String required -> target: String => [Filled];
        /// TCP port of the server, for example 2514.
        "port": Integer64 -> port: i64 => [AtLeast(0.0)];
        /// Rules for forwarded logs.
        "loggingRules": [LoggingRule] required -> logging_rules: Vec<LoggingRule> => [Filled];
        /// TLS for the connection to the server.
        "tls": TLS -> tls: Option<TLS>;
        /// Number of messages after which the connection is closed and opened again.
        "rebindInterval": Integer64;
        /// Timeout of the connection, in seconds.
        "timeout": Integer64;
        /// Number of retries before messages are discarded; -1 retries without limit.
        "resumeRetryCount": Integer64;
        /// Reports suspension and continuation of the forwarding in the log.
        "reportSuspensionContinuation": Boolean;
        /// Configuration of auditd on nodes.
        "auditConfig": AuditConfig -> audit_config: Option<AuditConfig> => [Since(6)];
    }
}

object! {
    /// TLS for the connection to the server.
    TLS {
        /// Enables TLS.
        "enabled": Boolean -> enabled: bool;
        /// Name of a Secret in `spec.resources` with the certificates; required if TLS is enabled.
        "secretReferenceName": String -> secret_reference_name: String;
        /// Names or fingerprints of permitted servers, for example `*.example.com` or `SHA1:…`.
        "permittedPeer": [String] -> permitted_peers: Vec<String>;
        /// Authentication of the server.
        "authMode": String -> auth_mode: Option<String> => [Enum(&["name", "fingerprint"])];
        /// TLS library. The default is that of librelp.
        "tlsLib": String -> tls_lib: Option<String> => [Enum(&["openssl", "gnutls"])];
    }
}

object! {
    /// Rule for forwarded logs. At least one field must be set.
    LoggingRule {
        /// Names of the programs whose logs are forwarded, for example `systemd`.
        "programNames": [String] -> program_names: Vec<String>;
        /// Maximum severity of forwarded logs, from 0 (emergency) to 7 (debug).
        "severity": Integer64 -> severity: Option<i64>;
        /// Regular expressions for the message.
        "messageContent": MessageContent -> message_content: Option<MessageContent> => [Since(8)];
    }
}

object! {
    /// Regular expressions for the message, in the POSIX ERE syntax. At least one must be set.
    MessageContent {
        /// Expression that forwarded messages match.
        "regex": String -> regex: Option<String>;
        /// Expression that forwarded messages do not match.
        "exclude": String -> exclude: Option<String>;
    }
}

object! {
    /// Configuration of auditd on nodes.
    AuditConfig {
        /// Configures auditd. The default without `auditConfig` is true.
        "enabled": Boolean -> enabled: bool;
        /// Name of a ConfigMap in `spec.resources` with the audit rules.
        "configMapReferenceName": String -> config_map_reference_name: Option<String>;
    }
}
