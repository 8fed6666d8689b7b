// SPDX-License-Identifier: Apache-2.0
use crate::api::{Capabilities, CloudProfileSpec, MachineImageVersion};

const ARCHITECTURE: &str = "architecture";

/// Synchronizes architectures and capabilities on an UPDATE, as the API server does before validation.
///
/// Mirrors SyncArchitectureCapabilityFields in `pkg/utils/gardener/cloudprofile.go`.
pub fn sync_architectures(new: &mut CloudProfileSpec, old: &CloudProfileSpec) {
    let defined = new.defined_architectures().to_vec();
    let has_capabilities = !new.machine_capabilities.is_empty();
    let had_capabilities = !old.machine_capabilities.is_empty();
    let begins = has_capabilities && !had_capabilities && defined.len() > 1;
    let versions = new.machine_images.iter_mut();
    for version in versions.flat_map(|image| &mut image.versions) {
        if begins && version.capability_flavors.is_empty() {
            version.capability_flavors = flavors(version);
        }
        if has_capabilities && version.architectures.is_empty() {
            version.architectures = version.architectures_within(&defined);
        } else if !has_capabilities && had_capabilities {
            version.capability_flavors.clear();
        }
    }
    for machine_type in &mut new.machine_types {
        if begins && machine_type.capabilities.is_empty() {
            let architecture = machine_type.architecture.clone();
            machine_type.capabilities = capability(&architecture.unwrap_or_else(|| "amd64".into()));
        }
        if has_capabilities && machine_type.architecture.is_none() {
            let architecture = machine_type.architecture_within(&defined);
            machine_type.architecture = architecture.map(ToOwned::to_owned);
        } else if !has_capabilities && had_capabilities {
            machine_type.capabilities.clear();
        }
    }
}

fn capability(architecture: &str) -> Capabilities {
    Capabilities::from([(ARCHITECTURE.to_owned(), vec![architecture.to_owned()])])
}

/// Returns one flavor per architecture; `amd64` if none is given.
fn flavors(version: &MachineImageVersion) -> Vec<Capabilities> {
    if version.architectures.is_empty() {
        return vec![capability("amd64")];
    }
    version.architectures.iter().map(|a| capability(a)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::api::CloudProfileSpec;

    fn synced(new: &Value, old: &Value) -> CloudProfileSpec {
        let [mut new, old] = [new, old].map(|spec| serde_json::from_value(spec.clone()).unwrap());
        super::sync_architectures(&mut new, &old);
        new
    }

    fn capabilities() -> Value {
        json!([{"name": "architecture", "values": ["amd64", "arm64"]}])
    }

    #[test]
    fn the_first_capabilities_are_made_of_the_architectures() {
        let old = json!({"machineImages": [{"versions": [{"architectures": ["amd64", "arm64"]}]}], "machineTypes": [{"architecture": "arm64"}]});
        let mut new = old.clone();
        new["machineCapabilities"] = capabilities();
        let new = synced(&new, &old);
        let flavors = &new.machine_images[0].versions[0].capability_flavors;
        assert_eq!(
            json!(flavors),
            json!([{"architecture": ["amd64"]}, {"architecture": ["arm64"]}])
        );
        assert_eq!(new.machine_types[0].capabilities["architecture"], ["arm64"]);
    }

    #[test]
    fn architectures_follow_the_capabilities() {
        let spec = json!({
            "machineCapabilities": capabilities(),
            "machineImages": [{"versions": [{"capabilityFlavors": [{"architecture": ["arm64"]}]}]}],
        });
        let new = synced(&spec, &spec);
        assert_eq!(new.machine_images[0].versions[0].architectures, ["arm64"]);
    }

    #[test]
    fn a_flavor_without_an_architecture_has_every_one() {
        let spec = json!({
            "machineCapabilities": capabilities(),
            "machineImages": [{"versions": [{"capabilityFlavors": [{"architecture": ["arm64"]}, {}]}, {}]}],
            "machineTypes": [{}, {"capabilities": {"architecture": ["arm64"]}}],
        });
        let new = synced(&spec, &spec);
        let versions = &new.machine_images[0].versions;
        assert_eq!(versions[0].architectures, ["arm64", "amd64"]);
        assert_eq!(versions[1].architectures, ["amd64", "arm64"]);
        let types: Vec<_> = new.machine_types.iter().map(|it| it.architecture.as_deref()).collect();
        assert_eq!(types, [None, Some("arm64")]);
    }

    #[test]
    fn flavors_go_with_the_capabilities() {
        let old = json!({"machineCapabilities": capabilities()});
        let new = json!({"machineImages": [{"versions": [{"capabilityFlavors": [{"architecture": ["arm64"]}]}]}]});
        let new = synced(&new, &old);
        assert!(new.machine_images[0].versions[0].capability_flavors.is_empty());
    }
}
