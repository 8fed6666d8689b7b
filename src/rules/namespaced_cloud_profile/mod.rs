//! Rules about NamespacedCloudProfiles.

pub(super) mod drop_inactive_versions;
pub(super) mod kubernetes_overrides;
pub(super) mod kubernetes_verb;
pub(super) mod kubernetes_versions;
pub(super) mod limit_below_shoot_minimum;
pub(super) mod limits;
pub(super) mod machine_image_overrides;
pub(super) mod machine_images;
pub(super) mod machineimages_verb;
pub(super) mod merged_invalid;
pub(super) mod new_version_expired;
pub(super) mod parent;
pub(super) mod parent_missing;
pub(super) mod providerconfig_verb;
pub(super) mod version_in_use;

use std::sync::Arc;

use serde_json::Value;

use crate::compat::semantically_equal;
use crate::engine::{Change, Context, FieldPath, Findings};
use crate::garden::Lookup;
use crate::model::{CloudProfile, NamespacedCloudProfile};

/// The new profile, if it must be compared with its parent.
///
/// Mirrors the first lines of Validate in `plugin/pkg/namespacedcloudprofile/validator/admission.go`: an UPDATE that
/// changes nothing is let through, and one of a profile that is being deleted if it leaves the spec alone.
fn compared<'a>(
    context: &Context<'_>,
    profile: Change<'a, NamespacedCloudProfile>,
) -> Option<&'a NamespacedCloudProfile> {
    let new = profile.new?;
    match profile.old {
        Some(old) if is_unchanged(context, new, old) => None,
        _ => Some(new),
    }
}

fn is_unchanged(
    context: &Context<'_>,
    new: &NamespacedCloudProfile,
    old: &NamespacedCloudProfile,
) -> bool {
    let (new_spec, old_spec) = (&new.spec, &old.spec);
    if new_spec.kubernetes != old_spec.kubernetes
        || new_spec.machine_images != old_spec.machine_images
    {
        return false;
    }
    let (mut new_json, mut old_json) = (context.new_json(), context.old_json());
    // Gardener filters these lists, and holds what is left of an empty one to be different from it.
    let filtered = ["/spec/kubernetes/versions", "/spec/machineImages"];
    let list = |pointer: &&str| old_json.pointer(pointer).and_then(Value::as_array);
    let images = list(&"/spec/machineImages").into_iter().flatten();
    let of_images = images.filter_map(|image| image["versions"].as_array());
    let mut lists = filtered.iter().filter_map(list).chain(of_images);
    if lists.any(Vec::is_empty) {
        return false;
    }
    for json in [&mut new_json, &mut old_json] {
        fill_usable(&mut json["spec"]);
        // Compared above, as they will be stored.
        forget(&mut json["spec"], &["kubernetes", "machineImages"]);
        // Set by the API server, and absent from what a user writes.
        let set = [
            "resourceVersion",
            "uid",
            "generation",
            "creationTimestamp",
            "managedFields",
        ];
        forget(&mut json["metadata"], &set);
    }
    let same = |part: &str| semantically_equal(&new_json[part], &old_json[part]);
    same("spec") && (new.metadata.deletion_timestamp.is_some() || same("metadata"))
}

/// Mirrors `pkg/apis/core/v1beta1/defaults_namespacedcloudprofile.go`.
fn fill_usable(spec: &mut Value) {
    for list in ["machineTypes", "volumeTypes"] {
        let types = spec.get_mut(list).and_then(Value::as_array_mut);
        for object in types.into_iter().flatten().filter_map(Value::as_object_mut) {
            let usable = object.entry("usable").or_insert(Value::Null);
            if usable.is_null() {
                *usable = Value::Bool(true);
            }
        }
    }
}

fn forget(object: &mut Value, fields: &[&str]) {
    if let Some(object) = object.as_object_mut() {
        object.retain(|field, _| !fields.contains(&field.as_str()));
    }
}

/// The parent of a profile; `None` if there is none (which `namespacedcloudprofile/parent-missing` says) or it is unknown.
fn parent(
    context: &Context<'_>,
    profile: &NamespacedCloudProfile,
    findings: &mut Findings,
) -> Option<Arc<CloudProfile>> {
    let name = &profile.spec.parent.name;
    match context.cloud_profile(name) {
        Lookup::Found(parent) => Some(parent),
        Lookup::Absent | Lookup::Unconfirmed => None,
        Lookup::Unknown(why) => {
            let path = FieldPath::new("spec.parent.name");
            let message = format!("cannot tell what CloudProfile `{name}` offers: {why}");
            findings.undetermined(&path, message);
            None
        }
    }
}
