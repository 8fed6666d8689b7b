// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/apis/calico/validation/networkconfig.go` and `pkg/admission/validator/shoot.go` of networking-calico.

use std::collections::BTreeMap;

use super::detection;
use crate::admission::{Change, Context, FieldPath, Findings, Help, rule};
use crate::rules::extensions::{CommonFindings, Component, Failure};
use crate::rules::shared::lists::{one_of, short};
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::calico::{AutoScaling, EXTENSION, IPAM, NetworkConfig};
use garden_gate_model::api::extensions::{ConfigurationPlace, ExtensionVersion};
use garden_gate_text::go::{Quantity, atoi, is_strict_network};

rule! {
    page: include_str!("shoot.md"),
    id: "calico/shoot",
    summary: "validates the configuration of the network extension calico",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        UNDECODABLE = "calico/undecodable": "the configuration of calico cannot be decoded",
        FAILURE = "calico/failure": "the admission component of calico fails",
        INVALID = "calico/invalid": "a value in the configuration of calico is invalid",
        NO_KUBE_PROXY = "calico/kube-proxy-disabled": "kube-proxy is disabled, but calico does not replace it with eBPF",
    },
    fixes: Safe,
    check: Judge(check),
}

/// The first version that validates values.
const VALUES: ExtensionVersion = ExtensionVersion::new(1, 50);
/// The first version that refuses `calico-ipam` with IPv6.
const IPAM_FAMILY: ExtensionVersion = ExtensionVersion::new(1, 57);

const BACKENDS: &[&str] = &["bird", "none", "vxlan"];
const IPAM_TYPES: &[&str] = &["calico-ipam", "host-local"];
const POOLS: &[&str] = &["ipip", "vxlan"];
const MODES: &[&str] = &["Always", "Never", "CrossSubnet", "Off"];
const VXLAN_MODES: &[&str] = &["Always", "Never"];
const SCALING_MODES: &[&str] = &["cluster-proportional", "vpa", "static"];
const LOOP_PREVENTIONS: &[&str] = &["Disabled", "Drop", "Reject"];
const RESOURCES: [&str; 2] = ["cpu", "memory"];

fn check(context: &Context<'_>, change: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(shoot) = change.new.filter(|shoot| !shoot.is_workerless()) else {
        return;
    };
    let Some(networking) = &shoot.spec.networking else {
        return;
    };
    if networking.kind.as_deref() != Some("calico") {
        return;
    }
    let common = CommonFindings { undecodable: &UNDECODABLE, failure: &FAILURE };
    let Some(component) = Component::begin(context, &EXTENSION, common, findings) else {
        return;
    };
    let failure = Failure::without_field(&UNDECODABLE);
    let config = match component.new_documents().at(ConfigurationPlace::Network) {
        None => NetworkConfig::default(),
        Some(document) => match component.decode(document, &failure, findings) {
            Some(config) => config,
            None => return,
        },
    };
    let version = component.version();
    if version >= VALUES {
        let has_ipv6 = version >= IPAM_FAMILY && networking.has("IPv6");
        check_config(&config, has_ipv6, findings);
        if !findings.is_empty() {
            return;
        }
    }
    check_kube_proxy(shoot, &config, findings);
}

fn check_config(config: &NetworkConfig, has_ipv6: bool, findings: &mut Findings) {
    let place = FieldPath::new("spec.networking.providerConfig");
    check_ipam(&config.ipam, has_ipv6, &place.child("ipam"), findings);
    for (field, value, allowed) in [
        ("backend", &config.backend, BACKENDS),
        ("ipip", &config.ipip, MODES),
        ("serviceLoopPrevention", &config.service_loop_prevention, LOOP_PREVENTIONS),
        ("ipv4.pool", &config.ipv4.pool, POOLS),
        ("ipv4.mode", &config.ipv4.mode, modes(config.ipv4.pool.as_deref())),
        ("ipv6.pool", &config.ipv6.pool, POOLS),
        ("ipv6.mode", &config.ipv6.mode, modes(config.ipv6.pool.as_deref())),
    ] {
        if let Some(value) = value {
            check_one_of(value, allowed, place.descendant(field), findings);
        }
    }
    for (field, method) in [
        ("ipv4.autoDetectionMethod", &config.ipv4.auto_detection_method),
        ("ipv6.autoDetectionMethod", &config.ipv6.auto_detection_method),
    ] {
        if !method.is_empty() {
            let field = place.descendant(field);
            detection::check(method, &field, &field, &INVALID, findings);
        }
    }
    if let Some(method) = &config.ip_auto_detection_method {
        // The extension names the field in another case.
        let field = place.child("ipAutoDetectionMethod");
        let real = place.child("ipAutodetectionMethod");
        detection::check(method, &field, &real, &INVALID, findings);
    }
    if let Some(mtu) = config.veth_mtu.as_deref()
        && atoi(mtu).is_none_or(|mtu| mtu < 0)
    {
        let message = match mtu {
            "" => "an empty string is not a number".to_owned(),
            _ => format!("`{}` is not a number of 0 or more", short(mtu)),
        };
        findings
            .invalid(&INVALID, place.child("vethMTU"), message)
            .value(mtu)
            .help("write it like `\"1440\"`, or remove it");
    }
    if let Some(scaling) = &config.auto_scaling {
        check_scaling(scaling, &place.child("autoScaling"), findings);
    }
}

/// Returns the modes of a tunnel.
fn modes(pool: Option<&str>) -> &'static [&'static str] {
    match pool {
        Some("vxlan") => VXLAN_MODES,
        _ => MODES,
    }
}

fn check_one_of(value: &str, allowed: &[&str], field: FieldPath, findings: &mut Findings) {
    if allowed.contains(&value) {
        return;
    }
    findings
        .invalid(&INVALID, field, unsupported(value, allowed))
        .value(value)
        .help(one_of(value, allowed));
}

/// Returns the message for a value that is not allowed.
fn unsupported(value: &str, allowed: &[&str]) -> String {
    match value {
        "" => "an empty value is unsupported".to_owned(),
        _ if MODES.contains(&value) && allowed == VXLAN_MODES => {
            format!("the pool `vxlan` has no mode `{value}`")
        }
        _ => format!("the value `{}` is unsupported", short(value)),
    }
}

fn check_ipam(ipam: &IPAM, has_ipv6: bool, place: &FieldPath, findings: &mut Findings) {
    let kind = ipam.kind.as_str();
    if !kind.is_empty() {
        check_one_of(kind, IPAM_TYPES, place.child("type"), findings);
    }
    if kind == "calico-ipam" && has_ipv6 {
        findings
            .invalid(&INVALID, place.child("type"), "`calico-ipam` does not support IPv6")
            .value(kind)
            .help("use `host-local`, or only `IPv4` in `spec.networking.ipFamilies`");
    }
    if let Some(cidr) = &ipam.cidr
        && !cidr.eq_ignore_ascii_case("usePodCIDR")
        && !is_strict_network(cidr)
    {
        let message = format!("`{}` is not a CIDR in its canonical form", short(cidr));
        findings
            .invalid(&INVALID, place.child("cidr"), message)
            .value(cidr.as_str())
            .help("write it like `10.0.0.0/16`, without host bits, or use `usePodCIDR`");
    }
}

fn check_scaling(scaling: &AutoScaling, place: &FieldPath, findings: &mut Findings) {
    check_one_of(&scaling.mode, SCALING_MODES, place.child("mode"), findings);
    let resources = &scaling.resources;
    check_resources(&resources.node, &place.descendant("resources.node"), findings);
    check_resources(&resources.typha, &place.descendant("resources.typha"), findings);
}

fn check_resources(
    resources: &BTreeMap<String, Option<Quantity>>,
    place: &FieldPath,
    findings: &mut Findings,
) {
    for (resource, quantity) in resources {
        // `null` is 0.
        let printed = quantity.as_ref().map_or("0".into(), Quantity::printed);
        let (message, help) = if !RESOURCES.contains(&resource.as_str()) {
            let message = format!("`{}` is neither `cpu` nor `memory`", short(resource));
            (message, Help::remove("remove it"))
        } else if quantity.as_ref().is_none_or(|it| it.nanos() <= 0) {
            let message = format!("`{resource}` is `{printed}`, which is not more than 0");
            (message, "use more than 0, or remove it".into())
        } else {
            continue;
        };
        findings.invalid(&INVALID, place.child_called(resource), message).value(printed).help(help);
    }
}

fn check_kube_proxy(shoot: &Shoot, config: &NetworkConfig, findings: &mut Findings) {
    let kube_proxy = &shoot.spec.kubernetes.kube_proxy;
    let is_disabled = kube_proxy.as_ref().is_some_and(|it| it.enabled == Some(false));
    if is_disabled && !config.ebpf_dataplane.enabled {
        findings
            .forbid(
                &NO_KUBE_PROXY,
                FieldPath::new("spec.kubernetes.kubeProxy.enabled"),
                "kube-proxy is disabled, but calico does not replace it",
            )
            .help(Help::remove("remove it, or set `ebpfDataplane.enabled: true` in `spec.networking.providerConfig`"));
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::empty("", MODES, "an empty value is unsupported")]
    #[case::backend("Off", BACKENDS, "the value `Off` is unsupported")]
    #[case::unknown_mode("x", VXLAN_MODES, "the value `x` is unsupported")]
    #[case::mode("Off", VXLAN_MODES, "the pool `vxlan` has no mode `Off`")]
    fn unsupported_value_is_shown(
        #[case] value: &str,
        #[case] allowed: &[&str],
        #[case] expected: &str,
    ) {
        assert_eq!(unsupported(value, allowed), expected);
    }
}
