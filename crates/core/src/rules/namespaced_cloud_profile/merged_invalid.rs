// SPDX-License-Identifier: Apache-2.0
use super::{kubernetes_overrides, machine_image_overrides, parent};
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shared::profiles::{
    Defined, LifecycleSettings, by_name, check_architectures, check_compatibility, check_cri,
    check_images, check_latest, check_lifecycle, check_overlaps, check_present,
    check_type_capabilities, check_versions, image_version, kubernetes_versions,
};
use garden_gate_model::api::{CloudProfileSpec, NamespacedCloudProfile};
use garden_gate_model::gardener::version::merge_profiles;

rule! {
    page: include_str!("merged_invalid.md"),
    id: "namespacedcloudprofile/merged-invalid",
    summary: "rejects overrides that make the merged CloudProfile invalid",
    phase: Admission,
    level: Deny,
    scopes: [NamespacedCloudProfile [Create, Update]],
    reads: [CloudProfile],
    only_if: Changed,
    findings: {
        INVALID = "namespacedcloudprofile/merged-invalid": "the merged CloudProfile violates a CloudProfile rule",
    },
    check: Judge(check),
}

const MERGED: &str = "status.cloudProfileSpec";

fn check(
    context: &Context<'_>,
    profile: Write<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let new = profile.new;
    let Some(parent) = parent(context, new, findings) else {
        return;
    };
    let (settings, old) = (LifecycleSettings::of(context), profile.old);
    let is_refused_by_itself = findings.would_find(|findings| {
        kubernetes_overrides::check_overrides(new, old, &parent, settings.now, findings);
        machine_image_overrides::check_overrides(new, old, &parent, settings, findings);
        let offered = by_name(&parent.spec.machine_images);
        let images = new.spec.machine_images.iter();
        for own in images.filter(|image| !offered.contains_key(image.name.as_str())) {
            // namespacedcloudprofile/machine-images reports violations of such an image.
            check_images(std::slice::from_ref(own), "spec", findings);
        }
    });
    if is_refused_by_itself {
        return;
    }
    let merged = merge_profiles(&parent.spec, &new.spec);
    findings.under(&INVALID, &FieldPath::new("spec.kubernetes"), |findings| {
        check_kubernetes(&merged, settings, findings);
    });
    findings.under(&INVALID, &FieldPath::new("spec.machineImages"), |findings| {
        check_machine_images(&merged, settings, findings);
    });
    if !merged.machine_capabilities.is_empty() {
        let path = FieldPath::new("spec.machineTypes");
        findings.under(&INVALID, &path, |findings| {
            check_machine_types(&merged, findings);
        });
    }
}

fn check_kubernetes(
    merged: &CloudProfileSpec,
    settings: LifecycleSettings,
    findings: &mut Findings,
) {
    let versions = &merged.kubernetes.versions;
    let path = kubernetes_versions(MERGED);
    check_latest(versions, MERGED, settings.now, findings);
    check_versions(versions, MERGED, findings);
    for (index, version) in versions.iter().enumerate() {
        check_lifecycle(version, settings.is_enabled, &|| path.index(index), findings);
    }
    check_overlaps(versions, settings, |index| path.index(index), findings);
}

/// Checks machine types beyond the checks of the API server.
fn check_machine_types(merged: &CloudProfileSpec, findings: &mut Findings) {
    let defined = Defined::by(&merged.machine_capabilities);
    for (index, machine_type) in merged.machine_types.iter().enumerate() {
        let place = || FieldPath::new(MERGED).child("machineTypes").index(index);
        check_type_capabilities(machine_type, &defined, &place, findings);
    }
}

fn check_machine_images(
    merged: &CloudProfileSpec,
    settings: LifecycleSettings,
    findings: &mut Findings,
) {
    let images = &merged.machine_images;
    if images.is_empty() {
        return;
    }
    check_present(images, MERGED, findings);
    check_images(images, MERGED, findings);
    let defined = Defined::by(&merged.machine_capabilities);
    for (image, machine_image) in images.iter().enumerate() {
        for (index, version) in machine_image.versions.iter().enumerate() {
            let place = || image_version(MERGED, image, index);
            check_compatibility(version, &place, findings);
            check_cri(&version.cri, &place, findings);
            check_lifecycle(version, settings.is_enabled, &place, findings);
            check_architectures(version, &defined, &place, findings);
        }
        let place = |index| image_version(MERGED, image, index);
        check_overlaps(&machine_image.versions, settings, place, findings);
    }
}
