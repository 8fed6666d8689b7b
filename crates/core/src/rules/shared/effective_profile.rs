// SPDX-License-Identifier: Apache-2.0
//! The profile that a Shoot references, with merged NamespacedCloudProfiles.

use std::sync::Arc;

use crate::admission::{Context, FieldPath, Findings};
use crate::garden::Unknown;
use garden_gate_model::api::{
    CloudProfile, CloudProfileSpec, Kind, NamespacedCloudProfile, ProfileKind, Shoot,
};

/// A profile of the garden.
pub(crate) enum EffectiveProfile {
    Cluster(Arc<CloudProfile>),
    /// With the merged spec, if no controller has written it to the status yet.
    Namespaced(Arc<NamespacedCloudProfile>, Option<Arc<CloudProfileSpec>>),
}

impl EffectiveProfile {
    /// Returns the name of the CloudProfile, or of the parent CloudProfile.
    pub(crate) fn cloud_profile(&self) -> &str {
        match self {
            EffectiveProfile::Cluster(profile) => &profile.metadata.name,
            EffectiveProfile::Namespaced(profile, _) => &profile.spec.parent.name,
        }
    }

    /// Returns the spec of the CloudProfile, or of the NamespacedCloudProfile merged with its CloudProfile.
    pub(crate) fn spec(&self) -> &CloudProfileSpec {
        match self {
            EffectiveProfile::Cluster(profile) => &profile.spec,
            EffectiveProfile::Namespaced(profile, None) => &profile.status.cloud_profile_spec,
            EffectiveProfile::Namespaced(_, Some(merged)) => merged,
        }
    }
}

/// The reason why the profile is not available.
pub(crate) enum Missing {
    /// The Shoot names no profile.
    NoReference,
    /// The Shoot names a kind of profile that does not exist.
    Kind(String),
    /// The profile does not exist.
    Absent { kind: ProfileKind, name: String },
    /// The parent does not exist of a NamespacedCloudProfile that has not been merged yet.
    Parent { name: String, parent: String },
    /// The profile is unknown, for this reason.
    Unknown(String),
}

/// Returns the profile that a Shoot references.
pub(crate) fn find(context: &Context<'_>, shoot: &Shoot) -> Result<EffectiveProfile, Missing> {
    let Some((profile_kind, name)) = shoot.profile_name() else {
        let reference = shoot.spec.cloud_profile.as_ref();
        return Err(reference.map_or(Missing::NoReference, |it| Missing::Kind(it.kind.clone())));
    };
    find_profile(context, (profile_kind, &context.request.namespace, name))
}

/// Returns a profile of the garden, by its kind, its namespace, if it has one, and its name.
pub(crate) fn find_profile(
    context: &Context<'_>,
    (kind, namespace, name): (ProfileKind, &str, &str),
) -> Result<EffectiveProfile, Missing> {
    let unknown = |why: Unknown| {
        let kind = Kind::from(kind);
        Missing::Unknown(format!("cannot tell what {kind} `{name}` offers: {why}"))
    };
    let absent = || Missing::Absent { kind, name: name.to_owned() };
    if kind == ProfileKind::Cluster {
        let profile = context.get::<CloudProfile>(name).map_err(unknown)?;
        return profile.map(EffectiveProfile::Cluster).ok_or_else(absent);
    }
    let profile = context
        .get::<NamespacedCloudProfile>((namespace, name))
        .map_err(unknown)?
        .ok_or_else(absent)?;
    if profile.status.cloud_profile_spec != CloudProfileSpec::default() {
        return Ok(EffectiveProfile::Namespaced(profile, None));
    }
    let parent = &profile.spec.parent.name;
    let Some(found) = context.get::<CloudProfile>(parent).map_err(unknown)? else {
        return Err(Missing::Parent { name: name.to_owned(), parent: parent.clone() });
    };
    let merged = context.merged(&profile, &found).map_err(unknown)?;
    Ok(EffectiveProfile::Namespaced(profile, Some(merged)))
}

/// Returns the profile that a Shoot references.
///
/// Returns `None` if it does not exist, which `shoot/profile-missing` refuses, or is unknown, for which a finding is added.
pub(crate) fn offer(
    context: &Context<'_>,
    shoot: &Shoot,
    findings: &mut Findings,
) -> Option<EffectiveProfile> {
    match find(context, shoot) {
        Ok(offer) => Some(offer),
        Err(Missing::Unknown(why)) => {
            findings.undetermined(&FieldPath::new("spec.cloudProfile"), why);
            None
        }
        Err(_) => None,
    }
}
