// SPDX-License-Identifier: Apache-2.0
//! The machines of a worker pool: CPU, network interfaces, placement, reservation. Source: `pkg/apis/aws/validation/worker.go`.

use super::judged::WORKER;
use super::syntax::{CAPACITY_RESERVATION, RESOURCE_GROUP_ARN};
use super::worker_fields::{check_one_of, check_range, report};
use crate::admission::{ErrorType, Findings};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::aws::worker::{
    CapacityReservation, CpuOptions, NetworkInterface, Placement, WorkerConfig,
};

const ONLY_RESERVATIONS: &str = "capacity-reservations-only";
const PREFERENCES: &[&str] = &[ONLY_RESERVATIONS, "open", "none"];
const TOKENS: &[&str] = &["required", "optional"];
const SEV_SNP: &[&str] = &["enabled", "disabled"];
const SECONDARY_ONLY: &str = "efa-only";
const INTERFACES: &[&str] = &["interface", "efa", SECONDARY_ONLY];
const HOST: &str = "host";
const TENANCIES: &[&str] = &["default", "dedicated", HOST];
const AFFINITIES: &[&str] = &["default", HOST];
const MARKETS: &[&str] = &["spot", "capacity-block", "interruptible-capacity-reservation"];
const HOPS: [i64; 2] = [1, 64];
const THREADS: [i64; 2] = [1, 2];
/// The largest index.
const LARGEST: i64 = 2_147_483_647;

pub(super) fn check(config: &WorkerConfig, place: &ReportedPath, findings: &mut Findings) {
    if let Some(reservation) = &config.capacity_reservation {
        check_reservation(reservation, &place.child("capacityReservation"), findings);
    }
    if let Some(options) = &config.instance_metadata_options {
        let of_options = place.child("instanceMetadataOptions");
        let hops = options.http_put_response_hop_limit;
        check_range(hops, HOPS, &of_options.child("httpPutResponseHopLimit"), findings);
        let at = of_options.child("httpTokens");
        let tokens = options.http_tokens.as_deref();
        check_one_of(tokens, TOKENS, (&at, ErrorType::Invalid), findings);
    }
    if let Some(options) = &config.cpu_options {
        check_cpu(options, &place.child("cpuOptions"), findings);
    }
    for (index, interface) in config.network_interfaces.iter().enumerate() {
        check_interface(interface, &place.child("networkInterfaces").index(index), findings);
    }
    if let Some(placement) = &config.placement {
        check_placement(placement, &place.child("placement"), findings);
    }
    if let Some(options) = &config.instance_market_options {
        let at = place.descendant("instanceMarketOptions.marketType");
        let market = Some(options.market_type.as_str());
        check_one_of(market, MARKETS, (&at, ErrorType::NotSupported), findings);
    }
}

fn check_reservation(
    reservation: &CapacityReservation,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let preference = reservation.preference.as_deref();
    let at = place.child("capacityReservationPreference");
    let [id, group] = [&reservation.id, &reservation.resource_group_arn];
    check_one_of(preference, PREFERENCES, (&at, ErrorType::NotSupported), findings);
    if let Some(preference) = preference
        && preference != ONLY_RESERVATIONS
        && (id.is_some() || group.is_some())
    {
        let preference = short(preference);
        let message = format!("`{preference}` cannot be used with a certain reservation");
        let help = format!("use `{ONLY_RESERVATIONS}`, or remove the reservation");
        report(&at, ErrorType::Forbidden, message, &help, findings);
    }
    let at = place.child("capacityReservationId");
    if let Some(id) = id {
        CAPACITY_RESERVATION.check(id, &at, &WORKER, findings);
    }
    if let Some(group) = group {
        let at = place.child("capacityReservationResourceGroupArn");
        RESOURCE_GROUP_ARN.check(group, &at, &WORKER, findings);
    }
    if id.is_some() && group.is_some() {
        let message = "a reservation cannot be used with a resource group".to_owned();
        report(&at, ErrorType::Forbidden, message, "remove one of them", findings);
    }
}

fn check_cpu(options: &CpuOptions, place: &ReportedPath, findings: &mut Findings) {
    let at = place.child("amdSevSnp");
    let mode = options.amd_sev_snp.as_deref();
    check_one_of(mode, SEV_SNP, (&at, ErrorType::NotSupported), findings);
    let lacking = match (options.core_count, options.threads_per_core) {
        (Some(_), Some(_)) => {
            let at = place.child("threadsPerCore");
            check_range(options.threads_per_core, THREADS, &at, findings);
            return;
        }
        (None, None) => return,
        (None, Some(_)) => "coreCount",
        (Some(_), None) => "threadsPerCore",
    };
    let message = format!("`{lacking}` is not set");
    let help = "set both `coreCount` and `threadsPerCore`, or neither";
    report(&place.child(lacking), ErrorType::Required, message, help, findings);
}

fn check_interface(interface: &NetworkInterface, place: &ReportedPath, findings: &mut Findings) {
    let at = place.child("type");
    let kind = interface.kind.as_deref();
    check_one_of(kind, INTERFACES, (&at, ErrorType::NotSupported), findings);
    let [index, range] = [
        interface.network_card_index,
        interface.network_card_index_range.as_ref().map(|it| it.from),
    ];
    if index.is_some() && range.is_some() {
        let message = "an interface cannot have both an index and a range".to_owned();
        let help = "remove `networkCardIndex` or `networkCardIndexRange`";
        report(place, ErrorType::Invalid, message, help, findings);
    }
    check_range(index, [0, LARGEST], &place.child("networkCardIndex"), findings);
    if let Some(range) = &interface.network_card_index_range {
        let at = place.child("networkCardIndexRange");
        if range.from < 0 {
            let message = format!("`from` is {}, which is negative", range.from);
            report(&at.child("from"), ErrorType::Invalid, message, "use 0 or more", findings);
        }
        if range.to > LARGEST {
            let message = format!("`to` is {}, which is more than {LARGEST}", range.to);
            let help = format!("use at most {LARGEST}");
            report(&at.child("to"), ErrorType::Invalid, message, &help, findings);
        }
        if range.from > range.to {
            let message = format!("`from` is {}, which is more than {}", range.from, range.to);
            report(&at, ErrorType::Invalid, message, "exchange `from` and `to`", findings);
        }
    }
    let device = interface.device_index;
    check_range(device, [0, LARGEST], &place.child("deviceIndex"), findings);
    let is_first_card = match (index, range) {
        (None, None) => true,
        (index, range) => index == Some(0) || range == Some(0),
    };
    if kind == Some(SECONDARY_ONLY) && is_first_card && device.unwrap_or(0) == 0 {
        let message = format!("the primary network interface cannot be `{SECONDARY_ONLY}`");
        let help = "use `interface` or `efa`, or another card or device";
        report(&at, ErrorType::Invalid, message, help, findings);
    }
}

fn check_placement(placement: &Placement, place: &ReportedPath, findings: &mut Findings) {
    let tenancy = placement.tenancy.as_deref();
    for (field, value, allowed) in
        [("tenancy", tenancy, TENANCIES), ("affinity", placement.affinity.as_deref(), AFFINITIES)]
    {
        let at = place.child(field);
        check_one_of(value, allowed, (&at, ErrorType::NotSupported), findings);
    }
    if placement.host_id.is_some() && tenancy != Some(HOST) {
        let message = format!("`hostId` needs the tenancy `{HOST}`");
        let help = "set `tenancy: host`, or remove `hostId`";
        report(&place.child("hostId"), ErrorType::Forbidden, message, help, findings);
    }
    let partition = placement.partition_number;
    let at = place.child("partitionNumber");
    check_range(partition, [1, LARGEST], &at, findings);
}
