// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/apis/cilium/validation` and `pkg/admission/validator/shoot.go` of networking-cilium.

use core::net::IpAddr;

use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::extensions::{CommonFindings, Component, Failure};
use crate::rules::shared::lists::one_of;
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::cilium::{EXTENSION, KubeProxy, NetworkConfig};
use garden_gate_model::api::extensions::{ConfigurationPlace, ExtensionVersion};
use garden_gate_text::go::dns_subdomain_error;

rule! {
    page: include_str!("shoot.md"),
    id: "cilium/shoot",
    summary: "validates the configuration of the network extension cilium",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        UNDECODABLE = "cilium/undecodable": "the configuration of cilium cannot be decoded",
        FAILURE = "cilium/failure": "the admission component of cilium fails",
        INVALID = "cilium/invalid": "a value in the configuration of cilium is invalid",
    },
    fixes: Safe,
    check: Judge(check),
}

/// The first version with a validating webhook.
const VALIDATOR: ExtensionVersion = ExtensionVersion::new(1, 42);

const TUNNELS: &[&str] = &["vxlan", "geneve", "disabled"];
const STORES: &[&str] = &["kubernetes"];
const LOAD_BALANCING_MODES: &[&str] = &["snat", "dsr", "hybrid"];
/// Maximum length of the name of a network interface, in bytes.
const LONGEST_DEVICE: usize = 15;

fn check(context: &Context<'_>, change: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(shoot) = change.new.filter(|shoot| !shoot.is_workerless()) else {
        return;
    };
    let network = shoot.spec.networking.as_ref().and_then(|it| it.kind.as_deref());
    if network != Some("cilium") {
        return;
    }
    let common = CommonFindings { undecodable: &UNDECODABLE, failure: &FAILURE };
    let Some(component) = Component::begin(context, &EXTENSION, common, findings) else {
        return;
    };
    if component.version() < VALIDATOR {
        return;
    }
    let Some(document) = component.new_documents().at(ConfigurationPlace::Network) else {
        return;
    };
    let failure = Failure::without_field(&UNDECODABLE);
    if let Some(config) = component.decode(document, &failure, findings) {
        check_config(&config, findings);
    }
}

fn check_config(config: &NetworkConfig, findings: &mut Findings) {
    let place = FieldPath::new("spec.networking.providerConfig");
    check_kube_proxy(&config.kube_proxy, &place.child("kubeproxy"), findings);
    for (field, value, allowed) in [
        ("tunnel", &config.tunnel, TUNNELS),
        ("store", &config.store, STORES),
        ("loadBalancingMode", &config.load_balancing_mode, LOAD_BALANCING_MODES),
    ] {
        if let Some(value) = value.as_deref().filter(|it| !allowed.contains(it)) {
            let message = format!("`{value}` is no value of `{field}`");
            findings
                .invalid(&INVALID, place.child(field), message)
                .value(value)
                .help(one_of(value, allowed));
        }
    }
    if let Some(mtu) = config.mtu.filter(|mtu| *mtu < 0) {
        findings
            .invalid(&INVALID, place.child("mtu"), format!("`mtu` is {mtu}, which is less than 0"))
            .value(mtu)
            .help("use 0 or more");
    }
    for (index, device) in config.devices.iter().enumerate() {
        // `null` is an empty string.
        let device = device.as_deref().unwrap_or_default();
        check_device(device, place.child("devices").index(index), findings);
    }
    if let Some(device) = &config.direct_routing_device {
        check_device(device, place.child("directRoutingDevice"), findings);
    }
    let encryption = &config.encryption;
    if encryption.enabled && encryption.strict_mode && encryption.mode != "wireguard" {
        let message = format!("the mode `{}` has no strict mode", encryption.mode);
        findings
            .invalid(&INVALID, place.descendant("encryption.mode"), message)
            .value(encryption.mode.as_str())
            .help("use `wireguard`, or remove `strictMode`");
    }
}

fn check_kube_proxy(kube_proxy: &KubeProxy, place: &FieldPath, findings: &mut Findings) {
    if let Some(host) = &kube_proxy.service_host
        && host.parse::<IpAddr>().is_err()
        && dns_subdomain_error(host).is_some()
    {
        let message = format!("`{host}` is neither an IP address nor a DNS name");
        findings
            .invalid(&INVALID, place.child("k8sServiceHost"), message)
            .value(host.as_str())
            .help("write it like `api.example.com` or `10.0.0.1`");
    }
    if let Some(port) = kube_proxy.service_port.filter(|port| !(1..=65535).contains(port)) {
        let message = format!("{port} is no port");
        findings
            .invalid(&INVALID, place.child("k8sServicePort"), message)
            .value(port)
            .help("use a number between 1 and 65535");
    }
}

/// Checks the name of a network interface.
fn check_device(device: &str, place: FieldPath, findings: &mut Findings) {
    // `\s` in Go's regular expressions is ASCII white space without vertical tabs.
    let is_space = |c: char| matches!(c, '\t' | '\n' | '\u{c}' | '\r' | ' ');
    let is_valid = (1..=LONGEST_DEVICE).contains(&device.len())
        && !device.contains(|c| c == '/' || is_space(c));
    if !is_valid {
        findings
            .invalid(&INVALID, place, format!("`{device}` is no name of a network interface"))
            .value(device)
            .help(format!(
                "use at most {LONGEST_DEVICE} bytes without `/` and white space, such as `eth0`"
            ));
    }
}
