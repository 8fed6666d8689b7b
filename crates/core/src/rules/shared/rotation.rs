// SPDX-License-Identifier: Apache-2.0
//! Rotation of a Shoot's credentials.

use garden_gate_model::api::ShootStatus;

/// Reports whether the last operation allows a rotation to start.
///
/// Mirrors isShootReadyForRotationStart in `pkg/api/core/validation/shoot.go`.
pub(crate) fn is_ready_for_rotation_start(status: &ShootStatus) -> bool {
    status.last_operation.as_ref().is_some_and(|it| match it.kind.as_str() {
        "Create" | "Restore" => it.state == "Succeeded",
        kind => kind == "Reconcile",
    })
}
