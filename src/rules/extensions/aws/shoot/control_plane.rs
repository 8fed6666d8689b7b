//! The configuration of the control plane. Source: `pkg/apis/aws/validation/controlplane.go`.

use super::judged::{CHECKS_SYNTAX, CONTROL_PLANE, Judged};
use super::syntax::INGRESS_CLASS;
use crate::admission::{ErrorType, FieldPath, Findings};
use crate::api::GardenerVersion;
use crate::api::extensions::aws::control_plane::ControlPlaneConfig;
use crate::api::kubernetes::Tables;
use crate::rules::extensions::Place;
use crate::rules::shared::lists::short;

pub(super) fn check(
    judged: &Judged<'_>,
    config: &ControlPlaneConfig,
    gardener: GardenerVersion,
    findings: &mut Findings,
) {
    let place = Place::same(FieldPath::new("spec.provider.controlPlaneConfig"));
    let gates = place.descendant("cloudControllerManager.featureGates");
    let known = Tables::of(gardener).feature_gates;
    let version = judged.shoot.spec.kubernetes.version.as_str();
    for (gate, value) in &config.cloud_controller_manager.feature_gates {
        let offered = known.get(gate.as_str());
        let (error, message) = match offered {
            None => {
                let message = format!("Kubernetes has no feature gate `{}`", short(gate));
                (ErrorType::Invalid, message)
            }
            Some(offered) if !offered.is_in(version) => {
                let message = format!(
                    "Kubernetes `{version}` has no feature gate `{gate}`; it exists {}",
                    offered.versions()
                );
                (ErrorType::Forbidden, message)
            }
            Some(offered) if offered.locked(version).is_some_and(|only| only != *value) => {
                let message = format!(
                    "Kubernetes `{version}` locks the feature gate `{gate}` to {}",
                    !value
                );
                (ErrorType::Forbidden, message)
            }
            Some(_) => continue,
        };
        findings.report_lazily(&CONTROL_PLANE, |findings| {
            gates
                .child_called(gate)
                .report((&CONTROL_PLANE, error), message, findings)
                .help("remove the gate");
        });
    }
    if let Some(name) = config
        .load_balancer_controller
        .as_ref()
        .and_then(|it| it.ingress_class_name.as_deref())
        && judged.version >= CHECKS_SYNTAX
    {
        let place = place.descendant("loadBalancerController.ingressClassName");
        INGRESS_CLASS.check(name, &place, &CONTROL_PLANE, findings);
    }
}
