// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, OUT_OF_RANGE, Part, REPEATED, Section, UNFITTING, UNSUPPORTED,
    check as check_form,
};
use crate::rules::shoot::node_network::{NO_WAY_BACK, addresses, mask_sizes, most_pods};
use crate::rules::shoot::static_validation::received;
use garden_gate_model::api::{Networking, Shoot};
use garden_gate_text::go::Network;

rule! {
    page: include_str!("networking_form.md"),
    id: "shoot/networking-form",
    summary: "rejects an invalid network type, CIDR or address family of a Shoot",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        MALFORMED, MISSING, OUT_OF_RANGE, REPEATED, UNFITTING, UNSUPPORTED,
        FAMILY = "shoot/range-of-other-family": "the address family of a CIDR differs from that of the Shoot",
        CANONICAL = "shoot/range-not-canonical": "a CIDR does not start at its network address",
        PODS = "shoot/too-few-addresses-per-node": "the pod CIDR of a node has fewer addresses than `maxPods`",
    },
    fixes: Safe,
    check: Judge(check),
}

const SECTION: Section = Section { kind: "Shoot", at: &["spec", "networking"], except: &[] };

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let (received, facts) = received(context, new);
    if context.request.is_template && received.at(SECTION.at).is_none() {
        // The section is only filled in for a Shoot.
        if !facts.workerless {
            let message = "`networking` is not set";
            let field = FieldPath::new("spec.networking");
            findings.required(&MISSING, field, message).help("set `networking`");
        }
        return;
    }
    let mut object = Cow::Borrowed(context.new_opened());
    if object.opened_at(SECTION.at).is_null()
        && let Some(spec) = object.to_mut().at(&["spec"]).and_then(|it| it.fields())
    {
        spec.entry("networking").complete(&serde_json::json!({}));
    }
    check_form(SECTION, &object, facts, findings);
    let networking = new.networking();
    for field in ["nodes", "pods", "services"] {
        if let Some(range) = received.at(&["spec", "networking", field]) {
            check_range(&range, &networking, findings);
        }
    }
    if !facts.workerless {
        check_masks(new, shoot.old, &networking, findings);
        check_max_pods(new, &networking, findings);
    }
}

fn check_range(range: &Part<'_>, networking: &Networking, findings: &mut Findings) {
    let text = range.text().unwrap_or_default();
    let Some(network) = Network::read(&text) else {
        return;
    };
    let family = if network.is_ipv6() { "IPv6" } else { "IPv4" };
    if networking.ip_families.len() < 2 && !networking.has(family) {
        let message = format!("`{text}` is a range of {family}, which the Shoot does not use");
        findings
            .invalid(&FAMILY, range.path().clone(), message)
            .help("write a range of the Shoot's family, or add the family to `ipFamilies`");
    }
    if !network.is_canonical() {
        let message = format!("`{text}` does not begin at the first address of the range");
        findings
            .invalid(&CANONICAL, range.path().clone(), message)
            .help(format!("write `{network}`"));
    }
}

/// The allowed mask sizes of the range of a node: for Shoots of IPv4, and of IPv6.
const MASKS: [(i32, i32); 2] = [(16, 28), (64, 124)];

fn manager_field(field: &'static str) -> FieldPath {
    FieldPath::new("spec.kubernetes.kubeControllerManager").child(field)
}

/// Checks the sizes after defaulting.
fn check_masks(
    shoot: &Shoot,
    old: Option<&Shoot>,
    networking: &Networking,
    findings: &mut Findings,
) {
    let [one, six] = mask_sizes(shoot);
    let (v4, v6) = (networking.has("IPv4"), networking.has("IPv6"));
    if let Some(one) = one {
        if v6 && !v4 && six.is_some() {
            let message = "a Shoot of IPv6 has one size of nodes' ranges";
            let field = manager_field("nodeCIDRMaskSize");
            let help = "remove one of both";
            findings.forbid(&UNFITTING, field, message).help(help);
        }
        if v4 != v6 {
            check_mask("nodeCIDRMaskSize", one, MASKS[usize::from(v6)], findings);
        }
    }
    let Some(six) = six else { return };
    if v6 {
        check_mask("nodeCIDRMaskSizeIPv6", six, MASKS[1], findings);
    } else {
        let is_stored = old.is_some_and(|old| mask_sizes(old)[1].is_some());
        let (message, help) = if is_stored {
            (NO_WAY_BACK[0], NO_WAY_BACK[1].into())
        } else {
            ("a Shoot of IPv4 has no size of nodes' ranges of IPv6", Help::remove("remove it"))
        };
        let field = manager_field("nodeCIDRMaskSizeIPv6");
        findings.forbid(&UNFITTING, field, message).help(help);
    }
}

fn check_mask(field: &'static str, size: i32, (least, most): (i32, i32), findings: &mut Findings) {
    if !(least..=most).contains(&size) {
        let message =
            format!("the size of a node's range is {size}, not between {least} and {most}");
        let help = "choose a size in between; the default depends on `maxPods`";
        let field = manager_field(field);
        findings.invalid(&OUT_OF_RANGE, field, message).help(help);
    }
}

fn check_max_pods(shoot: &Shoot, networking: &Networking, findings: &mut Findings) {
    let [Some(size), _] = mask_sizes(shoot) else {
        return;
    };
    let most = most_pods(shoot);
    if let Some(addresses) = addresses(size, !networking.has("IPv4"))
        && i128::from(most) > addresses
    {
        let message = format!("a node has {addresses} addresses for {most} pods");
        let field = manager_field("nodeCIDRMaskSize");
        let help = "lower `maxPods`, or `nodeCIDRMaskSize` of a new Shoot";
        findings.invalid(&PODS, field, message).help(help);
    }
}
