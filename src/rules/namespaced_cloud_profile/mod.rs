//! Rules about NamespacedCloudProfiles.

use std::sync::Arc;

use crate::compat::Json;
use crate::engine::{Change, Context, FieldPath, Findings};
use crate::garden::Lookup;
use crate::model::{CloudProfile, NamespacedCloudProfile};

rules! {
    RULES:
    new_version_expired,
    drop_inactive_versions,
    parent,
    kubernetes_versions,
    machine_images,
    limits,
    parent_missing,
    kubernetes_overrides,
    machine_image_overrides,
    merged_invalid,
    version_in_use,
    limit_below_shoot_minimum,
    kubernetes_verb,
    machineimages_verb,
    providerconfig_verb,
}

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
    if has_empty_list(&mut old_json) {
        return false;
    }
    let same = |part: &str, [new, old]: [&mut Json<'_>; 2], prepare: fn(&mut Json<'_>)| {
        let [new, old] = [new, old].map(|json| {
            let mut part = json.take(&[part]);
            prepare(&mut part);
            part
        });
        new.same(&old)
    };
    let mut both = [&mut new_json, &mut old_json];
    same(
        "spec",
        both.each_mut().map(|json| &mut **json),
        prepare_spec,
    ) && (new.metadata.deletion_timestamp.is_some() || same("metadata", both, prepare_metadata))
}

/// Gardener filters these lists, and holds what is left of an empty one to be different from it.
fn has_empty_list(profile: &mut Json<'_>) -> bool {
    let is_empty = |list: Option<&mut Json<'_>>| {
        list.and_then(Json::elements)
            .is_some_and(|list| list.is_empty())
    };
    let Some(spec) = profile.at(&["spec"]) else {
        return false;
    };
    if is_empty(spec.at(&["kubernetes", "versions"])) || is_empty(spec.at(&["machineImages"])) {
        return true;
    }
    let images = spec.at(&["machineImages"]).and_then(Json::elements);
    let mut images = images.into_iter().flatten();
    images.any(|image| is_empty(image.at(&["versions"])))
}

fn prepare_spec(spec: &mut Json<'_>) {
    fill_usable(spec);
    // Compared as they will be stored.
    forget(spec, &["kubernetes", "machineImages"]);
}

/// Without what is set by the API server, and absent from what a user writes.
fn prepare_metadata(metadata: &mut Json<'_>) {
    let set = [
        "resourceVersion",
        "uid",
        "generation",
        "creationTimestamp",
        "managedFields",
    ];
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
        names.iter().for_each(|name| fields.remove(name));
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
