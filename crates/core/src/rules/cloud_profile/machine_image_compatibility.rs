// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shared::profiles::{
    ARCHITECTURES, CRI, Defined, FLAVORS, KUBELET_CONSTRAINT, MIN_VERSION, check_architectures,
    check_compatibility, check_cri, image_version,
};
use garden_gate_model::api::CloudProfile;

rule! {
    page: include_str!("machine_image_compatibility.md"),
    id: "cloudprofile/machine-image-compatibility",
    summary: "rejects invalid constraints, architectures or runtimes of an image version",
    phase: Static,
    level: Deny,
    scopes: [CloudProfile [Create, Update]],
    findings: { MIN_VERSION, KUBELET_CONSTRAINT, CRI, ARCHITECTURES, FLAVORS },
    fixes: Safe,
    check: Judge(check),
}

fn check(_: &Context<'_>, profile: Write<'_, CloudProfile>, findings: &mut Findings) {
    let new = profile.new;
    let defined = Defined::by(&new.spec.machine_capabilities);
    for (image, machine_image) in new.spec.machine_images.iter().enumerate() {
        for (index, version) in machine_image.versions.iter().enumerate() {
            let place = || image_version("spec", image, index);
            check_compatibility(version, &place, findings);
            check_cri(&version.cri, &place, findings);
            check_architectures(version, &defined, &place, findings);
        }
    }
}
