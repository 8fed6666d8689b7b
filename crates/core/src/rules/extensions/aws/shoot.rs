// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/shoot.go` of provider-aws.

mod control_plane;
mod images;
mod infrastructure;
mod infrastructure_update;
mod judged;
mod network;
mod pools;
mod profile;
mod syntax;
mod tags;
mod worker;
mod worker_devices;
mod worker_fields;
mod zone;

use judged::{
    CIDRS, CONTROL_PLANE, DNS, FAILURE, IMAGE, IMMUTABLE, INFRASTRUCTURE, Judged, MISSING, NETWORK,
    POOL, POOL_IMMUTABLE, UNDECODABLE, WORKER, ZONES,
};

use crate::admission::{Context, ErrorType, FieldPath, Findings, Write, rule};
use crate::rules::extensions::provider_shoots::{
    DnsCredentials, RequiredConfiguration, begin, check_pools_update,
};
use crate::rules::extensions::{CommonFindings, Component, Failure};
use crate::rules::shared::effective_profile::offer;
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::aws::EXTENSION;
use garden_gate_model::api::extensions::aws::control_plane::ControlPlaneConfig;
use garden_gate_model::api::extensions::aws::worker::WorkerConfig;
use garden_gate_model::api::extensions::{ConfigurationPlace, ExtensionVersion};

rule! {
    page: include_str!("shoot.md"),
    id: "aws/shoot",
    summary: "validates the configurations of a Shoot on AWS",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [
        ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration,
        CloudProfile, NamespacedCloudProfile, Names,
    ],
    findings: { UNDECODABLE, FAILURE, MISSING, ZONES, INFRASTRUCTURE, CIDRS, IMMUTABLE, CONTROL_PLANE, NETWORK, DNS, POOL, POOL_IMMUTABLE, WORKER, IMAGE },
    fixes: Safe,
    check: Judge(check),
}

const COMMON: CommonFindings = CommonFindings { undecodable: &UNDECODABLE, failure: &FAILURE };

/// The first version that checks references to all kinds of credentials.
const CHECKS_CREDENTIALS: ExtensionVersion = ExtensionVersion::new(1, 71);
/// The first version that checks pools that are updated in place.
const CHECKS_IN_PLACE: ExtensionVersion = ExtensionVersion::new(1, 62);

const DNS_CREDENTIALS: DnsCredentials =
    DnsCredentials { class: "aws-route53", is_required: true, kind: &DNS };

fn check(context: &Context<'_>, change: Write<'_, Shoot>, findings: &mut Findings) {
    let shoot = change.new;
    let Some(component) = begin(context, shoot, &EXTENSION, COMMON, findings) else {
        return;
    };
    let Some(profile) = offer(context, shoot, findings) else {
        return;
    };
    let old = match change.old {
        None => None,
        Some(old) => match infrastructure_config().decode(&component, true, findings) {
            Some(infrastructure) => Some((old, infrastructure)),
            None => return,
        },
    };
    let Some(infrastructure) = infrastructure_config().decode(&component, false, findings) else {
        return;
    };
    let judged = Judged { version: component.version(), shoot, infrastructure: &infrastructure };
    let Some(mapping) = profile::mapping(&component, &profile, findings) else {
        return;
    };
    let old_config = old.as_ref().map(|(_, config)| config);
    let steps: [&dyn Fn(&mut Findings); 4] = [
        &|findings: &mut Findings| {
            profile::check_zones(&judged, old_config, profile.spec(), findings);
        },
        &|findings: &mut Findings| {
            if let Some(old) = old_config {
                infrastructure_update::check(&infrastructure, old, findings);
            }
        },
        &|findings: &mut Findings| {
            if let Some((old, _)) = &old {
                let checks_in_place = judged.version >= CHECKS_IN_PLACE;
                let kind = (&POOL_IMMUTABLE, checks_in_place);
                check_pools_update(context, [shoot, old], kind, findings);
            }
        },
        &|findings: &mut Findings| images::check(&judged, &mapping, profile.spec(), findings),
    ];
    for step in steps {
        step(findings);
        if findings.has_violations() {
            return;
        }
    }
    check_all(context, &component, &judged, findings);
}

/// Performs the checks whose errors are reported together.
fn check_all(
    context: &Context<'_>,
    component: &Component<'_, '_>,
    judged: &Judged<'_>,
    findings: &mut Findings,
) {
    let documents = component.new_documents();
    let control_plane = match documents.at(ConfigurationPlace::ControlPlane) {
        None => None,
        Some(document) => {
            let failure = undecodable(FieldPath::new("spec.provider.controlPlaneConfig"));
            match component.decode::<ControlPlaneConfig>(document, &failure, findings) {
                None => return,
                decoded => decoded,
            }
        }
    };
    let Some(workers) = workers(component, judged.shoot, findings) else {
        return;
    };
    network::check(judged, documents, findings);
    if judged.version >= CHECKS_CREDENTIALS {
        DNS_CREDENTIALS.check(context, judged.shoot, findings);
    }
    infrastructure::check(judged, findings);
    if let Some(config) = &control_plane {
        let gardener = context.config.gardener_version;
        control_plane::check(judged, config, gardener, findings);
    }
    pools::check(judged, &workers, findings);
}

/// Decodes the configurations of all worker pools; `None` if one of them cannot be decoded.
fn workers(
    component: &Component<'_, '_>,
    shoot: &Shoot,
    findings: &mut Findings,
) -> Option<Vec<Option<WorkerConfig>>> {
    let mut workers = Vec::new();
    workers.resize_with(shoot.spec.provider.workers.len(), || None);
    for document in component.new_documents().each(ConfigurationPlace::Worker) {
        let place = FieldPath::new("spec.provider.workers").index(document.index);
        let failure = undecodable(place.child("providerConfig"));
        let config = component.decode::<WorkerConfig>(document, &failure, findings)?;
        if let Some(worker) = workers.get_mut(document.index) {
            *worker = Some(config);
        }
    }
    Some(workers)
}

/// Returns how the configuration of the infrastructure is decoded.
fn infrastructure_config() -> RequiredConfiguration {
    RequiredConfiguration {
        place: ConfigurationPlace::Infrastructure,
        name: "infrastructureConfig",
        failure: undecodable(FieldPath::new("spec.provider.infrastructureConfig")),
        missing: &MISSING,
        missing_in_stored: ErrorType::InternalError,
        message: "a Shoot on AWS needs an `infrastructureConfig`".to_owned(),
        help: "add an `InfrastructureConfig` with `networks`".to_owned(),
    }
}

fn undecodable(field: FieldPath) -> Failure {
    Failure { error: ErrorType::Invalid, field, kind: &UNDECODABLE }
}
