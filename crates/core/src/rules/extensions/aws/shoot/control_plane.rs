// SPDX-License-Identifier: Apache-2.0
//! The configuration of the control plane. Source: `pkg/apis/aws/validation/controlplane.go`.

use super::judged::{CHECKS_SYNTAX, CONTROL_PLANE, Judged};
use super::syntax::INGRESS_CLASS;
use crate::admission::{FieldPath, Findings};
use crate::rules::extensions::provider_shoots::check_feature_gates;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::GardenerVersion;
use garden_gate_model::api::extensions::aws::control_plane::ControlPlaneConfig;

pub(super) fn check(
    judged: &Judged<'_>,
    config: &ControlPlaneConfig,
    gardener: GardenerVersion,
    findings: &mut Findings,
) {
    let place = ReportedPath::same(FieldPath::new("spec.provider.controlPlaneConfig"));
    check_feature_gates(
        &config.cloud_controller_manager.feature_gates,
        judged.shoot.spec.kubernetes.version.as_str(),
        gardener,
        &place.descendant("cloudControllerManager.featureGates"),
        &CONTROL_PLANE,
        findings,
    );
    if let Some(name) =
        config.load_balancer_controller.as_ref().and_then(|it| it.ingress_class_name.as_deref())
        && judged.version >= CHECKS_SYNTAX
    {
        let at = place.descendant("loadBalancerController.ingressClassName");
        INGRESS_CLASS.check(name, &at, &CONTROL_PLANE, findings);
    }
}
