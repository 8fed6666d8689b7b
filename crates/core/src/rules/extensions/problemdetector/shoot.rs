// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/shoot.go` and `pkg/apis/validation` of shoot-networking-problemdetector.

use core::net::IpAddr;
use std::collections::BTreeSet;

use jiff::SignedDuration;

use crate::admission::{Context, ErrorType, Findings, Help, Write, rule};
use crate::rules::extensions::{CommonFindings, Failure, JudgedEntry};
use crate::rules::shared::lists::{one_of, short};
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::problemdetector::{
    AdditionalProbe, EXTENSION, ShootProviderConfig,
};
use garden_gate_text::go::dns_subdomain_error;

rule! {
    page: include_str!("shoot.md"),
    id: "problemdetector/shoot",
    summary: "validates the configuration of the extension shoot-networking-problemdetector",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        UNDECODABLE = "problemdetector/undecodable": "the configuration of shoot-networking-problemdetector cannot be decoded",
        FAILURE = "problemdetector/failure": "the admission component of shoot-networking-problemdetector fails",
        INVALID = "problemdetector/invalid": "a probe of shoot-networking-problemdetector is invalid",
    },
    fixes: Suggestion,
    check: Judge(check),
}

const PROTOCOLS: &[&str] = &["TCP", "HTTPS", "ICMP"];
/// The shortest interval between probes.
const SHORTEST: SignedDuration = SignedDuration::from_secs(10);

fn check(context: &Context<'_>, _: Write<'_, Shoot>, findings: &mut Findings) {
    let common = CommonFindings { undecodable: &UNDECODABLE, failure: &FAILURE };
    let Some(entry) = JudgedEntry::begin(context, &EXTENSION, common, findings) else {
        return;
    };
    let Some(document) = entry.document else { return };
    let place = entry.place;
    let failure = Failure { error: ErrorType::Invalid, field: place.clone(), kind: &UNDECODABLE };
    let config = entry.component.decode::<ShootProviderConfig>(document, &failure, findings);
    let Some(config) = config else { return };
    let at = place.child("additionalProbes");
    let mut ids = BTreeSet::new();
    for (index, probe) in config.additional_probes.iter().enumerate() {
        if let Some(problem) = problem_of(probe, &mut ids) {
            // The extension reports the list, and ends at the first error.
            let field = at.index(index).child(problem.field);
            findings.invalid(&INVALID, at, problem.message).at(&field).help(problem.help);
            return;
        }
    }
}

/// An error in a probe, with its remedy.
struct Problem {
    field: &'static str,
    message: String,
    help: Help,
}

/// Returns the first error of a probe, and adds its ID to those of the probes before.
fn problem_of<'c>(probe: &'c AdditionalProbe, ids: &mut BTreeSet<&'c str>) -> Option<Problem> {
    let problem = |field, message: String, help: &'static str| {
        Some(Problem { field, message, help: help.into() })
    };
    let id = probe.job_id.as_str();
    if id.is_empty() {
        let message = "the probe has no ID".to_owned();
        return problem("jobID", message, "set `jobID` to a unique name");
    }
    if id != id.trim() {
        let message = format!("the ID `{}` begins or ends with white space", short(id));
        return problem("jobID", message, "remove the white space");
    }
    if !ids.insert(id) {
        let message = format!("a probe before has the ID `{}`", short(id));
        return problem("jobID", message, "use another ID for each probe");
    }
    let host = probe.host.as_str();
    if host.trim().is_empty() {
        let message = "the host of the probe is not set".to_owned();
        return problem("host", message, "set `host` to a host name or IP address");
    }
    if host.parse::<IpAddr>().is_err()
        && let Some(why) = dns_subdomain_error(host)
    {
        let message = format!("`{}` is neither an IP address nor a host name: {why}", short(host));
        return problem("host", message, "write it like `example.com`, without a port");
    }
    let protocol = probe.protocol.as_str();
    if !PROTOCOLS.contains(&protocol) {
        let message = format!("the protocol `{}` is unsupported", short(protocol));
        return Some(Problem { field: "protocol", message, help: one_of(protocol, PROTOCOLS) });
    }
    if protocol != "ICMP" && !(1..=65535).contains(&probe.port) {
        let message = format!("{} is not the number of a port", probe.port);
        return problem("port", message, "use a number from 1 to 65535");
    }
    let period = probe.period.as_ref().filter(|it| it.value < SHORTEST)?;
    let message = format!("the interval `{}` is too short", short(&period.text));
    problem("period", message, "use `10s` or more")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn probe(change: impl FnOnce(&mut AdditionalProbe)) -> AdditionalProbe {
        let mut probe = AdditionalProbe {
            job_id: "a".to_owned(),
            protocol: "TCP".to_owned(),
            host: "example.com".to_owned(),
            port: 443,
            period: None,
        };
        change(&mut probe);
        probe
    }

    #[rstest]
    #[case::right(probe(|_| {}), None)]
    #[case::address(probe(|it| it.host = "2001:DB8::1".to_owned()), None)]
    #[case::no_port(probe(|it| it.port = 0), Some("port"))]
    #[case::ping(probe(|it| { it.port = 0; it.protocol = "ICMP".to_owned(); }), None)]
    #[case::used_id(probe(|it| it.job_id = "used".to_owned()), Some("jobID"))]
    #[case::first_error(probe(|it| { it.host = "A".to_owned(); it.port = -1; }), Some("host"))]
    fn probes_have_one_problem(#[case] probe: AdditionalProbe, #[case] expected: Option<&str>) {
        let mut ids = BTreeSet::from(["used"]);
        let problem = problem_of(&probe, &mut ids);
        assert_eq!(problem.map(|it| it.field), expected);
    }
}
