// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shared::profiles::image_version;
use garden_gate_model::api::{CloudProfile, CloudProfileSpec, MachineImageVersion};
use garden_gate_model::gardener::version::{
    is_expired, supports_architecture, supports_capabilities,
};
use garden_gate_text::go::{Constraint, Version};

rule! {
    page: include_str!("image_version_unusable.md"),
    id: "audit/image-version-unusable",
    summary: "warns about a machine image version that no worker pool can run",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Audit,
    scopes: [CloudProfile [Update]],
    findings: {
        UNUSABLE = "audit/image-version-unusable": "no worker pool can run a version of a machine image",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Write<'_, CloudProfile>, findings: &mut Findings) {
    let spec = &profile.new.spec;
    let now = context.now;
    let kubernetes: Vec<Version> = spec
        .kubernetes
        .versions
        .iter()
        .filter(|it| !is_expired(*it, now))
        .filter_map(|it| Version::parse(&it.version).ok())
        .collect();
    for (index, image) in spec.machine_images.iter().enumerate() {
        for (position, version) in image.versions.iter().enumerate() {
            if is_expired(version, now) {
                continue;
            }
            let why = match &version.kubelet_version_constraint {
                _ if !has_machine_type(spec, version) => {
                    "the profile has no usable machine type of its architecture and capabilities"
                        .to_owned()
                }
                Some(constraint) if !admits_any(constraint, &kubernetes) => format!(
                    "it admits Kubernetes `{constraint}`, of which the profile has no version that has not expired"
                ),
                _ => continue,
            };
            let path = image_version("spec", index, position);
            let name = &image.name;
            let message =
                format!("no worker pool can run machine image `{name}:{}`: {why}", version.version);
            findings
                .forbid(&UNUSABLE, path, message)
                .value(version.version.as_str())
                .help("let it expire, or correct what it fits");
        }
    }
}

fn has_machine_type(spec: &CloudProfileSpec, version: &MachineImageVersion) -> bool {
    let mut usable = spec
        .machine_types
        .iter()
        .filter(|it| it.usable != Some(false))
        .filter(|it| supports_capabilities(version, spec, it));
    usable.any(|machine_type| {
        let architecture = machine_type.architecture_within(spec.defined_architectures());
        // A type with several architectures can have each of them.
        architecture.is_none_or(|it| supports_architecture(version, spec, it))
    })
}

fn admits_any(constraint: &str, kubernetes: &[Version]) -> bool {
    let constraint = Constraint::parse(constraint);
    // Another rule refuses a constraint that cannot be parsed.
    constraint.is_ok_and(|it| kubernetes.iter().any(|version| it.matches(version)))
}
