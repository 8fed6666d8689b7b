use std::collections::BTreeMap;

use crate::admission::{ErrorType, FindingKind, Findings, Help};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::GardenerVersion;
use garden_gate_model::api::kubernetes::Tables;

/// Checks feature gates of a component of Kubernetes.
///
/// Mirrors ValidateFeatureGates in `pkg/utils/validation/features/featuregates.go` of Gardener.
pub(crate) fn check_feature_gates(
    gates: &BTreeMap<String, bool>,
    version: &str,
    gardener: GardenerVersion,
    place: &ReportedPath,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    let known = Tables::of(gardener).feature_gates;
    for (gate, value) in gates {
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
                let message =
                    format!("Kubernetes `{version}` locks the feature gate `{gate}` to {}", !value);
                (ErrorType::Forbidden, message)
            }
            Some(_) => continue,
        };
        findings.report_lazily(kind, |findings| {
            place
                .child_called(gate)
                .report((kind, error), message, findings)
                .help(Help::remove("remove the gate"));
        });
    }
}
