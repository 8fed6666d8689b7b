// SPDX-License-Identifier: Apache-2.0
//! The AMIs of machine images. Source: `pkg/apis/aws/helper/helper.go`.

use std::collections::HashMap;

use super::judged::{IMAGE, Judged};
use super::profile::Mapping;
use crate::admission::{ErrorType, FieldPath, Findings};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::aws::cloud_profile::{
    MachineImageFlavor, MachineImageVersion, MachineImages, RegionAMIMapping,
};
use garden_gate_model::api::{
    Capabilities, CapabilityDefinition, CloudProfileSpec, MachineType, Worker,
};

/// The first version that compares machine images with the profile.
const CHECKS_IMAGES: ExtensionVersion = ExtensionVersion::new(1, 56);
/// The first version that judges profiles with capabilities like the newest one.
const CHECKS_CAPABILITIES: ExtensionVersion = ExtensionVersion::new(1, 69);
const ARCHITECTURE: &str = "architecture";
const DEFAULT_ARCHITECTURE: &str = "amd64";

/// The profile, with its entries by name.
struct ProfileIndex<'p> {
    region: &'p str,
    definitions: Vec<CapabilityDefinition>,
    types: HashMap<&'p str, &'p MachineType>,
    versions: HashMap<[&'p str; 2], Vec<&'p MachineImageVersion>>,
}

/// Checks that the image of each worker pool is mapped to an AMI in the region.
///
/// An API server compares pointers to images, so that unchanged pools are checked on UPDATE, too.
pub(super) fn check(
    judged: &Judged<'_>,
    mapping: &Mapping,
    profile: &CloudProfileSpec,
    findings: &mut Findings,
) {
    let shoot = judged.shoot;
    let has_capabilities = !profile.machine_capabilities.is_empty();
    let is_checked = judged.version >= CHECKS_IMAGES
        && (!has_capabilities || judged.version >= CHECKS_CAPABILITIES);
    if !is_checked || shoot.metadata.deletion_timestamp.is_some() {
        return;
    }
    let Mapping::Known(images) = mapping else {
        let place = FieldPath::new("spec.provider.workers");
        let message = "cannot tell whether the machine images have AMIs: the garden does not contain the `providerConfig` of the profile";
        findings.undetermined(&place, message);
        return;
    };
    let known = ProfileIndex::of(&shoot.spec.region, images, profile);
    let mut verdicts = HashMap::new();
    for (index, pool) in shoot.spec.provider.workers.iter().enumerate() {
        let place = || ReportedPath::same(FieldPath::new("spec.provider.workers").index(index));
        let Some(machine_type) = known.types.get(pool.machine.machine_type.as_str()) else {
            let name = &pool.machine.machine_type;
            let message = format!("the profile has no machine type `{}`", short(name));
            place()
                .descendant("machine.type")
                .report((&IMAGE, ErrorType::Invalid), message, findings)
                .value(name.as_str())
                .help("use a machine type of the profile");
            continue;
        };
        let Some(image) = &pool.machine.image else {
            continue;
        };
        let key = (
            [image.name.as_str(), image.version.as_str()],
            pool.machine.machine_type.as_str(),
            pool.machine.architecture.as_deref(),
        );
        let verdict = verdicts.entry(key);
        let is_mapped = *verdict.or_insert_with(|| known.maps(key.0, machine_type, pool));
        if !is_mapped {
            let message = format!(
                "the profile maps image `{}` {} to no AMI in region `{}` for machine type `{}`",
                short(&image.name),
                short(&image.version),
                short(&shoot.spec.region),
                short(&pool.machine.machine_type)
            );
            place()
                .descendant("machine.image")
                .report((&IMAGE, ErrorType::Invalid), message, findings)
                .help("use another version or machine type, or let a garden operator add the AMI to the profile");
        }
    }
}

impl<'p> ProfileIndex<'p> {
    fn of(region: &'p str, images: &'p [MachineImages], profile: &'p CloudProfileSpec) -> Self {
        let mut types = HashMap::new();
        for it in &profile.machine_types {
            types.entry(it.name.as_str()).or_insert(it);
        }
        let mut versions: HashMap<_, Vec<_>> = HashMap::new();
        for image in images {
            for version in &image.versions {
                let key = [image.name.as_str(), version.version.as_str()];
                versions.entry(key).or_default().push(version);
            }
        }
        let mut definitions = profile.machine_capabilities.clone();
        if definitions.is_empty() {
            definitions.push(CapabilityDefinition {
                name: ARCHITECTURE.to_owned(),
                values: ["amd64", "arm64"].map(ToOwned::to_owned).to_vec(),
            });
        }
        Self { region, definitions, types, versions }
    }

    /// Reports whether a version of an image has an AMI for a machine type.
    fn maps(&self, version: [&str; 2], machine_type: &MachineType, pool: &Worker) -> bool {
        let machine = self.capabilities(machine_type, pool);
        let versions = self.versions.get(&version).into_iter().flatten();
        let is_in_region = |it: &RegionAMIMapping| it.name == self.region && !it.ami.is_empty();
        let fits = |flavor: &Capabilities| self.are_compatible(flavor, &machine);
        for version in versions {
            let has_flavor = |flavor: &MachineImageFlavor| {
                flavor.regions.iter().any(is_in_region) && fits(&flavor.capabilities)
            };
            let has_plain = |it: &RegionAMIMapping| {
                let architecture = it.architecture.as_deref().unwrap_or(DEFAULT_ARCHITECTURE);
                is_in_region(it) && fits(&of_architecture(architecture))
            };
            if version.capability_flavors.iter().any(has_flavor)
                || version.regions.iter().any(has_plain)
            {
                return true;
            }
        }
        false
    }

    /// Returns the capabilities of a machine type, with its architecture.
    fn capabilities(&self, machine_type: &MachineType, pool: &Worker) -> Capabilities {
        let mut capabilities = machine_type.capabilities.clone();
        let mut definitions = self.definitions.iter();
        let defined = definitions.find(|it| it.name == ARCHITECTURE);
        let architecture = match defined.map(|it| it.values.as_slice()) {
            Some([only]) => only.as_str(),
            _ => {
                let own = pool.machine.architecture.as_deref();
                own.unwrap_or(DEFAULT_ARCHITECTURE)
            }
        };
        let entry = capabilities.entry(ARCHITECTURE.to_owned());
        entry.or_insert_with(|| vec![architecture.to_owned()]);
        capabilities
    }

    fn are_compatible(&self, flavor: &Capabilities, machine: &Capabilities) -> bool {
        self.definitions.iter().all(|definition| {
            let [wanted, offered] =
                [machine, flavor].map(|it| it.get(&definition.name).unwrap_or(&definition.values));
            offered.iter().any(|it| wanted.contains(it))
        })
    }
}

fn of_architecture(architecture: &str) -> Capabilities {
    Capabilities::from([(ARCHITECTURE.to_owned(), vec![architecture.to_owned()])])
}
