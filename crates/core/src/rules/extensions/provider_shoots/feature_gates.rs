// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use crate::admission::{ErrorType, FindingKind, Findings, Help};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::GardenerVersion;
use garden_gate_model::api::kubernetes::{Table, Tables};

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
    for (gate, value) in gates {
        let judged = Tables::judge(gardener, version, |known| {
            problem(gate, *value, version, known.feature_gates)
        });
        match judged {
            Ok(None) => {}
            Ok(Some((error, message))) => findings.report_lazily(kind, |findings| {
                place
                    .child_called(gate)
                    .report((kind, error), message, findings)
                    .help(Help::remove("remove the gate"));
            }),
            Err(why) => {
                let message = format!(
                    "cannot tell whether Kubernetes `{version}` accepts feature gate `{}`: {why}",
                    short(gate)
                );
                place.child_called(gate).leave_open(message, findings);
            }
        }
    }
}

fn problem(gate: &str, value: bool, version: &str, known: &Table) -> Option<(ErrorType, String)> {
    let Some(offered) = known.get(gate) else {
        let message = format!("Kubernetes has no feature gate `{}`", short(gate));
        return Some((ErrorType::Invalid, message));
    };
    if !offered.is_in(version) {
        let message = format!(
            "Kubernetes `{version}` has no feature gate `{gate}`; it exists {}",
            offered.versions()
        );
        return Some((ErrorType::Forbidden, message));
    }
    let is_locked = offered.locked(version).is_some_and(|only| only != value);
    is_locked.then(|| {
        let message =
            format!("Kubernetes `{version}` locks the feature gate `{gate}` to {}", !value);
        (ErrorType::Forbidden, message)
    })
}
