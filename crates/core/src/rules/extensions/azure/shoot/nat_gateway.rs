// SPDX-License-Identifier: Apache-2.0
//! NAT gateways. Source: `pkg/apis/azure/validation/infrastructure.go`.

use super::judged::{
    CHECKS_SYNTAX, DROPS_ALPHA, INFRASTRUCTURE, Judged, in_infrastructure, report,
};
use super::syntax::{PUBLIC_IP, RESOURCE_GROUP};
use crate::admission::{ErrorType, Findings};
use crate::rules::shared::lists::{one_of, short};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::azure::infrastructure::{
    NatGatewayConfig, PublicIPReference, ZonedNatGatewayConfig,
};

/// The first version in which the zone of a public IP address can be absent.
const ZONE_IS_OPTIONAL: ExtensionVersion = ExtensionVersion::new(1, 60);

pub(super) const STANDARD: &str = "Standard";
const STANDARD_V2: &str = "StandardV2";
const SKUS: &[&str] = &[STANDARD, STANDARD_V2];
/// The bounds of the idle timeout, in minutes.
const IDLE_MINUTES: [i32; 2] = [4, 120];

/// Checks the NAT gateway of a single subnet.
pub(super) fn check(judged: &Judged<'_>, gateway: &NatGatewayConfig, findings: &mut Findings) {
    let place = in_infrastructure("networks.natGateway");
    if !gateway.enabled {
        let has_more = gateway.zone.is_some()
            || gateway.idle_connection_timeout_minutes.is_some()
            || gateway.ip_addresses.is_some()
            || gateway.sku.is_some();
        check_disabled(has_more, &place, findings);
        return;
    }
    if judged.version < DROPS_ALPHA && !judged.infrastructure.zoned && !judged.has_scale_sets() {
        let message = "a NAT gateway needs a cluster with zones";
        let help = "set `zoned: true`, or remove `natGateway`";
        report(&place, ErrorType::Forbidden, message, help, findings);
        return;
    }
    if judged.is_migrated() {
        let message = "the NAT gateway cannot be enabled during the migration of an annotation";
        let help = "remove the annotation, or disable the NAT gateway";
        report(&place.child("enabled"), ErrorType::Forbidden, message, help, findings);
    }
    check_timeout(gateway.idle_connection_timeout_minutes, &place, findings);
    let sku = gateway.sku.as_deref();
    check_sku(sku, &place, findings);
    let addresses = gateway.ip_addresses.as_deref().unwrap_or_default();
    match (sku.unwrap_or(STANDARD), gateway.zone) {
        (STANDARD, None) if !addresses.is_empty() => {
            let message = "public IP addresses need the `zone` of the NAT gateway";
            let help = "set `zone`, or remove `ipAddresses`";
            report(&place.child("zone"), ErrorType::Invalid, message, help, findings);
        }
        (STANDARD, Some(zone)) => check_addresses(judged, addresses, zone, &place, findings),
        (STANDARD_V2, zone) => {
            let place_of_zone = |place: &ReportedPath| place.child("zone");
            let ips = place.child("ipAddresses");
            let of_ips = addresses.iter().enumerate().filter(|(_, it)| it.zone.is_some());
            let places = of_ips.map(|(index, _)| place_of_zone(&ips.index(index)));
            for place in zone.map(|_| place_of_zone(&place)).into_iter().chain(places) {
                let message = format!("a NAT gateway of SKU `{STANDARD_V2}` has no zone");
                let help = format!("remove `zone`, or use the SKU `{STANDARD}`");
                report(&place, ErrorType::Forbidden, message, help, findings);
            }
        }
        _ => {}
    }
}

/// Checks the public IP addresses of a NAT gateway in a zone.
fn check_addresses(
    judged: &Judged<'_>,
    addresses: &[PublicIPReference],
    zone: i32,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let at = place.child("ipAddresses");
    for (index, address) in addresses.iter().enumerate() {
        let place = at.index(index);
        check_address(judged, [&address.resource_group, &address.name], &place, findings);
        let own = if judged.version < ZONE_IS_OPTIONAL {
            Some(address.zone.unwrap_or_default())
        } else {
            address.zone
        };
        if own.is_some_and(|it| it != zone) {
            let message = format!("the public IP address is not in zone {zone} of the NAT gateway");
            let help = format!("set `zone: {zone}`, or use another address");
            report(&place.child("zone"), ErrorType::Invalid, message, help, findings);
        }
    }
}

/// Checks the resource group and the name of a public IP address.
fn check_address(
    judged: &Judged<'_>,
    [group, name]: [&str; 2],
    place: &ReportedPath,
    findings: &mut Findings,
) {
    for (field, value, syntax) in
        [("resourceGroup", group, RESOURCE_GROUP), ("name", name, PUBLIC_IP)]
    {
        if value.is_empty() || judged.version >= CHECKS_SYNTAX {
            syntax.check(value, &place.child(field), &INFRASTRUCTURE, findings);
        }
    }
}

/// Checks the NAT gateway of a zone at `place`.
pub(super) fn check_zoned(
    judged: &Judged<'_>,
    gateway: &ZonedNatGatewayConfig,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    if judged.version >= CHECKS_SYNTAX {
        check_timeout(gateway.idle_connection_timeout_minutes, place, findings);
    }
    if !gateway.enabled {
        let has_more = gateway.idle_connection_timeout_minutes.is_some()
            || gateway.ip_addresses.is_some()
            || gateway.sku.is_some();
        check_disabled(has_more, place, findings);
        return;
    }
    let addresses = gateway.ip_addresses.iter().flatten();
    for (index, address) in addresses.enumerate() {
        let at = place.child("ipAddresses").index(index);
        check_address(judged, [&address.resource_group, &address.name], &at, findings);
    }
    let sku = gateway.sku.as_deref();
    check_sku(sku, place, findings);
    if let Some(sku) = sku.filter(|it| *it != STANDARD) {
        let message = format!("the NAT gateway of a zone cannot have the SKU `{}`", short(sku));
        let help = format!("use `{STANDARD}`, or remove `sku`");
        report(&place.child("sku"), ErrorType::Forbidden, message, help, findings);
    }
}

fn check_disabled(has_more: bool, place: &ReportedPath, findings: &mut Findings) {
    if has_more {
        let message = "a disabled NAT gateway cannot have other settings";
        let help = "set `enabled: true`, or remove the other fields";
        report(place, ErrorType::Invalid, message, help, findings);
    }
}

fn check_timeout(minutes: Option<i32>, place: &ReportedPath, findings: &mut Findings) {
    let [least, most] = IDLE_MINUTES;
    if let Some(minutes) = minutes.filter(|it| !(least..=most).contains(it)) {
        let message = format!("an idle timeout of {minutes} minutes is not supported");
        let help = format!("use {least} to {most} minutes");
        let at = place.child("idleConnectionTimeoutMinutes");
        report(&at, ErrorType::Invalid, message, help, findings);
    }
}

fn check_sku(sku: Option<&str>, place: &ReportedPath, findings: &mut Findings) {
    if let Some(sku) = sku.filter(|it| !SKUS.contains(it)) {
        let message = format!("`{}` is not a supported SKU of NAT gateways", short(sku));
        report(&place.child("sku"), ErrorType::NotSupported, message, one_of(sku, SKUS), findings);
    }
}
