// SPDX-License-Identifier: Apache-2.0
//! Kinds that manifests with typing errors mean.

use crate::report::clip;
use garden_gate_core::admission::Kind;
use garden_gate_model::api::group_and_version;
use garden_gate_text::nearest::did_you_mean;

/// The intended kind of a manifest, from its `apiVersion` and `kind`.
#[derive(Debug, Eq, PartialEq)]
pub(super) enum ManifestKind {
    /// An object of this kind, exactly or with an obvious typing error.
    Kind(Kind),
    /// An object with an unknown kind in one of Gardener's groups; the sentence is the message.
    Nothing(String),
    /// An object that is never judged.
    Other,
}

/// Gardener's groups whose kinds are judged, with their kinds that are not judged.
const GROUPS: [(&str, &[&str]); 4] = [
    ("core.gardener.cloud", &[]),
    ("operations.gardener.cloud", &[]),
    ("security.gardener.cloud", &["TokenRequest"]),
    ("seedmanagement.gardener.cloud", &[]),
];

/// The former group of kinds that are now in `core.gardener.cloud`.
const REMOVED_GROUP: &str = "garden.sapcloud.io";

/// Maximum size of an echoed string in bytes.
const LONGEST: usize = 200;
/// Maximum number of typing errors in a recognizable word.
const MISTAKES: usize = 2;

/// Returns the intended kind of a manifest with this `apiVersion` and `kind`.
pub(super) fn meant(api_version: &str, kind: &str) -> ManifestKind {
    let (group, version) = group_and_version(api_version);
    let mut judged = Kind::judged();
    if let Some(known) = judged.find(|it| it.is_served(group, version) && it.as_str() == kind) {
        return ManifestKind::Kind(known);
    }
    // Without a version, the whole string is the group.
    let group = if version.contains('.') { version } else { group };
    let group = match group {
        REMOVED_GROUP => GROUPS[0].0,
        group => group,
    };
    let near_groups = GROUPS.iter().filter(|(known, _)| is_near(group, known));
    for (known, others) in near_groups {
        if others.contains(&kind) {
            return ManifestKind::Other;
        }
        let mut kinds = Kind::judged().filter(|it| it.api().0 == *known);
        if let Some(kind) = kinds.find(|it| is_kind(kind, *it)) {
            return ManifestKind::Kind(kind);
        }
        let is_group = |group: &str| GROUPS.iter().any(|(other, _)| *other == group);
        let elsewhere = Kind::judged().find(|it| it.as_str() == kind && is_group(it.api().0));
        if let Some(kind) = elsewhere {
            return ManifestKind::Kind(kind);
        }
        if group == *known && !api_version.starts_with(REMOVED_GROUP) {
            return ManifestKind::Nothing(no_such_kind(api_version, known, others, kind));
        }
    }
    ManifestKind::Other
}

fn is_kind(written: &str, kind: Kind) -> bool {
    is_near(written, kind.as_str()) || written.eq_ignore_ascii_case(kind.resource())
}

/// Reports whether words are equal except for case and a few typing errors, fewer in a short word.
fn is_near(written: &str, word: &str) -> bool {
    let mistakes = MISTAKES.min(word.len() / 4);
    let is_of_a_length = written.len().abs_diff(word.len()) <= mistakes;
    let [written, word] = [written, word].map(str::to_ascii_lowercase);
    is_of_a_length && strsim::osa_distance(&written, &word) <= mistakes
}

fn no_such_kind(api_version: &str, group: &str, others: &[&'static str], kind: &str) -> String {
    let judged = Kind::judged().filter(|it| it.api().0 == group).map(Kind::as_str);
    let names: Vec<&str> = judged.chain(others.iter().copied()).collect();
    let [api_version, kind] = [api_version, kind].map(|text| clip(text, LONGEST));
    let hint =
        did_you_mean(&kind, &names).unwrap_or_else(|| format!("there are {}", names.join(", ")));
    format!("`{api_version}` has no kind `{kind}`; {hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses_are_taken_for_what_they_resemble() {
        let core = "core.gardener.cloud/v1beta1";
        let cases = [
            (core, "Shoot", Kind::Shoot),
            (core, "shoot", Kind::Shoot),
            (core, "Shoots", Kind::Shoot),
            (core, "Cloudprofile", Kind::CloudProfile),
            (core, "quota", Kind::Quota),
            ("core.gardener.cloud/v1beta", "Shoot", Kind::Shoot),
            ("core.gardener.cloud/v1", "Seed", Kind::Seed),
            ("core.gardener.cloud", "Project", Kind::Project),
            ("core.gardner.cloud/v1beta1", "Shoot", Kind::Shoot),
            ("garden.sapcloud.io/v1beta1", "Shoot", Kind::Shoot),
            ("security.gardener.cloud/v1beta1", "CredentialsBinding", Kind::CredentialsBinding),
            ("core.gardener.cloud/v1", "ControllerDeployment", Kind::ControllerDeployment),
            (core, "ControllerDeployment", Kind::ControllerDeployment),
            (core, "BackupBukket", Kind::BackupBucket),
            ("operations.gardener.cloud/v1alpha1", "bastion", Kind::Bastion),
            ("seedmanagement.gardener.cloud/v1beta1", "gardenlets", Kind::Gardenlet),
        ];
        for (api_version, kind, expected) in cases {
            assert_eq!(
                meant(api_version, kind),
                ManifestKind::Kind(expected),
                "{api_version} {kind}"
            );
        }
    }

    #[test]
    fn what_is_of_no_concern_is_left_alone() {
        for (api_version, kind) in [
            ("v1", "Secret"),
            ("security.gardener.cloud/v1alpha1", "TokenRequest"),
            ("extensions.gardener.cloud/v1alpha1", "Worker"),
            ("project.openshift.io/v1", "Project"),
            ("v1", "ResourceQuota"),
            ("", ""),
        ] {
            assert_eq!(meant(api_version, kind), ManifestKind::Other, "{api_version} {kind}");
        }
    }

    #[test]
    fn gardener_group_without_the_kind_is_reported() {
        let ManifestKind::Nothing(why) = meant("core.gardener.cloud/v1beta1", "BackupVault") else {
            unreachable!("it is meant to be nothing");
        };
        let expected = "`core.gardener.cloud/v1beta1` has no kind `BackupVault`; there are Shoot, ";
        assert!(why.starts_with(expected), "{why}");
        let long = meant("core.gardener.cloud/v1beta1", &"x".repeat(1_000_000));
        assert!(matches!(long, ManifestKind::Nothing(_)));
    }
}
