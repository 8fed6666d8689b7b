use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::GardenObject;
use garden_gate_model::api::{Form, KeptConfiguration, Kind};
use garden_gate_model::gardener::defaults;

/// Parses an object and applies defaults; returns `None` if objects of the kind are not kept.
///
/// # Errors
/// Fails if the object does not match the schema of its kind.
pub fn read<F: Form + ?Sized>(kind: Kind, form: &F) -> Result<Option<GardenObject>, F::Error> {
    let mut object = GardenObject::read(kind, form)?;
    if let Some(object) = &mut object {
        defaults::kept(object);
    }
    Ok(object)
}

/// The configurations in a profile, and whether there is a merged profile.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Profile {
    spec: ProfileSpec,
    status: ProfileStatus,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ProfileStatus {
    cloud_profile_spec: Option<ProfileSpec>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ProfileSpec {
    provider_config: Option<Value>,
}

/// Parses an object as [`read`], and keeps the configuration of a profile for its provider's extension, which may be megabytes.
///
/// # Errors
/// Fails if the object does not match the schema of its kind.
pub fn read_with_configuration<F: Form + ?Sized>(
    kind: Kind,
    form: &F,
) -> Result<Option<GardenObject>, F::Error> {
    let mut object = read(kind, form)?;
    match &mut object {
        Some(GardenObject::CloudProfile(profile)) => {
            let Profile { spec, .. } = form.decode()?;
            let kept = KeptConfiguration::of(spec.provider_config);
            Arc::make_mut(profile).spec.provider_config = kept;
        }
        Some(GardenObject::NamespacedCloudProfile(profile)) => {
            let Profile { status, .. } = form.decode()?;
            if let Some(merged) = status.cloud_profile_spec {
                let kept = KeptConfiguration::of(merged.provider_config);
                Arc::make_mut(profile).status.cloud_profile_spec.provider_config = kept;
            }
        }
        _ => {}
    }
    Ok(object)
}
