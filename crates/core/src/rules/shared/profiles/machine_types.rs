// SPDX-License-Identifier: Apache-2.0
use super::architectures::Defined;
use crate::admission::{FieldPath, Findings, finding_kinds};
use garden_gate_model::api::MachineType;

finding_kinds! {
    pub(crate) TYPE_CAPABILITIES = "cloudprofile/machine-type-capabilities": "a machine type's capabilities conflict with its architecture or the profile",
}

/// Checks the capabilities of a machine type of a profile that defines capabilities.
///
/// Mirrors validateMachineTypeCapabilities in `pkg/api/core/validation/utils.go`.
pub(crate) fn check_type_capabilities(
    machine_type: &MachineType,
    defined: &Defined<'_>,
    place: &dyn Fn() -> FieldPath,
    findings: &mut Findings,
) {
    let path = || place().child("capabilities");
    check_architecture(machine_type, place, findings);
    let (capabilities, unknown) = (&machine_type.capabilities, "the profile defines no capability");
    defined.check(capabilities, unknown, &TYPE_CAPABILITIES, &path, findings);
}

fn check_architecture(
    machine_type: &MachineType,
    place: &dyn Fn() -> FieldPath,
    findings: &mut Findings,
) {
    let architectures = machine_type.capabilities.get("architecture");
    let own = machine_type.architecture.as_deref().unwrap_or_default();
    let (field, message, help) = match architectures.map(Vec::as_slice).unwrap_or_default() {
        [only] if !own.is_empty() && own != only => {
            let message = format!(
                "the machine type has architecture `{own}`, and `{only}` among its capabilities"
            );
            (place().child("architecture"), message, "keep one of both")
        }
        [] | [_] => return,
        [..] => {
            let message = "the machine type has more than one architecture".to_owned();
            let field = place().child("capabilities").child("architecture");
            (field, message, "keep one")
        }
    };
    let kind = &TYPE_CAPABILITIES;
    findings.invalid(kind, field, message).help(help);
}
