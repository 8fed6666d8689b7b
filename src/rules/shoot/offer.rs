//! What the profile that a Shoot follows offers.

use std::borrow::Cow;
use std::sync::Arc;

use crate::engine::{Context, FieldPath, Findings};
use crate::garden::Lookup;
use crate::model::{CloudProfile, CloudProfileSpec, NamespacedCloudProfile, ProfileKind, Shoot};
use crate::version::merge_profiles;

/// A profile of the garden.
pub(super) enum Offer {
    Cluster(Arc<CloudProfile>),
    Namespaced(Arc<NamespacedCloudProfile>, Option<Arc<CloudProfile>>),
}

impl Offer {
    /// The offer; of a NamespacedCloudProfile that no controller has merged yet, as a manifest has it, merged now.
    pub(super) fn spec(&self) -> Cow<'_, CloudProfileSpec> {
        match self {
            Offer::Cluster(profile) => Cow::Borrowed(&profile.spec),
            Offer::Namespaced(profile, None) => Cow::Borrowed(&profile.status.cloud_profile_spec),
            Offer::Namespaced(profile, Some(parent)) => {
                Cow::Owned(merge_profiles(&parent.spec, &profile.spec))
            }
        }
    }
}

/// The profile that a Shoot follows; `None` if there is none, which other rules refuse, or none is known, which the findings say.
pub(super) fn offer(
    context: &Context<'_>,
    shoot: &Shoot,
    findings: &mut Findings,
) -> Option<Offer> {
    match find(context, shoot) {
        Ok(offer) => offer,
        Err(message) => {
            findings.undetermined(&FieldPath::new("spec.cloudProfile"), message);
            None
        }
    }
}

/// The profile that a Shoot follows; `None` if there is none.
///
/// # Errors
/// When none is known, with the reason.
pub(super) fn find(context: &Context<'_>, shoot: &Shoot) -> Result<Option<Offer>, String> {
    let Some(key) = shoot.profile(&context.request.namespace) else {
        return Ok(None);
    };
    let unknown =
        |kind: &str, why: String| format!("cannot tell what {kind} `{}` offers: {why}", key.name);
    if key.kind == ProfileKind::Cluster {
        let profile = known(context.cloud_profile(&key.name));
        let profile = profile.map_err(|why| unknown("CloudProfile", why))?;
        return Ok(profile.map(Offer::Cluster));
    }
    let profile = known(context.namespaced_cloud_profile(&key.namespace, &key.name));
    let profile = profile.map_err(|why| unknown("NamespacedCloudProfile", why))?;
    let Some(profile) = profile else {
        return Ok(None);
    };
    if profile.status.cloud_profile_spec != CloudProfileSpec::default() {
        return Ok(Some(Offer::Namespaced(profile, None)));
    }
    let parent = known(context.cloud_profile(&profile.spec.parent.name));
    let parent = parent.map_err(|why| unknown("NamespacedCloudProfile", why))?;
    Ok(parent.map(|parent| Offer::Namespaced(profile, Some(parent))))
}

fn known<T>(lookup: Lookup<T>) -> Result<Option<T>, String> {
    match lookup {
        Lookup::Found(found) => Ok(Some(found)),
        Lookup::Absent | Lookup::Unconfirmed => Ok(None),
        Lookup::Unknown(why) => Err(why),
    }
}
