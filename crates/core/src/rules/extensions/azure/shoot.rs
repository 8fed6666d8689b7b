// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/shoot.go` of provider-azure.

mod infrastructure;
mod infrastructure_update;
mod judged;
mod nat_gateway;
mod network;
mod pools;
mod resource_id;
mod syntax;
mod vnet;
mod worker;
mod zones;

use judged::{
    CHECKS_IN_PLACE, CIDRS, CONTROL_PLANE, DNS, DROPS_ALPHA, FAILURE, IMMUTABLE, INFRASTRUCTURE,
    Judged, MISSING, NETWORK, POOL, POOL_IMMUTABLE, UNDECODABLE, WORKER, ZONES, has_scale_sets,
};
use network::Overlay;

use crate::admission::{Context, ErrorType, FieldPath, Findings, Write, rule};
use crate::rules::extensions::provider_shoots::{
    DnsCredentials, RequiredConfiguration, begin, check_feature_gates, check_pools_update,
};
use crate::rules::extensions::{CommonFindings, Component, Failure};
use crate::rules::shared::effective_profile::{EffectiveProfile, offer};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::azure::EXTENSION;
use garden_gate_model::api::extensions::azure::control_plane::ControlPlaneConfig;
use garden_gate_model::api::extensions::azure::infrastructure::InfrastructureConfig;
use garden_gate_model::api::extensions::azure::worker::WorkerConfig;
use garden_gate_model::api::extensions::{ConfigurationPlace, ExtensionVersion};

rule! {
    page: include_str!("shoot.md"),
    id: "azure/shoot",
    summary: "validates the configurations of a Shoot on Azure",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [
        ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration,
        CloudProfile, NamespacedCloudProfile, Names,
    ],
    findings: { UNDECODABLE, FAILURE, MISSING, ZONES, INFRASTRUCTURE, CIDRS, IMMUTABLE, CONTROL_PLANE, NETWORK, DNS, POOL, POOL_IMMUTABLE, WORKER },
    fixes: Safe,
    check: Judge(check),
}

const COMMON: CommonFindings = CommonFindings { undecodable: &UNDECODABLE, failure: &FAILURE };

/// The first version that checks references to all kinds of credentials of the DNS provider.
const CHECKS_CREDENTIALS: ExtensionVersion = ExtensionVersion::new(1, 60);
/// The first version that does not accept the name of a Secret instead.
const REQUIRES_CREDENTIALS: ExtensionVersion = ExtensionVersion::new(1, 61);

fn check(context: &Context<'_>, change: Write<'_, Shoot>, findings: &mut Findings) {
    let shoot = change.new;
    let Some(component) = begin(context, shoot, &EXTENSION, COMMON, findings) else {
        return;
    };
    let Some(profile) = offer(context, shoot, findings) else {
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
    let control_plane = match component.new_documents().at(ConfigurationPlace::ControlPlane) {
        None => ControlPlaneConfig::default(),
        Some(document) => {
            let failure = Failure::without_field(&UNDECODABLE);
            let Some(config) = component.decode(document, &failure, findings) else {
                return;
            };
            config
        }
    };
    let judged = Judged { version: component.version(), shoot, infrastructure: &infrastructure };
    let old = old.as_ref().map(|(old, config)| (*old, config));
    check_all(context, &component, &judged, &control_plane, old, &profile, findings);
}

/// The stored Shoot with the configuration of its infrastructure.
type Stored<'s> = (&'s Shoot, &'s InfrastructureConfig);

/// Performs the checks whose errors are reported together.
fn check_all(
    context: &Context<'_>,
    component: &Component<'_, '_>,
    judged: &Judged<'_>,
    control_plane: &ControlPlaneConfig,
    old: Option<Stored<'_>>,
    profile: &EffectiveProfile,
    findings: &mut Findings,
) {
    let overlay = Overlay::of(judged, component.new_documents());
    if panics(judged, &overlay, old, findings) {
        return;
    }
    let version = judged.version;
    if let Some((shoot, config)) = old {
        infrastructure_update::check(judged, (shoot, config), findings);
        check_annotation(judged, shoot, findings);
        let checks_in_place = version >= CHECKS_IN_PLACE;
        let shoots = [judged.shoot, shoot];
        check_pools_update(context, shoots, (&POOL_IMMUTABLE, checks_in_place), findings);
    }
    network::check(judged, &overlay, findings);
    zones::check(judged, old.map(|(_, config)| config), profile.spec(), findings);
    infrastructure::check(judged, findings);
    let place = FieldPath::new("spec.provider.controlPlaneConfig");
    let place = ReportedPath::same(place.descendant("cloudControllerManager.featureGates"));
    check_feature_gates(
        &control_plane.cloud_controller_manager.feature_gates,
        &judged.shoot.spec.kubernetes.version,
        context.config.gardener_version,
        &place,
        &CONTROL_PLANE,
        findings,
    );
    if version >= CHECKS_CREDENTIALS {
        let credentials = DnsCredentials {
            class: "azure-dns",
            is_required: version >= REQUIRES_CREDENTIALS,
            kind: &DNS,
        };
        credentials.check(context, judged.shoot, findings);
    }
    let workers = workers(component, judged.shoot, findings);
    pools::check(judged, &workers, findings);
}

/// Reports that the component panics.
fn panics(
    judged: &Judged<'_>,
    overlay: &Overlay,
    old: Option<Stored<'_>>,
    findings: &mut Findings,
) -> bool {
    let has_no_subnet =
        |it: &InfrastructureConfig| it.networks.zones.is_empty() && it.networks.workers.is_none();
    let had_no_subnet = old.is_some_and(|(_, config)| has_no_subnet(config));
    let (place, message, help) = if had_no_subnet
        && !judged.infrastructure.networks.zones.is_empty()
    {
        (
            "spec.provider.infrastructureConfig.networks.zones",
            "`admission-azure` panics, because the stored Shoot has neither `workers` nor `zones`",
            "only garden operators can repair it",
        )
    } else if matches!(overlay, Overlay::Unexpected) {
        (
            "spec.networking.providerConfig.overlay",
            "`admission-azure` panics, because `overlay` has no boolean `enabled`",
            "set `enabled: false`",
        )
    } else {
        return false;
    };
    findings
        .report(&FAILURE, ErrorType::Panic, FieldPath::root(), message)
        .at(&FieldPath::new(place))
        .help(help);
    true
}

/// Checks that the annotation of scale sets is not changed, in versions that have it.
fn check_annotation(judged: &Judged<'_>, old: &Shoot, findings: &mut Findings) {
    if judged.version < DROPS_ALPHA && judged.has_scale_sets() != has_scale_sets(old) {
        let message = "the annotation of scale sets is immutable";
        findings
            .forbid(&IMMUTABLE, FieldPath::new("metadata.annotations"), message)
            .help("restore the previous value");
    }
}

/// Decodes the configurations of all worker pools; one that cannot be decoded is reported, and left out.
fn workers(
    component: &Component<'_, '_>,
    shoot: &Shoot,
    findings: &mut Findings,
) -> Vec<Option<WorkerConfig>> {
    let mut workers = Vec::new();
    workers.resize_with(shoot.spec.provider.workers.len(), || None);
    for document in component.new_documents().each(ConfigurationPlace::Worker) {
        let place = FieldPath::new("spec.provider.workers").index(document.index);
        let failure = Failure {
            error: ErrorType::Invalid,
            field: place.child("providerConfig"),
            kind: &UNDECODABLE,
        };
        if let Some(worker) = workers.get_mut(document.index) {
            *worker = component.decode(document, &failure, findings);
        }
    }
    workers
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
        missing_in_stored: ErrorType::InternalError,
        message: "a Shoot on Azure needs an `infrastructureConfig`".to_owned(),
        help: "add an `InfrastructureConfig` with `networks`".to_owned(),
    }
}
