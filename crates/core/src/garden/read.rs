// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::GardenObject;
use garden_gate_model::api::{
    Form, GardenerVersion, KeptConfiguration, Kind, MUTATING_POLICY_BINDING_FIELDS,
    MUTATING_POLICY_FIELDS, POLICY_BINDING_FIELDS, POLICY_FIELDS, Step, StrictErrors,
};
use garden_gate_model::gardener::defaults;

/// Parses an object and applies defaults; returns `None` if objects of the kind are not kept.
///
/// # Errors
/// Fails if the object does not match the schema of its kind.
pub fn read<F: Form + ?Sized>(kind: Kind, form: &F) -> Result<Option<GardenObject>, F::Error> {
    let mut object = GardenObject::read(kind, form)?;
    if let Some(object) = &mut object {
        defaults::kept(object);
        note_unknown_field(object, form)?;
    }
    Ok(object)
}

/// Notes the first unknown field in the specification of a policy or binding, whose effect is not known.
fn note_unknown_field<F: Form + ?Sized>(
    object: &mut GardenObject,
    form: &F,
) -> Result<(), F::Error> {
    let (noted, fields) = match object {
        GardenObject::ValidatingAdmissionPolicy(it) => {
            (&mut Arc::make_mut(it).unknown_field, POLICY_FIELDS)
        }
        GardenObject::ValidatingAdmissionPolicyBinding(it) => {
            (&mut Arc::make_mut(it).unknown_field, POLICY_BINDING_FIELDS)
        }
        GardenObject::MutatingAdmissionPolicy(it) => {
            (&mut Arc::make_mut(it).unknown_field, MUTATING_POLICY_FIELDS)
        }
        GardenObject::MutatingAdmissionPolicyBinding(it) => {
            (&mut Arc::make_mut(it).unknown_field, MUTATING_POLICY_BINDING_FIELDS)
        }
        _ => return Ok(()),
    };
    let Specified { spec } = form.decode()?;
    let text = json!({"spec": spec}).to_string();
    let errors = StrictErrors::of(&text, fields, GardenerVersion::NEWEST);
    *noted = errors.unknown.first.first().map(|(steps, _)| dotted(steps));
    Ok(())
}

/// An object of which only the specification matters.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Specified {
    spec: Value,
}

/// Returns the path of a field, such as `spec.mutations[0].patch`.
fn dotted(steps: &[Step<'_>]) -> String {
    let step = |step: &Step<'_>| match step {
        Step::Field(name) => format!(".{name}"),
        Step::Unknown(name) => format!(".{name}"),
        Step::Key(key) => format!("[{key}]"),
        Step::Index(index) => format!("[{index}]"),
    };
    let path: String = steps.iter().map(step).collect();
    path.trim_start_matches('.').to_owned()
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
