// SPDX-License-Identifier: Apache-2.0
//! Defaults of kinds other than Shoot, as JSON.

use serde_json::{Value, json};

use super::json_access::at;
use garden_gate_model::api::Kind;
use garden_gate_model::gardener::defaults::NAME_LABEL_PREFIX;

/// Adds the defaults of an object that no rule adds.
///
/// Rules add those of Projects. Other kinds have none.
pub(super) fn fill_in(kind: Kind, object: &mut Value) {
    match kind {
        Kind::CloudProfile => cloud_profile(object),
        Kind::Seed => seed(object),
        _ => {}
    }
}

/// Mirrors `pkg/apis/core/v1beta1/defaults_cloudprofile.go`.
fn cloud_profile(profile: &mut Value) {
    let has_capabilities = at(profile, &["spec", "machineCapabilities"])
        .and_then(Value::as_array)
        .is_some_and(|it| !it.is_empty());
    for image in items(profile, "/spec/machineImages") {
        fill(image, "updateStrategy", || json!("major"));
        for version in items(image, "/versions") {
            if !has_capabilities {
                fill(version, "architectures", || json!(["amd64"]));
            }
            fill(version, "cri", || json!([{"name": "containerd"}]));
        }
    }
    for machine_type in items(profile, "/spec/machineTypes") {
        if !has_capabilities {
            fill(machine_type, "architecture", || json!("amd64"));
        }
        fill(machine_type, "usable", || json!(true));
    }
    for volume_type in items(profile, "/spec/volumeTypes") {
        fill(volume_type, "usable", || json!(true));
    }
}

/// Mirrors the labels of `pkg/apiserver/registry/core/seed/strategy.go`, and the scheduling of `pkg/apis/core/v1beta1/defaults_seed.go`.
fn seed(seed: &mut Value) {
    let text = |pointer: &str| {
        let text = seed.pointer(pointer).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let name = format!("{NAME_LABEL_PREFIX}{}", text("/metadata/name"));
    let provider = text("/spec/provider/type");
    let region = text("/spec/provider/region");
    if let Some(metadata) = seed.get_mut("metadata") {
        fill(metadata, "labels", || json!({}));
        if let Some(Value::Object(labels)) = metadata.get_mut("labels") {
            labels.retain(|label, _| !label.starts_with(NAME_LABEL_PREFIX));
            labels.insert(name, "true".into());
            labels.insert("seed.gardener.cloud/provider".to_owned(), provider.into());
            labels.insert("seed.gardener.cloud/region".to_owned(), region.into());
        }
    }
    if let Some(spec) = seed.get_mut("spec") {
        fill(spec, "settings", || json!({}));
        if let Some(settings) = spec.get_mut("settings") {
            fill(settings, "scheduling", || json!({"visible": true}));
        }
    }
}

/// Returns the objects of a list; none if there is no list.
fn items<'v>(value: &'v mut Value, pointer: &str) -> impl Iterator<Item = &'v mut Value> {
    let list = value.pointer_mut(pointer).and_then(Value::as_array_mut);
    list.into_iter().flatten()
}

/// Sets a field of an object unless it has a value.
fn fill(object: &mut Value, name: &str, default: impl FnOnce() -> Value) {
    if let Value::Object(fields) = object
        && fields.get(name).is_none_or(Value::is_null)
    {
        fields.insert(name.to_owned(), default());
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, from_value, json};

    use super::fill_in;
    use garden_gate_model::api::{CloudProfile, Kind, Seed};
    use garden_gate_model::gardener::defaults;

    #[test]
    fn profile_gets_its_defaults() {
        let mut profile = json!({"spec": {
            "machineImages": [{"name": "linux", "versions": [{"version": "1.0.0", "cri": null}]}],
            "machineTypes": [{"name": "small", "usable": false}],
        }});
        fill_in(Kind::CloudProfile, &mut profile);
        let version = json!({"version": "1.0.0", "architectures": ["amd64"], "cri": [{"name": "containerd"}]});
        assert_eq!(
            profile["spec"],
            json!({
                "machineImages": [{"name": "linux", "updateStrategy": "major", "versions": [version]}],
                "machineTypes": [{"name": "small", "architecture": "amd64", "usable": false}],
            })
        );
    }

    #[rstest]
    #[case::nothing(json!({}))]
    #[case::empty_lists(json!({"machineImages": [], "machineTypes": [], "volumeTypes": []}))]
    #[case::nothing_in_lists(json!({"machineImages": [{}, {"versions": [{}]}], "machineTypes": [{}]}))]
    #[case::null(json!({"machineImages": [{"versions": [{"cri": null, "architectures": null}]}]}))]
    #[case::set(json!({
        "machineImages": [{"updateStrategy": "", "versions": [
            {"cri": [{"name": "other"}], "architectures": ["arm64"]},
        ]}],
        "machineTypes": [{"architecture": "arm64", "usable": false}],
    }))]
    #[case::capabilities(json!({
        "machineCapabilities": [{"name": "architecture", "values": ["arm64"]}],
        "machineImages": [{"versions": [{}]}],
        "machineTypes": [{}],
    }))]
    #[case::no_capabilities(json!({"machineCapabilities": [], "machineTypes": [{}], "volumeTypes": [{}, {"usable": false}]}))]
    fn typed_defaults_of_profiles_are_those_of_their_json(#[case] spec: Value) {
        let mut object = json!({"metadata": {"name": "a"}, "spec": spec});
        let mut typed: CloudProfile = from_value(object.clone()).unwrap();
        defaults::cloud_profile(&mut typed);
        fill_in(Kind::CloudProfile, &mut object);
        let mut filled: CloudProfile = from_value(object).unwrap();
        assert_eq!(filled, typed);
        defaults::cloud_profile(&mut filled);
        assert_eq!(filled, typed);
    }

    #[rstest]
    #[case::nothing(json!({}), json!({}))]
    #[case::labels(
        json!({"name.seed.gardener.cloud/other": "true", "seed.gardener.cloud/region": "b", "x": "y"}),
        json!({"provider": {"type": "a", "region": "c"}}),
    )]
    #[case::settings(json!({}), json!({"settings": {}}))]
    #[case::no_settings(json!({}), json!({"settings": null}))]
    #[case::scheduling(json!({}), json!({"settings": {"scheduling": {"visible": false}}}))]
    fn typed_defaults_of_seeds_are_those_of_their_json(#[case] labels: Value, #[case] spec: Value) {
        let mut object = json!({"metadata": {"name": "s", "labels": labels}, "spec": spec});
        let mut typed: Seed = from_value(object.clone()).unwrap();
        defaults::seed(&mut typed);
        fill_in(Kind::Seed, &mut object);
        let filled: Seed = from_value(object).unwrap();
        assert_eq!(format!("{filled:?}"), format!("{typed:?}"));
    }

    #[test]
    fn malformed_objects_stay() {
        for kind in [Kind::CloudProfile, Kind::Seed] {
            for object in [json!(null), json!([]), json!({"spec": 1, "metadata": "a"})] {
                let mut filled = object.clone();
                fill_in(kind, &mut filled);
                assert_eq!(filled, object);
            }
        }
    }
}
