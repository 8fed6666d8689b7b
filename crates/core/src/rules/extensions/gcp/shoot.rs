// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/shoot.go` of provider-gcp.

mod cloud_nat;
mod control_plane;
mod infrastructure;
mod infrastructure_update;
mod judged;
mod network;
mod pools;
mod profile;
mod syntax;
mod worker;
mod worker_volumes;

use judged::{
    CIDRS, CONTROL_PLANE, DNS, FAILURE, IMMUTABLE, INFRASTRUCTURE, Judged, MISSING, NETWORK, POOL,
    POOL_IMMUTABLE, PROFILE, UNDECODABLE, WORKER,
};

use crate::admission::{Context, ErrorType, Findings, Write, rule};
use crate::rules::extensions::provider_shoots::{
    DnsCredentials, RequiredConfiguration, begin, check_pools_update,
};
use crate::rules::extensions::{CommonFindings, Component, Failure};
use crate::rules::shared::effective_profile::{EffectiveProfile, offer};
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::gcp::EXTENSION;
use garden_gate_model::api::extensions::gcp::control_plane::ControlPlaneConfig;
use garden_gate_model::api::extensions::gcp::infrastructure::InfrastructureConfig;
use garden_gate_model::api::extensions::{ConfigurationPlace, ExtensionVersion};

rule! {
    page: include_str!("shoot.md"),
    id: "gcp/shoot",
    summary: "validates the configurations of a Shoot on Google Cloud",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [
        ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration,
        CloudProfile, NamespacedCloudProfile, Names,
    ],
    findings: { UNDECODABLE, FAILURE, MISSING, PROFILE, INFRASTRUCTURE, CIDRS, IMMUTABLE, CONTROL_PLANE, NETWORK, DNS, POOL, POOL_IMMUTABLE, WORKER },
    fixes: Safe,
    check: Judge(check),
}

const COMMON: CommonFindings = CommonFindings { undecodable: &UNDECODABLE, failure: &FAILURE };

/// The first version that checks references to all kinds of credentials.
const CHECKS_CREDENTIALS: ExtensionVersion = ExtensionVersion::new(1, 50);
/// The first version that refuses a DNS provider without a reference to credentials.
const NEEDS_CREDENTIALS: ExtensionVersion = ExtensionVersion::new(1, 52);
/// The first version that checks pools that are updated in place.
const CHECKS_IN_PLACE: ExtensionVersion = ExtensionVersion::new(1, 45);

/// A Shoot as the component decodes it.
struct Decoded {
    infrastructure: InfrastructureConfig,
    control_plane: ControlPlaneConfig,
    profile: EffectiveProfile,
}

fn check(context: &Context<'_>, change: Write<'_, Shoot>, findings: &mut Findings) {
    let shoot = change.new;
    let Some(component) = begin(context, shoot, &EXTENSION, COMMON, findings) else {
        return;
    };
    let old = match change.old {
        None => None,
        Some(old) => match decode(context, &component, old, true, findings) {
            Some(decoded) => Some((old, decoded)),
            None => return,
        },
    };
    let Some(new) = decode(context, &component, shoot, false, findings) else {
        return;
    };
    let judged = Judged {
        version: component.version(),
        shoot,
        infrastructure: &new.infrastructure,
        control_plane: &new.control_plane,
    };
    if infrastructure::check_panic(&judged, findings) {
        return;
    }
    if let Some((old_shoot, old)) = &old {
        infrastructure_update::check(&judged, &old.infrastructure, findings);
        control_plane::check_update(&judged, &old.control_plane, findings);
        let checks_in_place = judged.version >= CHECKS_IN_PLACE;
        let kind = (&POOL_IMMUTABLE, checks_in_place);
        check_pools_update(context, [shoot, old_shoot], kind, findings);
    }
    if shoot.spec.networking.is_some() {
        network::check(&judged, component.new_documents(), findings);
        infrastructure::check(&judged, findings);
    }
    pools::check(&judged, findings);
    let gardener = context.config.gardener_version;
    control_plane::check(&judged, (new.profile.spec(), gardener), findings);
    if judged.version >= CHECKS_CREDENTIALS {
        let credentials = DnsCredentials {
            class: "google-clouddns",
            is_required: judged.version >= NEEDS_CREDENTIALS,
            kind: &DNS,
        };
        credentials.check(context, shoot, findings);
    }
    worker::check_all(&component, &judged, findings);
}

/// Decodes the configurations of the new or the stored Shoot, and its profile; the first problem ends the request.
fn decode(
    context: &Context<'_>,
    component: &Component<'_, '_>,
    shoot: &Shoot,
    is_stored: bool,
    findings: &mut Findings,
) -> Option<Decoded> {
    let place = ConfigurationPlace::Infrastructure;
    let infrastructure = required(place, "infrastructureConfig", "InfrastructureConfig")
        .decode(component, is_stored, findings)?;
    let place = ConfigurationPlace::ControlPlane;
    let control_plane = required(place, "controlPlaneConfig", "ControlPlaneConfig")
        .decode(component, is_stored, findings)?;
    let profile = offer(context, shoot, findings)?;
    profile::check(component, (&profile, is_stored), findings)?;
    Some(Decoded { infrastructure, control_plane, profile })
}

/// Returns how a configuration is decoded.
fn required(place: ConfigurationPlace, name: &'static str, kind: &str) -> RequiredConfiguration {
    RequiredConfiguration {
        place,
        name,
        failure: Failure::without_field(&UNDECODABLE),
        missing: &MISSING,
        missing_in_stored: ErrorType::Required,
        message: format!("a Shoot on Google Cloud has no `{name}`"),
        help: format!("add it with the kind `{kind}`"),
    }
}
