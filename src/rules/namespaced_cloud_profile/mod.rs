//! Rules about NamespacedCloudProfiles.

use std::sync::Arc;

use crate::engine::{Context, FieldPath, Findings};
use crate::model::{CloudProfile, NamespacedCloudProfile};

mod guarded_parts;

rules! {
    RULES:
    new_version_expired,
    drop_inactive_versions,
    form,
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

/// The parent of a profile; `None` if there is none (which `namespacedcloudprofile/parent-missing` says) or it is unknown.
fn parent(
    context: &Context<'_>,
    profile: &NamespacedCloudProfile,
    findings: &mut Findings,
) -> Option<Arc<CloudProfile>> {
    let name = &profile.spec.parent.name;
    let path = FieldPath::new("spec.parent.name");
    findings.known(
        context.get::<CloudProfile>(name).answer(),
        &path,
        format_args!("what CloudProfile `{name}` offers"),
    )?
}
