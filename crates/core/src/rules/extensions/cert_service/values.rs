// SPDX-License-Identifier: Apache-2.0
//! The values of a configuration. Source: `pkg/apis/service/validation/validation.go`.

use std::collections::BTreeSet;

use super::findings::{DUPLICATE, INVALID, RESERVED, UNLISTED};
use super::nameserver::nameserver_error;
use crate::admission::{ErrorType, Findings, Help, Reported};
use crate::rules::extensions::resources::Resources;
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::cert_service::{CertConfig, IssuerConfig};
use garden_gate_model::api::{Format, Kind};
use garden_gate_text::go::Url;

/// The first version that reports each DNS server at its position in the list.
const POSITIONS: ExtensionVersion = ExtensionVersion::new(1, 64);

/// The default issuer: `issuerName` of the extension, which its chart sets. The controller skips other issuers with this name.
const DEFAULT_ISSUER: &str = "garden";

/// Judges the values of configurations.
pub(super) struct Judge {
    pub(super) resources: Resources,
    pub(super) version: ExtensionVersion,
}

impl Judge {
    pub(super) fn check_config(
        &self,
        config: &CertConfig,
        place: &ReportedPath,
        findings: &mut Findings,
    ) {
        let issuers = place.child("issuers");
        let mut names = BTreeSet::new();
        for (index, issuer) in config.issuers.iter().enumerate() {
            let place = issuers.index(index);
            if !names.insert(issuer.name.as_str()) {
                let message = format!("an issuer before has the name `{}`", short(&issuer.name));
                place
                    .child("name")
                    .report((&DUPLICATE, ErrorType::Duplicate), message, findings)
                    .value(issuer.name.as_str())
                    .help("use another name for each issuer");
            }
            self.check_issuer(issuer, &place, findings);
        }
        let challenge = config.dns_challenge_on_shoot.as_ref();
        if challenge.is_some_and(|it| it.enabled && it.namespace.is_empty()) {
            let message = "the namespace of DNS entries on the Shoot is not set";
            place
                .descendant("dnsChallengeOnShoot.namespace")
                .report((&INVALID, ErrorType::Required), message, findings)
                .help("set `namespace`, or `enabled: false`");
        }
        if let Some(servers) = &config.precheck_nameservers {
            self.check_servers(servers, &place.child("precheckNameservers"), findings);
        }
    }

    /// Checks DNS servers that are separated by commas.
    fn check_servers(&self, servers: &str, place: &ReportedPath, findings: &mut Findings) {
        if servers.is_empty() {
            invalid(place, servers, "there is no DNS server", findings)
                .help(Help::remove("remove it, or list servers such as `8.8.8.8,8.8.4.4:53`"));
            return;
        }
        for (index, server) in servers.split(',').enumerate() {
            let own =
                if self.version >= POSITIONS { place.index(index).own } else { place.own.clone() };
            let place = ReportedPath { own, real: place.real.clone() };
            self.check_server(server, &place, findings);
        }
    }

    fn check_server(&self, server: &str, place: &ReportedPath, findings: &mut Findings) {
        if let Some(message) = nameserver_error(server, self.version) {
            invalid(place, server, &message, findings).help(
                "write it like `8.8.8.8`, `[2001:db8::1]:53` or `dns.google:53`, without spaces",
            );
        }
    }

    fn check_issuer(&self, issuer: &IssuerConfig, place: &ReportedPath, findings: &mut Findings) {
        if issuer.name.is_empty() {
            invalid(&place.child("name"), "", "the issuer has no name", findings)
                .help("set `name`");
        }
        if issuer.name == DEFAULT_ISSUER {
            let message = format!(
                "`{DEFAULT_ISSUER}` is the name of the landscape's default issuer, so the extension ignores this one"
            );
            place
                .child("name")
                .report((&RESERVED, ErrorType::Invalid), message, findings)
                .value(DEFAULT_ISSUER)
                .help("use another name, also in the annotations of Ingresses and Services, and in Certificates");
        }
        let server = issuer.server.as_str();
        if !Url::is_request_uri(server) {
            let message = format!("`{}` is not the URL of a server", short(server));
            invalid(&place.child("server"), server, &message, findings)
                .help("write it like `https://acme-v02.api.letsencrypt.org/directory`");
        }
        let email = issuer.email.as_str();
        if let Some(why) = Format::Email.error(email) {
            let message = format!("`{}` is not an e-mail address: {why}", short(email));
            invalid(&place.child("email"), email, &message, findings)
                .help(Format::Email.help(email, |_| true));
        }
        if let Some(name) = &issuer.private_key_secret_name {
            self.check_secret(name, &place.child("privateKeySecretName"), findings);
        }
        match &issuer.external_account_binding {
            Some(binding) => {
                let at = place.child("externalAccountBinding");
                if binding.key_id.is_empty() {
                    let message = "the ID of the key is not set";
                    invalid(&at.child("keyID"), "", message, findings).help("set `keyID`");
                }
                self.check_secret(&binding.key_secret_name, &at.child("keySecretName"), findings);
            }
            None if issuer.skip_dns_challenge_validation => {
                let message = "challenges can be skipped only with an external account";
                place
                    .child("skipDNSChallengeValidation")
                    .report((&INVALID, ErrorType::Invalid), message, findings)
                    .value(true)
                    .help(Help::remove("remove it, or add `externalAccountBinding`"));
            }
            None => {}
        }
        if let Some(quota) = issuer.requests_per_day_quota.filter(|it| *it < 1) {
            let message = format!("the maximum number of certificates is {quota}");
            place
                .child("requestsPerDayQuota")
                .report((&INVALID, ErrorType::Invalid), message, findings)
                .value(quota)
                .help("use 1 or more, or remove it");
        }
        let at = place.child("precheckNameservers");
        for (index, server) in issuer.precheck_nameservers.iter().enumerate() {
            self.check_server(server, &at.index(index), findings);
        }
    }

    /// Checks that a Secret is listed; the controller reports one that does not exist later.
    fn check_secret(&self, name: &str, place: &ReportedPath, findings: &mut Findings) {
        if let Err(message) = self.resources.of_kind(name, Kind::Secret) {
            place
                .report((&UNLISTED, ErrorType::Invalid), message, findings)
                .value(name)
                .help("add the Secret to `spec.resources` with this `name`");
        }
    }
}

fn invalid<'f>(
    place: &ReportedPath,
    value: &str,
    message: &str,
    findings: &'f mut Findings,
) -> Reported<'f> {
    place.report((&INVALID, ErrorType::Invalid), message, findings).value(value)
}
