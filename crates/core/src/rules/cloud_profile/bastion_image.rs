// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;

use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use crate::rules::shared::lists::similar;
use garden_gate_model::api::{
    Bastion, BastionMachineImage, CloudProfile, CloudProfileSpec, MachineImageVersion,
};
use garden_gate_model::gardener::version::is_supported;

rule! {
    page: include_str!("bastion_image.md"),
    id: "cloudprofile/bastion-image",
    summary: "rejects a bastion without a usable machine type or supported image",
    phase: Static,
    level: Deny,
    scopes: [CloudProfile [Create, Update]],
    findings: {
        UNUSABLE = "cloudprofile/bastion-image": "the bastion has no machine type or image, or an unusable one",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Write<'_, CloudProfile>, findings: &mut Findings) {
    let new = profile.new;
    let spec = &new.spec;
    let Some(bastion) = &spec.bastion else { return };
    let path = FieldPath::new("spec.bastion");
    if bastion.machine_type.is_none() && bastion.machine_image.is_none() {
        let message = "a bastion needs a machine type, a machine image or both";
        findings
            .invalid(&UNUSABLE, path.clone(), message)
            .help("name one of them, or leave `bastion` out");
    }
    if let Some(machine_type) = &bastion.machine_type
        && !spec.machine_types.iter().any(|t| t.name == machine_type.name)
    {
        let name = machine_type.name.as_str();
        let message = format!("the profile has no machine type `{name}`");
        let at = path.child("machineType").child("name");
        findings.invalid(&UNUSABLE, at, message).value(name).help(instead(
            name,
            spec.machine_types.iter().map(|it| it.name.as_str()),
            "machine types",
        ));
    }
    if let Some(image) = &bastion.machine_image {
        check_image(spec, image, context.now, findings);
    }
}

fn check_image(
    spec: &CloudProfileSpec,
    image: &BastionMachineImage,
    now: Timestamp,
    findings: &mut Findings,
) {
    let path = FieldPath::new("spec.bastion.machineImage");
    let name = image.name.as_str();
    let Some(offered) = spec.machine_images.iter().find(|i| i.name == name) else {
        let message = format!("the profile has no machine image `{name}`");
        findings.invalid(&UNUSABLE, path.child("name"), message).value(name).help(instead(
            name,
            spec.machine_images.iter().map(|it| it.name.as_str()),
            "machine images",
        ));
        return;
    };
    let wanted = image.version.as_deref();
    let is_offered = |wanted: &&str| offered.versions.iter().any(|v| v.version == **wanted);
    if let Some(version) = wanted.filter(|wanted| !is_offered(wanted)) {
        let message = format!("machine image `{name}` has no version `{version}`");
        findings
            .invalid(&UNUSABLE, path.child("version"), message)
            .value(version)
            .help("name one of its versions, or none");
        return;
    }
    if !candidates(spec, now).is_empty() {
        return;
    }
    let (field, value) = wanted.map_or(("name", name), |version| ("version", version));
    let message = format!(
        "no version of machine image `{name}` that the bastion may use is classified `supported` and fits its machine type"
    );
    findings
        .invalid(&UNUSABLE, path.child(field), message)
        .value(value)
        .help("classify a version `supported`, or name another image");
}

/// Returns the help for a name that is missing in the profile.
fn instead<'a>(name: &str, known: impl Iterator<Item = &'a str>, what: &str) -> Help {
    similar(name, known).unwrap_or_else(|| format!("name one of the profile's {what}").into())
}

/// Returns the architecture of the bastion's machine type, empty if it has none.
///
/// Returns `None` if the architecture does not matter.
fn architecture<'a>(spec: &'a CloudProfileSpec, bastion: &Bastion) -> Option<&'a str> {
    let name = &bastion.machine_type.as_ref()?.name;
    let machine_type = spec.machine_types.iter().find(|t| t.name == *name)?;
    let architecture = machine_type.architecture_within(spec.defined_architectures());
    Some(architecture.unwrap_or_default())
}

/// Reports whether an image version runs on an architecture.
///
/// Its own list is used only in a profile without capabilities. Mirrors SupportsArchitecture in `pkg/apis/core/types_cloudprofile.go`, which
/// accepts an architecture that only the profile defines.
fn runs_on(version: &MachineImageVersion, architecture: &str, spec: &CloudProfileSpec) -> bool {
    if spec.machine_capabilities.is_empty() {
        let mut own = version.architectures.iter();
        return own.any(|known| *known == *architecture);
    }
    let contains = |list: &[String]| list.iter().any(|known| known == architecture);
    let mut flavors = version.capability_flavors.iter();
    contains(spec.defined_architectures())
        || flavors.any(|flavor| flavor.get("architecture").is_some_and(|of| contains(of)))
}

/// Returns the versions of the bastion's image that it may use at `now`.
pub(crate) fn candidates(spec: &CloudProfileSpec, now: Timestamp) -> Vec<&MachineImageVersion> {
    let Some(bastion) = &spec.bastion else {
        return Vec::new();
    };
    let Some(image) = &bastion.machine_image else {
        return Vec::new();
    };
    let architecture = architecture(spec, bastion);
    let offered = spec.machine_images.iter().find(|i| i.name == image.name);
    let versions = offered.map_or(&[][..], |offered| &offered.versions).iter();
    let wanted = image.version.as_deref();
    versions
        .filter(|version| wanted.is_none_or(|wanted| version.version == wanted))
        .filter(|version| version.classification.is_some() && is_supported(*version, now))
        .filter(|version| architecture.is_none_or(|it| runs_on(version, it, spec)))
        .collect()
}
