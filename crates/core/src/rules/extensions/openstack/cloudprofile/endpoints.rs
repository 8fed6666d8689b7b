// SPDX-License-Identifier: Apache-2.0
//! URLs of Keystone, and other settings of a profile.

use core::net::IpAddr;
use std::collections::HashSet;

use crate::admission::{ErrorType, FieldPath, Findings};
use crate::rules::extensions::openstack::profiles::INVALID;
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Format;
use garden_gate_model::api::extensions::openstack::cloud_profile::CloudProfileConfig;

pub(super) fn check(config: &CloudProfileConfig, findings: &mut Findings) {
    check_keystone(config, findings);
    let place = ReportedPath::same(FieldPath::new("spec.providerConfig"));
    let servers = place.child("dnsServers");
    for (index, server) in config.dns_servers.iter().enumerate() {
        if server.parse::<IpAddr>().is_err() {
            let message = format!("`{}` is not an IP address", short(server));
            servers
                .index(index)
                .report((&INVALID, ErrorType::Invalid), message, findings)
                .value(server.as_str())
                .help("write it like `10.0.0.53`");
        }
    }
    if config.dhcp_domain.as_deref() == Some("") {
        report_missing(&place.child("dhcpDomain"), "`dhcpDomain` is empty", findings);
    }
    let policies = place.child("serverGroupPolicies");
    for (index, policy) in config.server_group_policies.iter().enumerate() {
        if policy.is_empty() {
            let message = "a policy of server groups is empty";
            report_missing(&policies.index(index), message, findings);
        }
    }
}

/// Checks the URLs of Keystone, whose fields the component spells differently.
fn check_keystone(config: &CloudProfileConfig, findings: &mut Findings) {
    let field = |own: &'static str, real: &'static str| {
        let place = FieldPath::new("spec.providerConfig");
        ReportedPath { own: place.child(own), real: place.child(real) }
    };
    if config.keystone_url.is_empty() && config.keystone_urls.is_empty() {
        let message = "the providerConfig has no URL of Keystone";
        field("keyStoneURL", "keystoneURL")
            .report((&INVALID, ErrorType::Required), message, findings)
            .help("set it, for example to `https://keystone.example.com/v3`");
    }
    let certificate = config.keystone_ca_cert.as_deref();
    check_certificate(certificate, &field("caCert", "keystoneCACert"), findings);
    let mut regions = HashSet::new();
    for (index, url) in config.keystone_urls.iter().enumerate() {
        let place = field("keyStoneURLs", "keystoneURLs").index(index);
        let region = place.child("region");
        if url.region.is_empty() {
            let message = "a URL of Keystone has no region";
            report_missing(&region, message, findings);
        }
        if url.url.is_empty() {
            let message = format!("region `{}` has an empty URL of Keystone", short(&url.region));
            report_missing(&place.child("url"), &message, findings);
        }
        check_certificate(url.ca_cert.as_deref(), &place.child("caCert"), findings);
        if !regions.insert(url.region.as_str()) {
            let message = format!("region `{}` is a duplicate", short(&url.region));
            region
                .report((&INVALID, ErrorType::Duplicate), message, findings)
                .value(url.region.as_str())
                .help("remove one of the two");
        }
    }
}

fn check_certificate(certificate: Option<&str>, place: &ReportedPath, findings: &mut Findings) {
    let Some(certificate) = certificate.filter(|it| !it.is_empty()) else {
        return;
    };
    if Format::Pem.error(certificate).is_some() {
        let message = "the CA certificate of Keystone is not a certificate in PEM";
        place
            .report((&INVALID, ErrorType::Invalid), message, findings)
            .help("begin it with `-----BEGIN CERTIFICATE-----`");
    }
}

fn report_missing(place: &ReportedPath, message: &str, findings: &mut Findings) {
    place
        .report((&INVALID, ErrorType::Required), message, findings)
        .help("set it, or remove the entry");
}
