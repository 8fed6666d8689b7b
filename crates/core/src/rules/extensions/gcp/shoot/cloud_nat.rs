// SPDX-License-Identifier: Apache-2.0
//! Cloud NAT. Source: `ValidateCloudNatConfig` in `pkg/apis/gcp/validation/infrastructure.go`.

use super::judged::{CHECKS_SYNTAX, INFRASTRUCTURE, Judged};
use super::syntax::RESOURCE;
use crate::admission::{ErrorType, Findings, Help};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::gcp::infrastructure::CloudNAT;

pub(super) fn check(
    judged: &Judged<'_>,
    nat: &CloudNAT,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let names = nat.nat_ip_names.as_deref();
    let place_of_names = place.child("natIPNames");
    if names.is_some_and(<[_]>::is_empty) {
        report(
            &place_of_names,
            "the list of IP addresses is empty".to_owned(),
            "list names of reserved addresses, or remove `natIPNames`",
            findings,
        );
    }
    if judged.version >= CHECKS_SYNTAX {
        for (index, address) in names.unwrap_or_default().iter().enumerate() {
            if !RESOURCE.accepts(&address.name) {
                findings.report_lazily(&INFRASTRUCTURE, |findings| {
                    let place = place_of_names.index(index).child("name");
                    RESOURCE.check(&address.name, &place, &INFRASTRUCTURE, findings);
                });
            }
        }
    }
    check_ports(nat, place, findings);
}

fn check_ports(nat: &CloudNAT, place: &ReportedPath, findings: &mut Findings) {
    let is_dynamic = nat.enable_dynamic_port_allocation;
    let (least, most) = (nat.min_ports_per_vm, nat.max_ports_per_vm);
    if !is_dynamic {
        if most.is_some() {
            let message = "`maxPortsPerVM` needs dynamic port allocation".to_owned();
            let help = "set `enableDynamicPortAllocation: true`, or remove `maxPortsPerVM`";
            report(&place.child("maxPortsPerVM"), message, help, findings);
        }
        return;
    }
    if nat.endpoint_independent_mapping.enabled {
        let message =
            "dynamic port allocation cannot be used with endpoint-independent mapping".to_owned();
        let help = "disable one of them";
        report(&place.child("enableDynamicPortAllocation"), message, help, findings);
    }
    for (name, ports) in [("maxPortsPerVM", most), ("minPortsPerVM", least)] {
        if let Some(ports) = ports.filter(|it| !is_power_of_two(*it)) {
            let message = format!("{ports} is not a power of two");
            report(&place.child(name), message, "use a power of two, for example 64", findings);
        }
    }
    if let (Some(least), Some(most)) = (least, most)
        && least > most
    {
        let message = format!("`minPortsPerVM` is {least}, which is more than {most}");
        let help = "use at most `maxPortsPerVM`";
        report(&place.child("minPortsPerVM"), message, help, findings);
    }
}

/// Reports whether a number has at most one bit; 0 and the smallest number count, too.
fn is_power_of_two(number: i32) -> bool {
    number & number.wrapping_sub(1) == 0
}

fn report(place: &ReportedPath, message: String, help: impl Into<Help>, findings: &mut Findings) {
    place.report((&INFRASTRUCTURE, ErrorType::Invalid), message, findings).help(help);
}

#[cfg(test)]
mod tests {
    use super::is_power_of_two;

    #[test]
    fn powers_of_two_include_zero_and_the_smallest_number() {
        for number in [0, 1, 2, 64, 1 << 30, i32::MIN] {
            assert!(is_power_of_two(number), "{number}");
        }
        for number in [3, 6, 65, -1, i32::MAX] {
            assert!(!is_power_of_two(number), "{number}");
        }
    }
}
