// SPDX-License-Identifier: Apache-2.0
//! The configuration of the control plane. Source: `pkg/apis/openstack/validation/controlplane.go`.

use super::judged::{CONTROL_PLANE, Judged, in_control_plane};
use crate::admission::{ErrorType, Findings};
use crate::rules::extensions::openstack::load_balancers::{VPN, check_classes};
use crate::rules::extensions::openstack::syntax::CHECKS_SYNTAX;
use crate::rules::extensions::provider_shoots::check_feature_gates;
use crate::rules::shared::lists::short;

pub(super) fn check(judged: &Judged<'_>, findings: &mut Findings) {
    let config = &judged.new.control_plane;
    if config.load_balancer_provider.is_empty() {
        let message = "the Shoot has no load balancer provider";
        in_control_plane("loadBalancerProvider")
            .report((&CONTROL_PLANE, ErrorType::Required), message, findings)
            .help("set it to one that the CloudProfile offers, such as `amphora`");
    }
    let classes = in_control_plane("loadBalancerClasses");
    let settings = (judged.version >= CHECKS_SYNTAX, &CONTROL_PLANE);
    check_classes(&config.load_balancer_classes, &classes, settings, findings);
    for (index, class) in config.load_balancer_classes.iter().enumerate() {
        if class.purpose.as_deref() == Some(VPN) {
            let message = format!(
                "load balancer class `{}` has the purpose `{VPN}`, which only a CloudProfile can use",
                short(&class.name)
            );
            classes
                .index(index)
                .report((&CONTROL_PLANE, ErrorType::Invalid), message, findings)
                .help("remove the class, or use another purpose");
        }
    }
    check_feature_gates(
        &config.cloud_controller_manager.feature_gates,
        &judged.shoot.spec.kubernetes.version,
        judged.gardener,
        &in_control_plane("cloudControllerManager.featureGates"),
        &CONTROL_PLANE,
        findings,
    );
    let share = judged.new.infrastructure.networks.share_network.as_ref();
    if config.storage.csi_manila.enabled && share.is_none_or(|it| !it.enabled) {
        let message = "the CSI driver for Manila needs a share network";
        in_control_plane("storage.csiManila.enabled")
            .report((&CONTROL_PLANE, ErrorType::Invalid), message, findings)
            .help("set `networks.shareNetwork.enabled: true` in the `infrastructureConfig`");
    }
}
