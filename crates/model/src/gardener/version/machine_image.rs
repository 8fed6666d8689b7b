// SPDX-License-Identifier: Apache-2.0
//! Compatibility of machine image versions: architectures, capabilities, updates in place.

use crate::api::{
    Capabilities, CapabilityDefinition, CloudProfileSpec, MachineImageVersion, MachineType,
};
use garden_gate_text::go::compare_versions;

const ARCHITECTURE: &str = "architecture";

/// Reports whether a version of a machine image runs on an architecture.
///
/// Uses the architectures of the capability flavors; without flavors, those that the profile defines, else the version's own list. An API
/// server has filled that list in if the flavors have no architecture, a manifest may lack it. Mirrors GetArchitecturesFromImageVersion
/// in `pkg/api/core/v1beta1/helper/cloudprofile.go`.
pub fn supports_architecture(
    version: &MachineImageVersion,
    spec: &CloudProfileSpec,
    architecture: &str,
) -> bool {
    let flavors = &version.capability_flavors;
    let mut named =
        flavors.iter().filter_map(|flavor| flavor.get(ARCHITECTURE)).flatten().peekable();
    if named.peek().is_some() {
        return named.any(|it| it == architecture);
    }
    let (defined, own) = (spec.defined_architectures(), &version.architectures);
    if !defined.is_empty() && (flavors.is_empty() || own.is_empty()) {
        defined.iter().any(|it| it == architecture)
    } else {
        own.iter().any(|it| *it == *architecture)
    }
}

/// Reports whether one of the version's flavors fits a machine type; without flavors every type fits.
///
/// Mirrors AreCapabilitiesSupportedByImageFlavors in `pkg/api/core/v1beta1/helper/cloudprofile.go`.
pub fn supports_capabilities(
    version: &MachineImageVersion,
    spec: &CloudProfileSpec,
    machine_type: &MachineType,
) -> bool {
    let flavors = &version.capability_flavors;
    let fits = |flavor: &Capabilities| {
        spec.machine_capabilities.iter().all(|definition| {
            let wanted = values(&machine_type.capabilities, definition);
            let offered = values(flavor, definition);
            offered.iter().any(|value| wanted.contains(value))
        })
    };
    flavors.is_empty() || flavors.iter().any(fits)
}

/// Returns the values of a capability; an omitted one has every value that the profile defines.
fn values<'a>(of: &'a Capabilities, definition: &'a CapabilityDefinition) -> &'a [String] {
    of.get(&definition.name).unwrap_or(&definition.values)
}

/// Reports whether nodes can be updated in place to a version.
///
/// `from` is their current version; it is absent for new nodes.
pub fn supports_in_place_update(version: &MachineImageVersion, from: Option<&str>) -> bool {
    let Some(updates) = version.in_place_updates.as_ref().filter(|it| it.supported) else {
        return false;
    };
    let Some(from) = from else { return true };
    let minimum = updates.min_version_for_update.as_deref();
    minimum.is_some_and(|minimum| compare_versions(minimum, "<=", from).unwrap_or(false))
}

/// Returns the architecture of a machine type, if it has exactly one.
///
/// Returns `None` for a type that the profile does not have.
///
/// Mirrors defaultWorkerArchitectures in `plugin/pkg/shoot/mutator/admission.go`.
pub fn architecture_of<'a>(spec: &'a CloudProfileSpec, machine_type: &str) -> Option<&'a str> {
    let mut types = spec.machine_types.iter();
    let machine_type = types.find(|it| it.name == machine_type)?;
    machine_type.architecture_within(spec.defined_architectures())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{supports_architecture, supports_capabilities};
    use crate::api::{CloudProfileSpec, MachineImageVersion, MachineType};

    fn spec(architectures: &[&str]) -> CloudProfileSpec {
        let architecture = json!({"name": "architecture", "values": architectures});
        let gpu = json!({"name": "gpu", "values": ["yes", "no"]});
        let definitions =
            if architectures.is_empty() { json!([]) } else { json!([architecture, gpu]) };
        serde_json::from_value(json!({"machineCapabilities": definitions})).unwrap()
    }

    #[rstest]
    #[case::flavors(&["amd64", "arm64"], json!({"architectures": ["amd64"], "capabilityFlavors": [{"architecture": ["arm64"]}]}), true)]
    #[case::no_flavors(&["amd64", "arm64"], json!({"architectures": ["amd64"]}), true)]
    #[case::silent_flavors(&["arm64"], json!({"architectures": ["amd64"], "capabilityFlavors": [{"gpu": ["yes"]}]}), false)]
    #[case::silent_flavors_of_a_manifest(&["arm64"], json!({"capabilityFlavors": [{"gpu": ["yes"]}]}), true)]
    #[case::no_capabilities(&[], json!({"architectures": ["arm64"]}), true)]
    #[case::nothing(&[], json!({}), false)]
    fn arm64(#[case] defined: &[&str], #[case] version: Value, #[case] supported: bool) {
        let version: MachineImageVersion = serde_json::from_value(version).unwrap();
        assert_eq!(supports_architecture(&version, &spec(defined), "arm64"), supported);
    }

    #[rstest]
    #[case::no_flavors(json!([]), json!({"gpu": ["yes"]}), true)]
    #[case::not_mentioned(json!([{"architecture": ["amd64"]}]), json!({"gpu": ["yes"]}), true)]
    #[case::other_value(json!([{"gpu": ["no"]}]), json!({"gpu": ["yes"]}), false)]
    #[case::second_flavor(json!([{"gpu": ["no"]}, {"gpu": ["yes"]}]), json!({"gpu": ["yes"]}), true)]
    #[case::no_value(json!([{"gpu": []}]), json!({}), false)]
    fn capabilities(#[case] flavors: Value, #[case] own: Value, #[case] supported: bool) {
        let version: MachineImageVersion =
            serde_json::from_value(json!({"capabilityFlavors": flavors})).unwrap();
        let machine_type: MachineType =
            serde_json::from_value(json!({"capabilities": own})).unwrap();
        let spec = spec(&["amd64"]);
        assert_eq!(supports_capabilities(&version, &spec, &machine_type), supported);
    }
}
