// SPDX-License-Identifier: Apache-2.0
//! Rules about NamespacedCloudProfiles.

pub(crate) mod drop_inactive_versions;
mod form;
mod guarded_parts;
mod kubernetes_overrides;
mod kubernetes_verb;
mod kubernetes_versions;
mod limit_below_shoot_minimum;
mod limits;
mod machine_image_overrides;
mod machine_images;
mod machine_type_of_parent;
mod machineimages_verb;
mod merged_invalid;
pub(crate) mod new_version_expired;
mod parent;
mod parent_missing;
mod providerconfig_verb;
mod version_in_use;

use std::sync::Arc;

use crate::admission::{Context, FieldPath, Findings, Rule};
use garden_gate_model::api::{CloudProfile, NamespacedCloudProfile};

pub(crate) const RULES: &[&Rule] = &[
    &new_version_expired::RULE,
    &drop_inactive_versions::RULE,
    &form::RULE,
    &parent::RULE,
    &kubernetes_versions::RULE,
    &machine_images::RULE,
    &limits::RULE,
    &parent_missing::RULE,
    &machine_type_of_parent::RULE,
    &kubernetes_overrides::RULE,
    &machine_image_overrides::RULE,
    &merged_invalid::RULE,
    &version_in_use::RULE,
    &limit_below_shoot_minimum::RULE,
    &kubernetes_verb::RULE,
    &machineimages_verb::RULE,
    &providerconfig_verb::RULE,
];

/// Returns the parent of a profile.
///
/// Returns `None` if it does not exist, which `namespacedcloudprofile/parent-missing` reports, or is unknown.
fn parent(
    context: &Context<'_>,
    profile: &NamespacedCloudProfile,
    findings: &mut Findings,
) -> Option<Arc<CloudProfile>> {
    let name = &profile.spec.parent.name;
    let path = FieldPath::new("spec.parent.name");
    findings.known(
        context.get::<CloudProfile>(name),
        &path,
        format_args!("what CloudProfile `{name}` offers"),
    )?
}
