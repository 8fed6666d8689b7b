// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use super::{image_version, machine_images};
use crate::admission::{FieldPath, Findings, finding_kinds};
use crate::rules::shared::lists::one_of;
use garden_gate_model::api::MachineImage;
use garden_gate_text::go::{Version, qualified_name_error};

finding_kinds! {
    pub(crate) NO_IMAGES = "cloudprofile/machine-images-missing": "the profile has no machine image",
    pub(crate) LATEST_UNDETERMINED = "cloudprofile/machine-images-latest-undetermined": "the highest version of a machine image cannot be determined",
    pub(crate) DUPLICATE_IMAGE = "cloudprofile/machine-image-duplicate": "a machine image is listed twice",
    pub(crate) MALFORMED_NAME = "cloudprofile/machine-image-name": "a machine image has no name, or one that is not a valid label value",
    pub(crate) NO_VERSIONS = "cloudprofile/machine-image-versions-missing": "a machine image has no version",
    pub(crate) UPDATE_STRATEGY = "cloudprofile/update-strategy": "a machine image has no update strategy, or an unsupported one",
    pub(crate) DUPLICATE_VERSION = "cloudprofile/machine-image-version-duplicate": "a machine image version is listed twice in the profile",
    pub(crate) MALFORMED_VERSION = "cloudprofile/machine-image-version-malformed": "a machine image version is not a valid semantic version",
}

/// Checks a list of images of either kind of profile: names, strategies, versions.
///
/// Mirrors ValidateMachineImages in `pkg/api/core/validation/utils.go`.
pub(crate) fn check_images(images: &[MachineImage], spec: &'static str, findings: &mut Findings) {
    let mut names = HashSet::new();
    let mut keys = HashSet::with_capacity(images.iter().map(|image| image.versions.len()).sum());
    let mut readable = true;
    for (index, image) in images.iter().enumerate() {
        let path = || machine_images(spec).index(index);
        if !names.insert(image.name.as_str()) {
            let message = format!("machine image `{}` is already in the list", image.name);
            findings
                .duplicate(&DUPLICATE_IMAGE, path(), message)
                .value(image.name.as_str())
                .help("merge the two entries");
        }
        check_name(&image.name, &path, findings);
        check_strategy(image, &path, findings);
        for (position, version) in image.versions.iter().enumerate() {
            let place = || image_version(spec, index, position);
            readable &= check_version(&version.version, &place, findings);
            let key = Key(&image.name, &version.version);
            if !keys.insert(key) {
                report_duplicate(&key, place(), findings);
            }
        }
    }
    if !readable {
        let message = "the highest version of an image cannot be determined, because one of its versions cannot be read";
        findings
            .invalid(&LATEST_UNDETERMINED, machine_images(spec), message)
            .help("write the version as in `1.2.3`");
    }
}

/// Checks required fields of a complete profile: images, versions, strategies.
///
/// Mirrors ValidateCloudProfileMachineImages in `pkg/api/core/validation/cloudprofile.go`.
pub(crate) fn check_present(images: &[MachineImage], spec: &'static str, findings: &mut Findings) {
    if images.is_empty() {
        let message = "a profile needs at least one machine image";
        let path = machine_images(spec);
        findings.required(&NO_IMAGES, path, message).help("add an image with a version");
    }
    for (index, image) in images.iter().enumerate() {
        let path = || machine_images(spec).index(index);
        check_has_versions(image, path, findings);
        if image.update_strategy.is_none() {
            let message = format!("machine image `{}` needs an update strategy", image.name);
            let path = path().child("updateStrategy");
            findings
                .required(&UPDATE_STRATEGY, path, message)
                .help("set `updateStrategy` to `major`, `minor` or `patch`");
        }
    }
}

/// Checks that an image has versions.
pub(crate) fn check_has_versions(
    image: &MachineImage,
    path: impl Fn() -> FieldPath,
    findings: &mut Findings,
) {
    if image.versions.is_empty() {
        let message = format!(
            "machine image `{}` needs at least one version that has not expired",
            image.name
        );
        let path = path().child("versions");
        findings.required(&NO_VERSIONS, path, message).help("add a version, or remove the image");
    }
}

fn check_name(name: &str, path: &dyn Fn() -> FieldPath, findings: &mut Findings) {
    let why = if name.is_empty() {
        let message = "a machine image needs a name";
        let path = path().child("name");
        findings.required(&MALFORMED_NAME, path, message);
        return;
    } else if name.contains('/') {
        Some("it contains `/`")
    } else {
        qualified_name_error(name)
    };
    if let Some(why) = why {
        let message = format!("machine image name `{name}` cannot be a label value: {why}");
        let path = path().child("name");
        findings
            .invalid(&MALFORMED_NAME, path, message)
            .value(name)
            .help("use letters, digits, `-`, `_` and `.`");
    }
}

fn check_strategy(image: &MachineImage, path: &dyn Fn() -> FieldPath, findings: &mut Findings) {
    let Some(strategy) = image.update_strategy.as_deref() else {
        return;
    };
    if !matches!(strategy, "major" | "minor" | "patch") {
        let message = format!(
            "update strategy `{strategy}` of machine image `{}` does not exist; there are `major`, `minor`, `patch`",
            image.name
        );
        let path = path().child("updateStrategy");
        findings
            .unsupported(&UPDATE_STRATEGY, path, message)
            .value(strategy)
            .help(one_of(strategy, &["major", "minor", "patch"]));
    }
}

/// Checks that a version can be parsed; returns whether it can.
pub(crate) fn check_version(
    version: &str,
    place: &dyn Fn() -> FieldPath,
    findings: &mut Findings,
) -> bool {
    let Err(why) = Version::parse(version) else {
        return true;
    };
    let path = place().child("version");
    let kind = &MALFORMED_VERSION;
    if version.is_empty() {
        let message = "a machine image version needs a version";
        findings.required(kind, path.clone(), message);
    }
    let message = format!("machine image version `{version}` is no semantic version: {why}");
    findings.invalid(kind, path, message).value(version).help("write it as in `1.2.3`");
    false
}

fn report_duplicate(key: &Key<'_>, path: FieldPath, findings: &mut Findings) {
    let Key(image, version) = key;
    let key = format!("{image}-{version}");
    let message = format!(
        "version `{version}` of machine image `{image}` is already in the profile, or another image and version together also make `{key}`"
    );
    findings
        .duplicate(&DUPLICATE_VERSION, path, message)
        .value(key)
        .help("remove one of the two, or rename one image");
}

/// The key `<image>-<version>`, compared without allocation.
///
/// `foo` + `1-2.0.0` equals `foo-1` + `2.0.0`.
#[derive(Clone, Copy)]
struct Key<'a>(&'a str, &'a str);

impl Key<'_> {
    fn bytes(&self) -> impl Iterator<Item = u8> {
        self.0.bytes().chain([b'-']).chain(self.1.bytes())
    }
}

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        if self.0.len() == other.0.len() {
            return self.0 == other.0 && self.1 == other.1;
        }
        self.bytes().eq(other.bytes())
    }
}

impl Eq for Key<'_> {}

impl Hash for Key<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(self.0.as_bytes());
        state.write(b"-");
        state.write(self.1.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Key;

    #[test]
    fn a_key_is_the_joined_text() {
        let keys = HashSet::from([Key("foo", "1-2.0.0"), Key("foo-1", "2.0.0"), Key("foo", "2")]);
        assert_eq!(keys.len(), 2);
    }
}
