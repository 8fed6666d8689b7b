// SPDX-License-Identifier: Apache-2.0
//! The profile of a Shoot: its zones, and its mapping of machine images.

use std::collections::HashSet;

use super::judged::{FAILURE, Judged, UNDECODABLE, ZONES};
use crate::admission::{ErrorType, FieldPath, Findings};
use crate::rules::extensions::Component;
use crate::rules::extensions::provider_shoots::decode_profile;
use crate::rules::shared::effective_profile::EffectiveProfile;
use crate::rules::shared::lists::{short, use_one_of};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::CloudProfileSpec;
use garden_gate_model::api::KeptConfiguration;
use garden_gate_model::api::extensions::aws::cloud_profile::{CloudProfileConfig, MachineImages};
use garden_gate_model::api::extensions::aws::infrastructure::InfrastructureConfig;

/// The machine images that a profile maps to AMIs.
pub(super) enum Mapping {
    Known(Vec<MachineImages>),
    /// The garden does not contain it.
    Unknown,
}

/// Decodes the `providerConfig` of a profile; `None` if the component fails.
pub(super) fn mapping(
    component: &Component<'_, '_>,
    profile: &EffectiveProfile,
    findings: &mut Findings,
) -> Option<Mapping> {
    let place = FieldPath::new("spec.cloudProfile");
    let name = profile.cloud_profile();
    let text = match &profile.spec().provider_config {
        KeptConfiguration::Unknown => {
            return Some(Mapping::Unknown);
        }
        KeptConfiguration::Absent => {
            let message = format!(
                "`admission-aws` panics, because CloudProfile `{}` has no `providerConfig`",
                short(name)
            );
            findings
                .report(&FAILURE, ErrorType::Panic, FieldPath::root(), message)
                .at(&place)
                .help("use another profile, or let a garden operator add its `providerConfig`");
            return None;
        }
        KeptConfiguration::Text(text) => text,
    };
    let mut images = decoded(component, text, name, &place, findings)?;
    if let EffectiveProfile::Namespaced(profile, Some(_)) = profile
        && let Some(own) = &profile.spec.provider_config
    {
        let name = &profile.metadata.name;
        images.extend(decoded(component, own.get(), name, &place, findings)?);
    }
    Some(Mapping::Known(images))
}

fn decoded(
    component: &Component<'_, '_>,
    text: &str,
    name: &str,
    place: &FieldPath,
    findings: &mut Findings,
) -> Option<Vec<MachineImages>> {
    let config: CloudProfileConfig =
        decode_profile(component, (text, false), (name, place, &UNDECODABLE), findings)?;
    Some(config.machine_images)
}

/// Checks that new and changed zones are available in the region, once each.
pub(super) fn check_zones(
    judged: &Judged<'_>,
    old: Option<&InfrastructureConfig>,
    profile: &CloudProfileSpec,
    findings: &mut Findings,
) {
    let mut regions = profile.regions.iter();
    let Some(region) = regions.find(|it| it.name == judged.shoot.spec.region) else {
        return;
    };
    let names = || region.zones.iter().map(|it| it.name.as_str());
    let known: HashSet<&str> = names().collect();
    let mut used = HashSet::new();
    let stored = old.map_or(&[][..], |it| &it.networks.zones);
    for (index, zone) in judged.infrastructure.networks.zones.iter().enumerate() {
        let is_new = used.insert(zone.name.as_str());
        if stored.get(index) == Some(zone) {
            continue;
        }
        let config = FieldPath::new("spec.provider.infrastructureConfig");
        let at = |list| config.descendant(list).index(index).child("name");
        let place = || ReportedPath { own: at("network.zones"), real: at("networks.zones") };
        if !known.contains(zone.name.as_str()) {
            findings.report_lazily(&ZONES, |findings| {
                let message = format!(
                    "zone `{}` is not available in region `{}`",
                    short(&zone.name),
                    short(&region.name)
                );
                place()
                    .report((&ZONES, ErrorType::NotSupported), message, findings)
                    .value(zone.name.as_str())
                    .help(use_one_of(names()));
            });
        }
        if !is_new {
            findings.report_lazily(&ZONES, |findings| {
                let message = format!("zone `{}` is a duplicate", short(&zone.name));
                place()
                    .report((&ZONES, ErrorType::Duplicate), message, findings)
                    .value(zone.name.as_str())
                    .help("remove one of the two");
            });
        }
    }
}
