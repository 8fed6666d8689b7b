//! What a machine image version fits: architectures, capabilities of machine types, updates in place.

use crate::compat::compare_versions;
use crate::model::{Capabilities, CloudProfileSpec, MachineImageVersion, MachineType};

const ARCHITECTURE: &str = "architecture";

/// Whether a version of a machine image runs on an architecture.
///
/// What the capability flavors say counts, else what the profile defines, else the version's own list. Mirrors
/// GetArchitecturesFromImageVersion in `pkg/api/core/v1beta1/helper/cloudprofile.go`.
#[must_use]
pub fn supports_architecture(
    version: &MachineImageVersion,
    spec: &CloudProfileSpec,
    architecture: &str,
) -> bool {
    let contains = |list: &[String]| list.iter().any(|it| it == architecture);
    let mut flavors = version
        .capability_flavors
        .iter()
        .filter_map(|flavor| flavor.get(ARCHITECTURE))
        .filter(|values| !values.is_empty())
        .peekable();
    if flavors.peek().is_some() {
        return flavors.any(|values| contains(values));
    }
    match spec.defined_architectures() {
        [] => contains(&version.architectures),
        defined => contains(defined),
    }
}

/// Whether one of the version's capability flavors fits a machine type; without flavors every machine type fits.
///
/// Mirrors AreCapabilitiesSupportedByCapabilityFlavors in `pkg/api/core/v1beta1/helper/cloudprofile.go`.
#[must_use]
pub fn supports_capabilities(
    version: &MachineImageVersion,
    spec: &CloudProfileSpec,
    machine_type: &MachineType,
) -> bool {
    let flavors = &version.capability_flavors;
    let fits = |flavor: &Capabilities| {
        spec.machine_capabilities.iter().all(|definition| {
            let values = |of: &Capabilities| {
                let own = of.get(&definition.name).filter(|own| !own.is_empty());
                own.unwrap_or(&definition.values).clone()
            };
            let wanted = values(&machine_type.capabilities);
            values(flavor).iter().any(|value| wanted.contains(value))
        })
    };
    flavors.is_empty() || flavors.iter().any(fits)
}

/// Whether nodes can be updated in place to a version: new ones (`from` absent), or from another version.
#[must_use]
pub fn supports_in_place_update(version: &MachineImageVersion, from: Option<&str>) -> bool {
    let Some(updates) = version.in_place_updates.as_ref().filter(|it| it.supported) else {
        return false;
    };
    let Some(from) = from else { return true };
    let minimum = updates.min_version_for_update.as_deref();
    minimum.is_some_and(|minimum| compare_versions(minimum, "<=", from).unwrap_or(false))
}

/// The architecture of machines of a type, where it has exactly one; `None` for a type that the profile does not have.
///
/// Mirrors defaultWorkerArchitectures in `plugin/pkg/shoot/mutator/admission.go`.
#[must_use]
pub fn architecture_of<'a>(spec: &'a CloudProfileSpec, machine_type: &str) -> Option<&'a str> {
    let machine_type = spec
        .machine_types
        .iter()
        .find(|it| it.name == machine_type)?;
    let own = machine_type.capabilities.get(ARCHITECTURE);
    let values = own.map(Vec::as_slice).filter(|own| !own.is_empty());
    match values.unwrap_or(spec.defined_architectures()) {
        [only] => Some(only),
        _ => machine_type.architecture.as_deref(),
    }
}
