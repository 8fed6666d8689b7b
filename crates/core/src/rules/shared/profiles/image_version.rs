// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;

use crate::admission::{FieldPath, Findings, Help, finding_kinds};
use garden_gate_model::api::{Cri, MachineImageVersion};
use garden_gate_text::go::{Constraint, Version, qualified_name_error};

finding_kinds! {
    pub(crate) MIN_VERSION = "cloudprofile/in-place-min-version": "`minVersionForUpdate` is not a valid semantic version",
    pub(crate) KUBELET_CONSTRAINT = "cloudprofile/kubelet-constraint": "the kubelet version constraint cannot be parsed",
    pub(crate) CRI = "cloudprofile/machine-image-cri": "a container runtime is missing, unsupported or a duplicate",
}

/// Checks the constraints of an image version on kubelet and in-place updates.
///
/// Mirrors validateMachineImageVersion in `pkg/api/core/validation/utils.go`.
pub(crate) fn check_compatibility(
    version: &MachineImageVersion,
    place: &dyn Fn() -> FieldPath,
    findings: &mut Findings,
) {
    let in_place = version.in_place_updates.as_ref();
    if let Some(minimum) = in_place.and_then(|updates| updates.min_version_for_update.as_deref())
        && let Err(why) = Version::parse(minimum)
    {
        let message = format!("`{minimum}` is no semantic version: {why}");
        // Gardener reports the name of a field that does not exist.
        let path = place().child("minVersionForInPlaceUpdate");
        let real = place().child("inPlaceUpdates").child("minVersionForUpdate");
        findings
            .invalid(&MIN_VERSION, path, message)
            .value(minimum)
            .at(&real)
            .help("name the lowest image version from which nodes can be updated in place");
    }
    if let Some(constraint) = version.kubelet_version_constraint.as_deref()
        && let Err(why) = Constraint::parse(constraint)
    {
        let message = format!("`{constraint}` is no version constraint: {why}");
        let path = place().child("kubeletVersionConstraint");
        findings
            .invalid(&KUBELET_CONSTRAINT, path, message)
            .value(constraint)
            .help("write it as in `>= 1.29, < 1.31`");
    }
}

/// Checks the container runtimes of an image version.
///
/// Mirrors validateContainerRuntimesInterfaces in `pkg/api/core/validation/cloudprofile.go`.
pub(crate) fn check_cri(cri: &[Cri], place: &dyn Fn() -> FieldPath, findings: &mut Findings) {
    let path = || place().child("cri");
    if cri.is_empty() {
        let message = "a machine image version needs a container runtime interface";
        findings.required(&CRI, path(), message).help("set `cri: [{name: containerd}]`");
    }
    let mut seen = HashSet::new();
    let several = cri.len() > 1;
    for (index, cri) in cri.iter().enumerate() {
        let path = || path().index(index);
        let name = &*cri.name;
        // Most versions have one runtime, for which a set would be too expensive.
        if several && !seen.insert(name) {
            let message = format!("container runtime interface `{name}` is already in the list");
            findings
                .duplicate(&CRI, path(), message)
                .value(name)
                .help("remove one of the two entries");
        }
        if name != "containerd" {
            let message = format!("container runtime interface `{name}` does not exist");
            let path = path().child("name");
            findings
                .unsupported(&CRI, path, message)
                .value(name)
                .help(Help::set("use `containerd`", "containerd"));
        }
        check_runtimes(cri, &path, findings);
    }
}

fn check_runtimes(cri: &Cri, path: &dyn Fn() -> FieldPath, findings: &mut Findings) {
    let mut seen = HashSet::new();
    let several = cri.container_runtimes.len() > 1;
    for (index, runtime) in cri.container_runtimes.iter().enumerate() {
        let path = || path().child("containerRuntimes").index(index).child("type");
        let kind = runtime.kind.as_str();
        if several && !seen.insert(kind) {
            let message = format!("container runtime `{kind}` is already in the list");
            findings
                .duplicate(&CRI, path(), message)
                .value(kind)
                .help("remove one of the two entries");
        }
        let why =
            if kind.contains('/') { Some("it contains `/`") } else { qualified_name_error(kind) };
        if let Some(why) = why {
            let message = format!("container runtime `{kind}` is not a name: {why}");
            findings
                .invalid(&CRI, path(), message)
                .value(kind)
                .help("use letters, digits, `-`, `_` and `.`");
        }
    }
}
