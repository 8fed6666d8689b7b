//! What the profile that a Shoot follows offers.

use std::sync::Arc;

use crate::engine::{Context, FieldPath, Findings};
use crate::garden::Lookup;
use crate::model::{CloudProfile, CloudProfileSpec, NamespacedCloudProfile, ProfileKind, Shoot};

/// A profile of the garden.
pub(in crate::rules) enum EffectiveProfile {
    Cluster(Arc<CloudProfile>),
    /// With the merged profile, if no controller has written it to the status yet.
    Namespaced(Arc<NamespacedCloudProfile>, Option<Arc<CloudProfileSpec>>),
}

impl EffectiveProfile {
    /// The CloudProfile that this is or comes from.
    pub(in crate::rules) fn cloud_profile(&self) -> &str {
        match self {
            EffectiveProfile::Cluster(profile) => &profile.metadata.name,
            EffectiveProfile::Namespaced(profile, _) => &profile.spec.parent.name,
        }
    }

    /// The spec of the CloudProfile, or of the NamespacedCloudProfile merged with its CloudProfile.
    pub(in crate::rules) fn spec(&self) -> &CloudProfileSpec {
        match self {
            EffectiveProfile::Cluster(profile) => &profile.spec,
            EffectiveProfile::Namespaced(profile, None) => &profile.status.cloud_profile_spec,
            EffectiveProfile::Namespaced(_, Some(merged)) => merged,
        }
    }
}

/// Why there is no offer.
pub(in crate::rules) enum Missing {
    /// The Shoot names no profile.
    NoReference,
    /// The Shoot names a kind of profile that does not exist.
    Kind(String),
    /// Certainly no such profile.
    Absent { kind: ProfileKind, name: String },
    /// The parent of a NamespacedCloudProfile that has not been merged yet.
    Parent { name: String, parent: String },
    /// It cannot be known; the text says why.
    Unknown(String),
}

/// The profile that a Shoot follows.
pub(in crate::rules) fn find(
    context: &Context<'_>,
    shoot: &Shoot,
) -> Result<EffectiveProfile, Missing> {
    let Some((profile_kind, name)) = shoot.profile_name() else {
        let reference = shoot.spec.cloud_profile.as_ref();
        return Err(reference.map_or(Missing::NoReference, |it| Missing::Kind(it.kind.clone())));
    };
    find_profile(context, (profile_kind, &context.request.namespace, name))
}

/// A profile of the garden, by its kind, its namespace, if it has one, and its name.
pub(in crate::rules) fn find_profile(
    context: &Context<'_>,
    (kind, namespace, name): (ProfileKind, &str, &str),
) -> Result<EffectiveProfile, Missing> {
    let unknown = |why: String, what: &str| {
        Missing::Unknown(format!("cannot tell what {what} `{name}` offers: {why}"))
    };
    let absent = || Missing::Absent {
        kind,
        name: name.to_owned(),
    };
    if kind == ProfileKind::Cluster {
        return match context.get::<CloudProfile>(name) {
            Lookup::Found(profile) => Ok(EffectiveProfile::Cluster(profile)),
            Lookup::Absent | Lookup::Unconfirmed => Err(absent()),
            Lookup::Unknown(why) => Err(unknown(why, "CloudProfile")),
        };
    }
    let profile = match context.get::<NamespacedCloudProfile>((namespace, name)) {
        Lookup::Found(profile) => profile,
        Lookup::Absent | Lookup::Unconfirmed => return Err(absent()),
        Lookup::Unknown(why) => return Err(unknown(why, "NamespacedCloudProfile")),
    };
    if profile.status.cloud_profile_spec != CloudProfileSpec::default() {
        return Ok(EffectiveProfile::Namespaced(profile, None));
    }
    let parent = &profile.spec.parent.name;
    match context.get::<CloudProfile>(parent) {
        Lookup::Found(found) => match context.merged(&profile, &found) {
            Lookup::Found(merged) => Ok(EffectiveProfile::Namespaced(profile, Some(merged))),
            Lookup::Unknown(why) => Err(unknown(why, "NamespacedCloudProfile")),
            Lookup::Absent | Lookup::Unconfirmed => Err(absent()),
        },
        Lookup::Absent | Lookup::Unconfirmed => Err(Missing::Parent {
            name: name.to_owned(),
            parent: parent.clone(),
        }),
        Lookup::Unknown(why) => Err(unknown(why, "NamespacedCloudProfile")),
    }
}

/// The profile that a Shoot follows; `None` if there is none, which `shoot/profile-missing` refuses, or none is known, which the
/// findings say.
pub(in crate::rules) fn offer(
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
