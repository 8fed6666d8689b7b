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
    let key = shoot.profile(&context.request.namespace)?;
    let mut known = |kind: &str, why: Option<String>| {
        if let Some(why) = why {
            let path = FieldPath::new("spec.cloudProfile");
            let message = format!("cannot tell what {kind} `{}` offers: {why}", key.name);
            findings.undetermined(&path, message);
        }
    };
    if key.kind == ProfileKind::Cluster {
        let (profile, why) = split(context.cloud_profile(&key.name));
        known("CloudProfile", why);
        return profile.map(Offer::Cluster);
    }
    let (profile, why) = split(context.namespaced_cloud_profile(&key.namespace, &key.name));
    known("NamespacedCloudProfile", why);
    let profile = profile?;
    if profile.status.cloud_profile_spec != CloudProfileSpec::default() {
        return Some(Offer::Namespaced(profile, None));
    }
    let (parent, why) = split(context.cloud_profile(&profile.spec.parent.name));
    known("NamespacedCloudProfile", why);
    parent.map(|parent| Offer::Namespaced(profile, Some(parent)))
}

fn split<T>(lookup: Lookup<T>) -> (Option<T>, Option<String>) {
    match lookup {
        Lookup::Found(found) => (Some(found), None),
        Lookup::Absent | Lookup::Unconfirmed => (None, None),
        Lookup::Unknown(why) => (None, Some(why)),
    }
}
