// SPDX-License-Identifier: Apache-2.0
//! The profile of a Shoot, whose `providerConfig` only has to be decodable.

use super::judged::{PROFILE, UNDECODABLE};
use crate::admission::{ErrorType, FieldPath, Findings};
use crate::rules::extensions::Component;
use crate::rules::extensions::provider_shoots::decode_profile;
use crate::rules::shared::effective_profile::EffectiveProfile;
use crate::rules::shared::lists::short;
use garden_gate_model::api::KeptConfiguration;
use garden_gate_model::api::extensions::gcp::cloud_profile::CloudProfileConfig;

/// Checks that the profile has a `providerConfig` which can be decoded; `None` if not.
pub(super) fn check(
    component: &Component<'_, '_>,
    (profile, is_stored): (&EffectiveProfile, bool),
    findings: &mut Findings,
) -> Option<()> {
    let place = FieldPath::new("spec.cloudProfile");
    let name = profile.cloud_profile();
    let text = match &profile.spec().provider_config {
        KeptConfiguration::Unknown => return Some(()),
        KeptConfiguration::Absent => {
            let message = format!("CloudProfile `{}` has no `providerConfig`", short(name));
            findings
                .report(&PROFILE, ErrorType::Denied, FieldPath::root(), message)
                .at(&place)
                .help("use another profile, or let a garden operator add its `providerConfig`");
            return None;
        }
        KeptConfiguration::Text(text) => text,
    };
    let mut decode = |text: &str, name: &str| {
        let at = (name, &place, &UNDECODABLE);
        // That of the stored Shoot is decoded leniently.
        decode_profile::<CloudProfileConfig>(component, (text, is_stored), at, findings).map(drop)
    };
    decode(text, name)?;
    if let EffectiveProfile::Namespaced(profile, Some(_)) = profile
        && let Some(own) = &profile.spec.provider_config
    {
        decode(own.get(), &profile.metadata.name)?;
    }
    Some(())
}
