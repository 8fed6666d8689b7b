// SPDX-License-Identifier: Apache-2.0
//! The configuration of shoot-cert-service, in the API group `service.cert.extensions.gardener.cloud`.

use super::{
    Configuration, ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion, Header,
};
use crate::api::Constraint::{AtLeast, Filled, Format, NotEmpty, Since};
use crate::api::Format::Email;
use crate::api::object;
use crate::api::scalar::Opaque;

const API: ConfigurationApi = ConfigurationApi {
    group: "service.cert.extensions.gardener.cloud",
    versions: &["v1alpha1"],
    class: "shoot-cert-service",
};

/// shoot-cert-service, which requests certificates for Shoots.
pub static EXTENSION: Extension = Extension {
    name: "cert-service",
    component: "github.com/gardener/gardener-extension-shoot-cert-service",
    resource: ("Extension", "shoot-cert-service"),
    admission: None,
    webhooks: "",
    versions: [ExtensionVersion::new(1, 44), ExtensionVersion::new(1, 66)],
    configurations: &[Configuration {
        header: Header::ApiVersion,
        ..API.configuration(&CertConfig, ConfigurationPlace::Extension)
    }],
};

object! {
    /// Certificate issuers of a Shoot. A Seed can only set `generateControlPlaneCertificate`.
    CertConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Certificate issuers, each with a different name.
        "issuers": [IssuerConfig] -> issuers: Vec<IssuerConfig>;
        /// Creation of the DNS entries for challenges on the Shoot. The default is the control plane.
        "dnsChallengeOnShoot": DNSChallengeOnShoot -> dns_challenge_on_shoot: Option<DNSChallengeOnShoot>;
        /// Issuers that are created on the Shoot.
        "shootIssuers": ShootIssuers -> shoot_issuers: Option<Opaque>;
        /// DNS servers that check challenges, separated by commas without spaces, for example `8.8.8.8,8.8.4.4:53`.
        "precheckNameservers": String -> precheck_nameservers: Option<String> => [NotEmpty];
        /// Alerts for certificates that expire.
        "alerting": Alerting -> alerting: Option<Opaque>;
        /// Requests a certificate for the control plane; only for garden runtime clusters and Seeds. The default is false.
        "generateControlPlaneCertificate": Boolean => [Since(51)];
    }
}

object! {
    /// Certificate issuer with the ACME protocol.
    IssuerConfig {
        /// Name of the issuer.
        "name": String required -> name: String => [Filled];
        /// URL of the ACME server, for example `https://acme-v02.api.letsencrypt.org/directory`.
        "server": String required -> server: String;
        /// E-mail address of the ACME account.
        "email": String required -> email: String => [Format(Email)];
        /// Maximum number of requested certificates per day.
        "requestsPerDayQuota": Integer64 -> requests_per_day_quota: Option<i64> => [AtLeast(1.0)];
        /// Name of a Secret in `spec.resources` with the private key of the account. Without it, a new key is generated.
        "privateKeySecretName": String -> private_key_secret_name: Option<String>;
        /// Binding to an external account of the ACME server.
        "externalAccountBinding": ACMEExternalAccountBinding -> external_account_binding: Option<ACMEExternalAccountBinding>;
        /// Skips DNS challenges; only with `externalAccountBinding`.
        "skipDNSChallengeValidation": Boolean -> skip_dns_challenge_validation: bool;
        /// Domains that the issuer may request certificates for.
        "domains": DNSSelection;
        /// DNS servers that check challenges, for example `8.8.8.8` or `dns.google:53`.
        "precheckNameservers": [String] -> precheck_nameservers: Vec<String>;
    }
}

object! {
    /// Binding to an external account of an ACME server.
    ACMEExternalAccountBinding {
        /// ID of the key of the account.
        "keyID": String required -> key_id: String => [Filled];
        /// Name of a Secret in `spec.resources` with the key of the account in `hmacKey`.
        "keySecretName": String required -> key_secret_name: String;
    }
}

object! {
    /// Domains, each with its subdomains.
    DNSSelection {
        /// Allowed domains.
        "include": [String];
        /// Forbidden domains.
        "exclude": [String];
    }
}

object! {
    /// Creation of the DNS entries for challenges on the Shoot.
    DNSChallengeOnShoot {
        /// Creates the DNS entries on the Shoot.
        "enabled": Boolean -> enabled: bool;
        /// Namespace of the DNS entries; required if it is enabled.
        "namespace": String -> namespace: String;
        /// DNS class of the DNS entries.
        "dnsClass": String;
    }
}

object! {
    /// Issuers that are created on the Shoot.
    ShootIssuers {
        /// Allows issuers on the Shoot.
        "enabled": Boolean;
    }
}

object! {
    /// Alerts for certificates that expire.
    Alerting {
        /// Number of days before the expiration at which an alert is triggered.
        "certExpirationAlertDays": Integer64;
    }
}
