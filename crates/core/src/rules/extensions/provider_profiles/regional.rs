// SPDX-License-Identifier: Apache-2.0
use crate::admission::{FieldPath, FindingKind, Findings, Help};
use crate::rules::shared::lists::one_of;

const ARCHITECTURES: &[&str] = &["amd64", "arm64"];

/// The images of an entry or capability flavor of a provider whose images have regions.
pub(super) struct RegionalImages<'a> {
    pub(super) images: &'a [RegionalImage<'a>],
    /// The name of the field with the identifier of an image, such as `ami`.
    pub(super) id_field: &'static str,
    /// Whether there can be no images.
    pub(super) is_optional: bool,
    /// Whether these are the images of a capability flavor.
    pub(super) is_flavor: bool,
}

/// An image in a region.
pub(crate) struct RegionalImage<'a> {
    pub(crate) region: &'a str,
    pub(crate) id: &'a str,
    /// As written.
    pub(crate) architecture: Option<&'a str>,
}

impl RegionalImages<'_> {
    /// Checks the images in the field `regions` of the object at `place`.
    pub(super) fn check(
        &self,
        place: &FieldPath,
        kind: &'static FindingKind,
        findings: &mut Findings,
    ) {
        let at = place.child("regions");
        if self.images.is_empty() && !self.is_optional {
            findings
                .required(kind, at, "a version of a machine image has no image in any region")
                .help(format!("add `regions` with a `name` and an `{}` each", self.id_field));
            return;
        }
        for (index, image) in self.images.iter().enumerate() {
            self.check_image(image, &at.index(index), kind, findings);
        }
    }

    fn check_image(
        &self,
        image: &RegionalImage<'_>,
        place: &FieldPath,
        kind: &'static FindingKind,
        findings: &mut Findings,
    ) {
        if image.region.is_empty() {
            findings
                .required(kind, place.child("name"), "an image has no region")
                .help("set `name` to the name of a region");
        }
        if image.id.is_empty() {
            let message =
                format!("the image in region `{}` has no `{}`", image.region, self.id_field);
            findings
                .required(kind, place.child(self.id_field), message)
                .help(format!("set `{}` to the identifier of the image", self.id_field));
        }
        let Some(architecture) = image.architecture else {
            return;
        };
        let at = place.child("architecture");
        if self.is_flavor {
            findings
                .forbid(kind, at, "an image of a capability flavor cannot have an architecture")
                .value(architecture)
                .help(Help::remove(
                    "remove it; the capability `architecture` of the flavor is used",
                ));
        } else if !ARCHITECTURES.contains(&architecture) {
            let message = format!("`{architecture}` is not a supported architecture");
            findings
                .unsupported(kind, at, message)
                .value(architecture)
                .help(one_of(architecture, ARCHITECTURES));
        }
    }
}
