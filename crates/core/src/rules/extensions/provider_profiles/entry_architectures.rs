// SPDX-License-Identifier: Apache-2.0
use super::definitions::architectures;
use super::spec_images::{KnownVersions, SpecImages};
use super::{Definitions, JudgedVersion, provided_images};
use crate::admission::{FindingKind, Findings};
use garden_gate_model::gardener::extensions::capability_flavors::{
    ProviderImage, ProviderVersion as _,
};

/// Checks that each entry of a providerConfig outside of capability flavors is for an architecture of its version in `spec.machineImages`.
pub(super) fn check_entry_architectures<I: ProviderImage>(
    images: &[I],
    spec: &SpecImages<'_>,
    defined: &Definitions<'_>,
    kind: &'static FindingKind,
    findings: &mut Findings,
) where
    I::Version: JudgedVersion,
{
    let known = KnownVersions::of(spec.images);
    for (index, image) in images.iter().enumerate() {
        if !known.has_image(image.name()) {
            continue;
        }
        for (position, entry) in image.versions().iter().enumerate() {
            let found = known.position(image.name(), entry.version());
            let is_plain = || entry.flavors().is_empty() && entry.has_plain_image();
            let is_compared = match found {
                None => defined.is_empty() && I::Version::COMPARES_UNKNOWN_VERSIONS,
                Some(_) => defined.is_empty() || is_plain(),
            };
            if !is_compared {
                continue;
            }
            for plain in entry.plain_images() {
                let architecture = plain.architecture;
                if found.is_some_and(|at| has_architecture(spec, at, defined, architecture)) {
                    continue;
                }
                findings.report_lazily(kind, |findings| {
                    let place = provided_images().index(index);
                    let message = format!(
                        "`spec.machineImages` lists no architecture `{architecture}` for `{}` {}",
                        image.name(),
                        entry.version()
                    );
                    findings
                        .forbid(kind, provided_images(), message)
                        .at(&place.child("versions").index(position))
                        .help(
                            "add it to the version in `spec.machineImages`, or remove this entry",
                        );
                });
            }
        }
    }
}

/// Reports whether a version of a machine image, or one of its capability flavors, has an architecture.
fn has_architecture(
    spec: &SpecImages<'_>,
    (image, version): (usize, usize),
    defined: &Definitions<'_>,
    architecture: &str,
) -> bool {
    if !defined.is_empty() {
        let flavors = spec.flavors(image, version);
        let mut flavors = defined.filled_flavors(&flavors).into_iter();
        return flavors.any(|it| architectures(&it).contains(architecture));
    }
    let image = spec.images.get(image);
    let version = image.and_then(|it| it.versions.get(version));
    version.is_some_and(|it| it.architectures.iter().any(|it| it == architecture))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use garden_gate_model::api::MachineImage;

    #[test]
    fn architectures_are_those_of_the_version() {
        let images = json!([{"name": "a"}, {"name": "b", "versions": [
            {"version": "1", "architectures": ["amd64"]}, {"version": "2", "architectures": ["arm64"]}]}]);
        let images: Vec<MachineImage> = serde_json::from_value(images).unwrap();
        let spec = SpecImages::of(&images, std::iter::empty());
        let none = Definitions::of(&[]);
        let known = KnownVersions::of(&images);
        assert_eq!(known.position("b", "3"), None);
        let second = known.position("b", "2").unwrap();
        assert_eq!(second, (1, 1));
        assert!(has_architecture(&spec, second, &none, "arm64"));
        assert!(!has_architecture(&spec, second, &none, "amd64"));
    }
}
