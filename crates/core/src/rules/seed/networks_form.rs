// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, FindingKind, Findings, rule};
use crate::rules::shared::reserved_ranges::conflicts_with_reserved;
use crate::rules::shared::validation::{
    Facts, MALFORMED, OUT_OF_RANGE, Part, REPEATED, Section, UNSUPPORTED, check as check_form,
};
use garden_gate_model::api::Seed;
use garden_gate_text::go::Network;

rule! {
    page: include_str!("networks_form.md"),
    id: "seed/networks-form",
    summary: "rejects invalid, overlapping or reserved CIDRs of a Seed",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Seed [Create, Update]],
    findings: {
        MALFORMED, OUT_OF_RANGE, REPEATED, UNSUPPORTED,
        FAMILY = "seed/range-of-other-family": "the address family of a CIDR differs from that of the Seed",
        OVERLAP = "seed/ranges-overlap": "two CIDRs of the Seed overlap",
        RESERVED = "seed/range-reserved": "a CIDR overlaps a range that Gardener reserves",
    },
    fixes: Safe,
    check: Judge(check),
}

const SECTION: Section = Section { kind: "Seed", at: &["spec", "networks"], except: &[] };

/// A range with its path.
struct Range {
    network: Network,
    text: String,
    field: FieldPath,
}

fn check(context: &Context<'_>, _: Change<'_, Seed>, findings: &mut Findings) {
    for at in sections(context) {
        let section = Section { at, ..SECTION };
        check_form(section, context.new_opened(), Facts::without_shoot(context), findings);
    }
    let seed = Part::whole(context.new_opened());
    let Some(networks) = seed.at(SECTION.at) else {
        return;
    };
    let [pods, services, nodes] =
        ["pods", "services", "nodes"].map(|field| range(&networks, &[field]));
    let defaults = ["pods", "services"].map(|field| range(&networks, &["shootDefaults", field]));
    let own: Vec<&Range> = [&pods, &services, &nodes].into_iter().flatten().collect();
    let defaults: Vec<&Range> = defaults.iter().flatten().collect();
    check_families(&networks, own.iter().chain(&defaults), findings);
    if let Some(services) = &services {
        check_size(services, findings);
    }
    // Overlaps are checked only if each range is valid.
    if findings.is_empty() {
        check_overlaps(&own, &defaults, findings);
        for range in own.iter().chain(&defaults) {
            for message in conflicts_with_reserved(&range.text, &range.network) {
                range.refuse(&RESERVED, message, findings);
            }
        }
    }
}

/// Returns the parts to validate: networks that a template omits are filled in later.
fn sections(context: &Context<'_>) -> Vec<&'static [&'static str]> {
    const FIELDS: [&[&str]; 5] = [
        &["spec", "networks", "nodes"],
        &["spec", "networks", "pods"],
        &["spec", "networks", "services"],
        &["spec", "networks", "ipFamilies"],
        &["spec", "networks", "shootDefaults"],
    ];
    if !context.request.is_template {
        return vec![SECTION.at];
    }
    let is_filled_in = |at: &[&str]| {
        let value = context.new_opened().opened_at(at);
        value.is_null() || value.is_empty() && at != FIELDS[0]
    };
    FIELDS.into_iter().filter(|at| !is_filled_in(at)).collect()
}

fn range(networks: &Part<'_>, path: &[&'static str]) -> Option<Range> {
    let part = networks.at(path)?;
    let text = part.text()?;
    Some(Range { network: Network::read(&text)?, text, field: part.path().clone() })
}

impl Range {
    fn refuse(&self, kind: &'static FindingKind, message: String, findings: &mut Findings) {
        let (field, help) = (self.field.clone(), "choose another range");
        findings.invalid(kind, field, message).help(help);
    }
}

/// Checks the address families; with two families each range may be of either.
fn check_families<'a>(
    networks: &Part<'_>,
    ranges: impl Iterator<Item = &'a &'a Range>,
    findings: &mut Findings,
) {
    let families = networks.texts_at(&["ipFamilies"]);
    let is_ipv6 = families.first().is_some_and(|(_, first)| first == "IPv6");
    if families.len() == 2 {
        return;
    }
    let family = if is_ipv6 { "IPv6" } else { "IPv4" };
    for range in ranges.filter(|it| it.network.is_ipv6() != is_ipv6) {
        let message = format!("`{}` is no range of {family}, the Seed's family", range.text);
        range.refuse(&FAMILY, message, findings);
    }
}

/// Minimum prefix length of the service range.
///
/// Each service has an address for kube-apiservers in a reserved range.
const LARGEST: u8 = 8;

fn check_size(services: &Range, findings: &mut Findings) {
    if !services.network.is_ipv6() && services.network.prefix() < LARGEST {
        let message = format!("`{}` is larger than a /{LARGEST}", services.text);
        services.refuse(&OUT_OF_RANGE, message, findings);
    }
}

fn check_overlaps(own: &[&Range], defaults: &[&Range], findings: &mut Findings) {
    let both = |ranges: &[&Range], other: &Range, findings: &mut Findings| {
        for range in ranges.iter().filter(|it| it.network.intersects(&other.network)) {
            let message = format!("`{}` overlaps `{}`, `{}`", other.text, range.text, range.field);
            other.refuse(&OVERLAP, message, findings);
        }
    };
    for ranges in [own, defaults] {
        for (index, range) in ranges.iter().enumerate() {
            both(&ranges[..index], range, findings);
        }
    }
    for range in defaults.iter().filter(|it| it.network.is_ipv6()) {
        both(own, range, findings);
    }
}
