// SPDX-License-Identifier: Apache-2.0
use crate::api::{CloudProfile, Cri, MachineImageVersion};

const AMD64: &str = "amd64";

/// Defaults a CloudProfile. Mirrors `pkg/apis/core/v1beta1/defaults_cloudprofile.go`, as far as rules read the result.
pub fn cloud_profile(profile: &mut CloudProfile) {
    let spec = &mut profile.spec;
    let has_capabilities = !spec.machine_capabilities.is_empty();
    for image in &mut spec.machine_images {
        image.update_strategy.get_or_insert_with(|| "major".into());
        for version in &mut image.versions {
            image_version(version, has_capabilities);
        }
    }
    for machine_type in &mut spec.machine_types {
        machine_type.usable.get_or_insert(true);
        if !has_capabilities {
            machine_type.architecture.get_or_insert_with(|| AMD64.into());
        }
    }
    for volume_type in &mut spec.volume_types {
        volume_type.usable.get_or_insert(true);
    }
}

fn image_version(version: &mut MachineImageVersion, has_capabilities: bool) {
    if version.architectures.is_empty() && !has_capabilities {
        version.architectures.push(AMD64.into());
    }
    if version.cri.is_empty() {
        version.cri.push(Cri { name: "containerd".into(), ..Cri::default() });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::api::CloudProfile;

    fn defaulted(spec: &Value) -> CloudProfile {
        let mut profile = serde_json::from_value(json!({ "spec": spec })).unwrap();
        super::cloud_profile(&mut profile);
        profile
    }

    #[test]
    fn absent_fields_are_filled() {
        let profile = defaulted(&json!({
            "machineImages": [{"versions": [{}]}, {"updateStrategy": ""}],
            "machineTypes": [{}],
        }));
        let [first, second] = [0, 1].map(|index| &profile.spec.machine_images[index]);
        assert_eq!(first.update_strategy.as_deref(), Some("major"));
        assert_eq!(first.versions[0].architectures, ["amd64"]);
        assert_eq!(first.versions[0].cri[0].name, "containerd");
        assert_eq!(second.update_strategy.as_deref(), Some(""));
        let machine_type = &profile.spec.machine_types[0];
        assert_eq!(machine_type.architecture.as_deref(), Some("amd64"));
    }

    #[test]
    fn capabilities_take_the_place_of_architectures() {
        let profile = defaulted(&json!({
            "machineCapabilities": [{"name": "architecture", "values": ["arm64"]}],
            "machineImages": [{"versions": [{}]}],
            "machineTypes": [{}],
        }));
        assert!(profile.spec.machine_images[0].versions[0].architectures.is_empty());
        assert_eq!(profile.spec.machine_types[0].architecture, None);
    }
}
