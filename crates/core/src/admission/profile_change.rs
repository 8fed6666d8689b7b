// SPDX-License-Identifier: Apache-2.0
//! Detects updates of a NamespacedCloudProfile that Gardener does not validate.
//!
//! Mirrors the first lines of Validate in `plugin/pkg/namespacedcloudprofile/validator/admission.go`.
//! Gardener skips an UPDATE without changes, and one of a profile in deletion with an unchanged spec.

use super::Context;
use garden_gate_model::api::Declared;
use garden_gate_model::api::NamespacedCloudProfile;
use garden_gate_text::json::Json;

/// Reports whether the update changes no relevant field.
pub(crate) fn is_unchanged(
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
    if has_empty_list(&mut old_json) {
        return false;
    }
    let same = |name: &str, [new, old]: [&mut Json<'_>; 2], prepare: fn(&mut Json<'_>)| {
        let [new, old] = [new, old].map(|json| {
            let mut part = json.take(&[name]);
            prepare(&mut part);
            part
        });
        let typing = Declared::at("NamespacedCloudProfile", &[name]);
        new.same_as(&old, typing.with_bytes(!context.request.is_converted))
    };
    let mut both = [&mut new_json, &mut old_json];
    same("spec", both.each_mut().map(|json| &mut **json), prepare_spec)
        && (new.metadata.deletion_timestamp.is_some() || same("metadata", both, prepare_metadata))
}

/// Reports whether a list is empty.
///
/// Gardener filters these lists, and treats an empty result as different from the original.
fn has_empty_list(profile: &mut Json<'_>) -> bool {
    let is_empty = |list: Option<&mut Json<'_>>| {
        list.and_then(Json::elements).is_some_and(|list| list.is_empty())
    };
    let Some(spec) = profile.at(&["spec"]) else {
        return false;
    };
    if is_empty(spec.at(&["kubernetes", "versions"])) || is_empty(spec.at(&["machineImages"])) {
        return true;
    }
    let mut images = spec.at(&["machineImages"]).and_then(Json::elements).into_iter().flatten();
    images.any(|image| is_empty(image.at(&["versions"])))
}

fn prepare_spec(spec: &mut Json<'_>) {
    fill_usable(spec);
    // Compared in their stored form.
    forget(spec, &["kubernetes", "machineImages"]);
}

/// Removes fields that the API server sets, and that users omit.
fn prepare_metadata(metadata: &mut Json<'_>) {
    let set = ["resourceVersion", "uid", "generation", "creationTimestamp", "managedFields"];
    forget(metadata, &set);
}

/// Mirrors `pkg/apis/core/v1beta1/defaults_namespacedcloudprofile.go`.
fn fill_usable(spec: &mut Json<'_>) {
    for list in ["machineTypes", "volumeTypes"] {
        let types = spec.at(&[list]).and_then(Json::elements);
        for fields in types.into_iter().flatten().filter_map(Json::fields) {
            fields.fill("usable", &true);
        }
    }
}

fn forget(object: &mut Json<'_>, names: &[&str]) {
    if let Some(fields) = object.fields() {
        for name in names {
            fields.remove(name);
        }
    }
}
