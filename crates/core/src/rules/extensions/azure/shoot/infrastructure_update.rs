// SPDX-License-Identifier: Apache-2.0
//! Immutable fields of the infrastructure. Source: `pkg/apis/azure/validation/infrastructure.go`.

use std::collections::{BTreeSet, HashMap};

use super::judged::{CHECKS_IN_PLACE, IMMUTABLE, Judged, in_infrastructure};
use super::nat_gateway::STANDARD;
use crate::admission::{ErrorType, FieldPath, Findings, Help};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::azure::infrastructure::{InfrastructureConfig, VNet, Zone};
use garden_gate_text::go::Network;

const KEEP: &str = "restore the previous value";

/// Checks the changes of the configuration of the stored Shoot `old`.
pub(super) fn check(
    judged: &Judged<'_>,
    (old, old_config): (&Shoot, &InfrastructureConfig),
    findings: &mut Findings,
) {
    let new = judged.infrastructure;
    if new == old_config {
        return;
    }
    let update = Update { version: judged.version, new, old: old_config };
    update.check_equal(findings);
    if judged.version >= CHECKS_IN_PLACE
        && old.spec.provider.workers.iter().any(|it| it.is_in_place())
    {
        update.check_in_place(findings);
    }
    update.check_layout(findings);
    update.check_vnet(findings);
    update.check_gateways(findings);
}

/// A change of a configuration.
struct Update<'u> {
    version: ExtensionVersion,
    new: &'u InfrastructureConfig,
    old: &'u InfrastructureConfig,
}

impl Update<'_> {
    /// Returns the place of a field, whose path begins with `metadata` in earlier versions.
    fn place(&self, dotted: &'static str) -> ReportedPath {
        let mut place = in_infrastructure(dotted);
        if self.version < CHECKS_IN_PLACE {
            place.own = FieldPath::new("metadata").descendant(dotted);
        }
        place
    }

    fn check_equal(&self, findings: &mut Findings) {
        let [new, old] = [&self.new.networks, &self.old.networks];
        let is_single = new.zones.is_empty() && old.zones.is_empty();
        let has_workers = new.workers.is_some() && old.workers.is_some();
        for (field, is_changed) in [
            ("resourceGroup", self.new.resource_group != self.old.resource_group),
            ("networks.workers", (is_single || has_workers) && new.workers != old.workers),
            ("zoned", self.new.zoned != self.old.zoned),
        ] {
            if is_changed {
                let message = format!("`{field}` is immutable");
                report(&self.place(field), message, KEEP, findings);
            }
        }
    }

    /// Checks the fields that a cluster with pools that are updated in place keeps.
    fn check_in_place(&self, findings: &mut Findings) {
        let are_same = |[new, old]: [&[Zone]; 2]| {
            let (new, old) = (new.iter().map(normalised), old.iter().map(normalised));
            new.eq(old)
        };
        let zones = [&*self.new.networks.zones, &*self.old.networks.zones];
        for (field, is_changed) in [
            ("identity", self.new.identity != self.old.identity),
            ("networks.zones", !are_same(zones)),
        ] {
            if is_changed {
                let message = format!("`{field}` is immutable, because a pool is updated in place");
                report(&self.place(field), message, KEEP, findings);
            }
        }
    }

    /// Checks changes between a single subnet and subnets in zones.
    fn check_layout(&self, findings: &mut Findings) {
        let [new, old] = [&self.new.networks, &self.old.networks];
        let mut forbid = |field, message: String, help: String| {
            self.place(field)
                .report((&IMMUTABLE, ErrorType::Forbidden), message, findings)
                .help(help);
        };
        match (old.zones.is_empty(), new.zones.is_empty()) {
            (true, true) => {}
            (true, false) => {
                // The component panics without it.
                let workers = old.workers.as_deref().unwrap_or_default();
                if !new.zones.iter().any(|it| it.cidr == workers) {
                    let message = format!("no zone has the previous CIDR `{}`", short(workers));
                    let help = format!("set `cidr: {}` in one of the zones", short(workers));
                    forbid("networks.zones", message, help);
                }
            }
            (false, true) => {
                let message = "subnets in zones cannot be replaced with a single subnet";
                let help = "restore `networks.zones`, and remove `networks.workers`";
                forbid("networks.worker", message.to_owned(), help.to_owned());
            }
            (false, false) => {
                if old.zones.len() > new.zones.len() {
                    let removed = old.zones.len() - new.zones.len();
                    let message = format!("zones cannot be removed, but there are {removed} fewer");
                    forbid("networks.zones", message, "add the removed zones again".to_owned());
                }
                self.check_zone_cidrs(findings);
            }
        }
    }

    fn check_zone_cidrs(&self, findings: &mut Findings) {
        let known = self.of_old_zones(|it| Some(it.cidr.as_str()));
        for (index, zone) in self.new.networks.zones.iter().enumerate() {
            if let Some(old) =
                known.get(&zone.name).into_iter().flatten().find(|it| **it != zone.cidr)
            {
                findings.report_lazily(&IMMUTABLE, |findings| {
                    let place = self.place("networks.zones").index(index).child("cidr");
                    let message = format!("`cidr` of zone {} is immutable", zone.name);
                    let help = format!("restore `cidr: {}`", short(old));
                    report(&place, message, &help, findings);
                });
            }
        }
    }

    /// Returns values of the stored zones, by their names; a name can occur more than once.
    fn of_old_zones(&self, value: impl Fn(&Zone) -> Option<&str>) -> HashMap<i32, BTreeSet<&str>> {
        let mut values: HashMap<i32, BTreeSet<&str>> = HashMap::new();
        for zone in &self.old.networks.zones {
            values.entry(zone.name).or_default().extend(value(zone));
        }
        values
    }

    fn check_vnet(&self, findings: &mut Findings) {
        let [new, old] = [&self.new.networks.vnet, &self.old.networks.vnet];
        let is_existing = |it: &VNet| it.name.is_some() && it.resource_group.is_some();
        let is_absent =
            |it: &VNet| it.cidr.is_none() && it.name.is_none() && it.resource_group.is_none();
        if is_existing(old) || is_absent(old) {
            for (field, is_changed) in [
                ("networks.vnet.name", new.name != old.name),
                ("networks.vnet.resourceGroup", new.resource_group != old.resource_group),
            ] {
                if is_changed {
                    let message = format!("`{field}` is immutable");
                    report(&self.place(field), message, KEEP, findings);
                }
            }
            return;
        }
        let place = || self.place("networks.vnet.cidr");
        let message = match (&old.cidr, &new.cidr) {
            (Some(_), None) => "the CIDR of the virtual network cannot be removed".to_owned(),
            (Some(old), Some(new)) if is_smaller(new, old) => format!(
                "the CIDR of the virtual network can only be expanded, but `{}` is not within `{}`",
                short(old),
                short(new)
            ),
            _ => return,
        };
        report(&place(), message, KEEP, findings);
    }

    /// Checks that NAT gateways keep their SKU.
    fn check_gateways(&self, findings: &mut Findings) {
        let [new, old] = [&self.new.networks, &self.old.networks];
        if let (Some(new), Some(old)) = (&new.nat_gateway, &old.nat_gateway)
            && sku(new.sku.as_ref()) != sku(old.sku.as_ref())
        {
            let place = self.place("networks.natGateway.sku");
            report(&place, SKU.to_owned(), KEEP, findings);
        }
        let known = self.of_old_zones(|it| Some(sku(it.nat_gateway.as_ref()?.sku.as_ref())));
        for (index, zone) in new.zones.iter().enumerate() {
            let Some(gateway) = &zone.nat_gateway else {
                continue;
            };
            let mut old = known.get(&zone.name).into_iter().flatten();
            if old.any(|it| *it != sku(gateway.sku.as_ref())) {
                findings.report_lazily(&IMMUTABLE, |findings| {
                    let place =
                        self.place("networks.zones").index(index).descendant("natGateway.sku");
                    report(&place, SKU.to_owned(), KEEP, findings);
                });
            }
        }
    }
}

const SKU: &str = "the SKU of a NAT gateway is immutable";

fn sku(written: Option<&String>) -> &str {
    written.map_or(STANDARD, String::as_str)
}

/// Reports whether a CIDR does not contain another one; malformed ones are reported elsewhere.
fn is_smaller(new: &str, old: &str) -> bool {
    match (Network::read(new), Network::read(old)) {
        (Some(new), Some(old)) => !new.contains(&old),
        _ => false,
    }
}

/// Returns a zone in which empty lists are absent.
fn normalised(zone: &Zone) -> Zone {
    let mut zone = zone.clone();
    if let Some(gateway) = &mut zone.nat_gateway
        && gateway.ip_addresses.as_ref().is_some_and(Vec::is_empty)
    {
        gateway.ip_addresses = None;
    }
    zone
}

fn report(place: &ReportedPath, message: String, help: impl Into<Help>, findings: &mut Findings) {
    place.report((&IMMUTABLE, ErrorType::Invalid), message, findings).help(help);
}
