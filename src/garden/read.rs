use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::GardenObject;
use crate::api::{Form, KeptConfiguration, Kind};
use crate::gardener::defaults;
use crate::yaml::{Document, SourceError};

impl Form for Document {
    type Error = SourceError;

    fn decode<T: DeserializeOwned>(&self) -> Result<T, SourceError> {
        Document::decode(self)
    }
}

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

/// Parses an object as [`read`], and keeps the configuration of a profile for its provider's extension, which may be megabytes.
///
/// # Errors
/// Fails if the object does not match the schema of its kind.
pub fn read_with_configuration<F: Form + ?Sized>(
    kind: Kind,
    form: &F,
) -> Result<Option<GardenObject>, F::Error> {
    let mut object = read(kind, form)?;
    let field = match object {
        Some(GardenObject::CloudProfile(_)) => "/spec/providerConfig",
        Some(GardenObject::NamespacedCloudProfile(_)) => "/status/cloudProfileSpec/providerConfig",
        _ => return Ok(object),
    };
    let whole: Value = form.decode()?;
    let (spec, _) = field.rsplit_once('/').unwrap_or_default();
    if whole.pointer(spec).is_none_or(Value::is_null) {
        return Ok(object);
    }
    let kept = KeptConfiguration::of(whole.pointer(field));
    match &mut object {
        Some(GardenObject::CloudProfile(profile)) => {
            Arc::make_mut(profile).spec.provider_config = kept;
        }
        Some(GardenObject::NamespacedCloudProfile(profile)) => {
            Arc::make_mut(profile)
                .status
                .cloud_profile_spec
                .provider_config = kept;
        }
        _ => {}
    }
    Ok(object)
}
