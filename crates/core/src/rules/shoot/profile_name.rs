// SPDX-License-Identifier: Apache-2.0
//! The deprecated reference `spec.cloudProfileName`.

use garden_gate_model::api::Shoot;
use garden_gate_text::go::is_at_least;

/// Reports whether `cloudProfileName` is still set when Gardener warns.
///
/// Gardener empties it where `cloudProfile` makes it redundant.
///
/// Mirrors SyncCloudProfileFields in `pkg/utils/gardener/cloudprofile.go`.
pub(crate) fn keeps_profile_name(new: &Shoot, old: Option<&Shoot>) -> bool {
    let name = &new.spec.cloud_profile_name;
    if name.is_empty() || new.metadata.deletion_timestamp.is_some() {
        return !name.is_empty();
    }
    let Some(reference) = &new.spec.cloud_profile else {
        return true;
    };
    let is_cluster_wide = matches!(reference.kind.as_str(), "" | "CloudProfile");
    if !is_at_least(&new.spec.kubernetes.version, 1, 34) {
        return is_cluster_wide;
    }
    let is_unchanged = old.is_some_and(|old| old.spec.cloud_profile_name == *name);
    !(is_cluster_wide && is_unchanged && reference.name == *name)
}
