// SPDX-License-Identifier: Apache-2.0
//! Versions of a profile that are not classified `supported`.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::admission::{FieldPath, FindingKind, Findings};
use crate::rules::shared::effective_profile::EffectiveProfile;
use crate::rules::shared::lists::{list, short};
use garden_gate_model::api::{ExpirableVersion, MachineImage, MachineImageVersion};
use garden_gate_model::gardener::version::{Classified, current_classification, is_expired};

const SUPPORTED: &str = "supported";

/// Returns the Kubernetes versions of a profile.
///
/// Those in the spec of a NamespacedCloudProfile come first: the guide uses the first entry of a version.
pub(super) fn kubernetes_versions(
    offer: &EffectiveProfile,
) -> impl Iterator<Item = &ExpirableVersion> + Clone {
    let own = match offer {
        EffectiveProfile::Cluster(_) => None,
        EffectiveProfile::Namespaced(profile, _) => profile.spec.kubernetes.as_ref(),
    };
    own.into_iter().flat_map(|it| &it.versions).chain(&offer.spec().kubernetes.versions)
}

/// Returns the versions of a machine image in a profile, in the same order.
pub(super) fn image_versions<'p>(
    offer: &'p EffectiveProfile,
    image: &'p str,
) -> impl Iterator<Item = &'p MachineImageVersion> + Clone {
    let own: &[MachineImage] = match offer {
        EffectiveProfile::Cluster(_) => &[],
        EffectiveProfile::Namespaced(profile, _) => &profile.spec.machine_images,
    };
    let images = own.iter().chain(&offer.spec().machine_images).filter(move |it| it.name == image);
    images.flat_map(|it| &it.versions)
}

/// A version that a Shoot uses.
pub(super) struct UsedVersion<'a, N> {
    /// The field with the version.
    pub(super) field: FieldPath,
    /// The version.
    pub(super) version: &'a str,
    /// Returns the name in messages.
    pub(super) name: N,
}

impl<N: FnOnce() -> String> UsedVersion<'_, N> {
    /// Reports the version unless the profile classifies it `supported`. Other rules report a version that is not listed.
    pub(super) fn check<'v, V: Classified + 'v>(
        self,
        listed: impl Iterator<Item = &'v V> + Clone,
        (kind, now): (&'static FindingKind, Timestamp),
        findings: &mut Findings,
    ) {
        let mut all = listed.clone();
        let Some(found) = all.find(|it| it.version() == self.version) else {
            return;
        };
        let classification = classification(found, now);
        if classification == Some(SUPPORTED) {
            return;
        }
        findings.report_lazily(kind, |findings| {
            let name = (self.name)();
            let message = match classification {
                None => format!("the profile does not classify {name}"),
                Some(other) => format!("the profile classifies {name} as `{}`", short(other)),
            };
            findings
                .invalid(kind, self.field, message)
                .value(self.version)
                .help(help(&supported(listed, now)));
        });
    }
}

/// Returns the classification that the guide considers; `None` if the profile has none.
///
/// An expiration date does not matter.
fn classification(version: &impl Classified, now: Timestamp) -> Option<&str> {
    match version.lifecycle() {
        [] => version.classification(),
        _ => Some(current_classification(version, now)),
    }
}

/// Returns the supported versions that have not expired.
fn supported<'v, V: Classified + 'v>(
    listed: impl Iterator<Item = &'v V>,
    now: Timestamp,
) -> Vec<&'v str> {
    let mut seen = BTreeSet::new();
    let first = listed.filter(|it: &&'v V| seen.insert(V::version(*it)));
    let is_supported =
        |it: &&V| classification(*it, now) == Some(SUPPORTED) && !is_expired(*it, now);
    first.filter(is_supported).map(V::version).collect()
}

fn help(supported: &[&str]) -> String {
    match supported {
        [] => {
            "the profile has no supported version; silence the warning until it has one".to_owned()
        }
        _ => format!("use a supported version: {}", list(supported)),
    }
}
