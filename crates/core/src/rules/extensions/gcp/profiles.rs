// SPDX-License-Identifier: Apache-2.0
//! The machine images of profiles on Google Cloud, as provider-gcp judges them.

use crate::admission::{FieldPath, FindingKind, Findings, Help, finding_kinds};
use crate::rules::extensions::provider_profiles::{
    Flavor, JudgedVersion, PlainImage, ProviderProfiles,
};
use crate::rules::shared::lists::{one_of, short};
use garden_gate_model::api::extensions::gcp::EXTENSION;
use garden_gate_model::api::extensions::gcp::cloud_profile::MachineImageVersion;
use garden_gate_model::gardener::extensions::gcp_profile::architecture;

finding_kinds! {
    pub(super) UNDECODABLE = "gcp/profile-undecodable": "the providerConfig of a profile on Google Cloud cannot be decoded",
    pub(super) INVALID = "gcp/profile-invalid": "a machine image in the providerConfig of a profile on Google Cloud is invalid",
    pub(super) UNMAPPED = "gcp/profile-unmapped": "machine images of a profile on Google Cloud differ from those in its providerConfig",
}

/// The rules for profiles.
pub(super) static PROFILES: ProviderProfiles = ProviderProfiles {
    extension: &EXTENSION,
    undecodable: &UNDECODABLE,
    invalid: &INVALID,
    unmapped: &UNMAPPED,
};

const ARCHITECTURES: &[&str] = &["amd64", "arm64"];

impl JudgedVersion for MachineImageVersion {
    const IS_LAST_USED: bool = false;
    const COMPARES_EACH_ENTRY: bool = true;

    fn flavors(&self) -> Vec<Flavor<'_>> {
        let flavors = self
            .capability_flavors
            .iter()
            .map(|flavor| Flavor { capabilities: &flavor.capabilities, images: Vec::new() });
        flavors.collect()
    }

    /// An entry without an image has an architecture, too.
    fn plain_images(&self) -> Vec<PlainImage<'_>> {
        vec![PlainImage { region: "", architecture: architecture(self) }]
    }

    fn fields_without_flavors(&self, place: &FieldPath) -> Vec<FieldPath> {
        let has_image = !self.image.is_empty();
        has_image.then(|| place.child("image")).into_iter().collect()
    }

    fn check_plain(&self, place: &FieldPath, kind: &'static FindingKind, findings: &mut Findings) {
        if self.image.is_empty() {
            findings
                .required(kind, place.child("image"), "a version of a machine image has no `image`")
                .help("set it, for example to `projects/my-project/global/images/my-image`");
        }
        check_architecture(self, place, kind, findings);
    }

    fn check_plain_with_capabilities(
        &self,
        place: &FieldPath,
        kind: &'static FindingKind,
        findings: &mut Findings,
    ) {
        if self.image.is_empty() {
            let message =
                "a version of a machine image has neither `image` nor `capabilityFlavors`";
            findings
                .required(kind, place.child("image"), message)
                .help("list its `capabilityFlavors` with an `image` each");
            return;
        }
        check_architecture(self, place, kind, findings);
    }

    fn check_next_to_flavors(
        &self,
        place: &FieldPath,
        kind: &'static FindingKind,
        findings: &mut Findings,
    ) {
        if let Some(written) = self.architecture.as_deref().filter(|it| !it.is_empty()) {
            let message = "an entry with capability flavors cannot have an architecture";
            findings.forbid(kind, place.child("architecture"), message).value(written).help(
                Help::remove("remove it; the capability `architecture` of the flavors is used"),
            );
        }
    }

    fn check_flavor(
        &self,
        index: usize,
        _flavor: &Flavor<'_>,
        place: &FieldPath,
        kind: &'static FindingKind,
        findings: &mut Findings,
    ) {
        let flavor = self.capability_flavors.get(index);
        if flavor.is_some_and(|it| it.image.is_empty()) {
            findings
                .required(kind, place.child("image"), "a capability flavor has no `image`")
                .help("set it, for example to `projects/my-project/global/images/my-image`");
        }
    }
}

fn check_architecture(
    entry: &MachineImageVersion,
    place: &FieldPath,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    let architecture = architecture(entry);
    if !ARCHITECTURES.contains(&architecture) {
        let message = format!("`{}` is not a supported architecture", short(architecture));
        findings
            .unsupported(kind, place.child("architecture"), message)
            .value(architecture)
            .help(one_of(architecture, ARCHITECTURES));
    }
}
