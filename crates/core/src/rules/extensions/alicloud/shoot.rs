// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/shoot.go` of provider-alicloud.

mod infrastructure;
mod infrastructure_update;
mod ipv6;
mod judged;
mod network;
mod pools;

use judged::{
    CIDRS, CONTROL_PLANE, FAILURE, IMMUTABLE, INFRASTRUCTURE, Judged, MISSING, NETWORK,
    NETWORK_IMMUTABLE, POOL, POOL_IMMUTABLE, UNDECODABLE,
};

use crate::admission::{Context, ErrorType, FieldPath, Findings, Write, rule};
use crate::rules::extensions::provider_shoots::{
    RequiredConfiguration, begin, check_feature_gates, check_pools_update,
};
use crate::rules::extensions::{CommonFindings, Component, Failure};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::alicloud::EXTENSION;
use garden_gate_model::api::extensions::alicloud::control_plane::ControlPlaneConfig;
use garden_gate_model::api::extensions::{ConfigurationPlace, ExtensionVersion};

rule! {
    page: include_str!("shoot.md"),
    id: "alicloud/shoot",
    summary: "validates the configurations of a Shoot on Alibaba Cloud",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        UNDECODABLE, FAILURE, MISSING, INFRASTRUCTURE, CIDRS, IMMUTABLE, CONTROL_PLANE, NETWORK, NETWORK_IMMUTABLE,
        POOL, POOL_IMMUTABLE,
    },
    fixes: Suggestion,
    check: Judge(check),
}

/// The first version that checks pools that are updated in place.
const CHECKS_IN_PLACE: ExtensionVersion = ExtensionVersion::new(1, 62);

const COMMON: CommonFindings = CommonFindings { undecodable: &UNDECODABLE, failure: &FAILURE };

fn check(context: &Context<'_>, change: Write<'_, Shoot>, findings: &mut Findings) {
    let shoot = change.new;
    let Some(component) = begin(context, shoot, &EXTENSION, COMMON, findings) else {
        return;
    };
    let Some(infrastructure) = infrastructure_config().decode(&component, false, findings) else {
        return;
    };
    let old = match change.old {
        None => None,
        Some(old) => match infrastructure_config().decode(&component, true, findings) {
            Some(infrastructure) => Some((old, infrastructure)),
            None => return,
        },
    };
    let Some(control_plane) = control_plane(&component, findings) else {
        return;
    };
    let judged = Judged { shoot, infrastructure: &infrastructure };
    let version = component.version();
    let gardener = context.config.gardener_version;
    let steps: [&dyn Fn(&mut Findings); 7] = [
        &|findings: &mut Findings| {
            if let Some((_, old)) = &old {
                infrastructure_update::check([&infrastructure, old], findings);
            }
        },
        &|findings: &mut Findings| {
            if let Some((old, _)) = &old {
                let settings = (&POOL_IMMUTABLE, version >= CHECKS_IN_PLACE);
                check_pools_update(context, [shoot, *old], settings, findings);
            }
        },
        &|findings: &mut Findings| {
            if let Some((old, _)) = &old {
                network::check_update([shoot, *old], findings);
            }
        },
        &|findings: &mut Findings| infrastructure::check(&judged, findings),
        &|findings: &mut Findings| pools::check(&judged, findings),
        &|findings: &mut Findings| {
            let place = FieldPath::new("spec.provider.controlPlaneConfig");
            let place = ReportedPath::same(place.descendant("cloudControllerManager.featureGates"));
            check_feature_gates(
                &control_plane.cloud_controller_manager.feature_gates,
                &shoot.spec.kubernetes.version,
                gardener,
                &place,
                &CONTROL_PLANE,
                findings,
            );
        },
        &|findings: &mut Findings| {
            if old.is_none() {
                network::check(shoot, findings);
            }
        },
    ];
    for step in steps {
        step(findings);
        if findings.has_violations() {
            return;
        }
    }
}

/// Returns how the configuration of the infrastructure is decoded.
fn infrastructure_config() -> RequiredConfiguration {
    RequiredConfiguration {
        place: ConfigurationPlace::Infrastructure,
        name: "infrastructureConfig",
        failure: Failure {
            error: ErrorType::Forbidden,
            field: FieldPath::new("spec.provider.infrastructureConfig"),
            kind: &UNDECODABLE,
        },
        missing: &MISSING,
        missing_in_stored: ErrorType::Required,
        message: "a Shoot on Alibaba Cloud needs an `infrastructureConfig`".to_owned(),
        help: "add an `InfrastructureConfig` with `networks`".to_owned(),
    }
}

/// Decodes the configuration of the control plane; `None` if the component fails.
///
/// The mutating webhook has decoded it strictly, but completes its header only if it changes it.
fn control_plane(
    component: &Component<'_, '_>,
    findings: &mut Findings,
) -> Option<ControlPlaneConfig> {
    let documents = component.new_documents();
    let Some(document) = documents.at(ConfigurationPlace::ControlPlane) else {
        return Some(ControlPlaneConfig::default());
    };
    let failure = Failure {
        error: ErrorType::Invalid,
        field: FieldPath::new("spec.provider.controlPlaneConfig"),
        kind: &UNDECODABLE,
    };
    let config = component.decode_leniently(document, &failure, findings)?;
    let header = document.header().unwrap_or_default();
    if header.api_version.is_empty() || header.kind.is_empty() {
        let message = "the `controlPlaneConfig` has no `apiVersion` or no `kind`";
        findings
            .report(&UNDECODABLE, failure.error, failure.field, message)
            .help("set both; the kind is `ControlPlaneConfig`");
        return None;
    }
    Some(config)
}
