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
    use serde_json::json;

    use super::fill_in;
    use garden_gate_model::api::Kind;

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
