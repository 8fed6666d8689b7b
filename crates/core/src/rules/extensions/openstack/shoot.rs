// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/shoot.go` of provider-openstack.

mod control_plane;
mod credentials;
mod dns;
mod floating_pools;
mod infrastructure;
mod infrastructure_update;
mod judged;
mod network;
mod offered;
mod pools;
mod worker;

use judged::{
    CIDRS, CONTROL_PLANE, CREDENTIALS, Configs, DNS, FAILURE, IMMUTABLE, INFRASTRUCTURE, Judged,
    MISSING, NETWORK, OFFERED, POOL, POOL_IMMUTABLE, UNDECODABLE, WORKER,
};

use crate::admission::{Context, ErrorType, FieldPath, Findings, Write, rule};
use crate::rules::extensions::provider_shoots::{
    RequiredConfiguration, begin, check_pools_update, decode_profile,
};
use crate::rules::extensions::{CommonFindings, Component, Failure};
use crate::rules::shared::effective_profile::{EffectiveProfile, offer};
use crate::rules::shared::lists::short;
use garden_gate_model::api::extensions::openstack::EXTENSION;
use garden_gate_model::api::extensions::openstack::cloud_profile::CloudProfileConfig;
use garden_gate_model::api::extensions::{ConfigurationPlace, ExtensionVersion};
use garden_gate_model::api::{KeptConfiguration, Shoot};

rule! {
    page: include_str!("shoot.md"),
    id: "openstack/shoot",
    summary: "validates the configurations of a Shoot on OpenStack",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [
        ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration,
        CloudProfile, NamespacedCloudProfile, SecretBinding, CredentialsBinding, Names,
    ],
    findings: {
        UNDECODABLE, FAILURE, MISSING, CREDENTIALS, OFFERED, INFRASTRUCTURE, CIDRS, IMMUTABLE, CONTROL_PLANE, NETWORK, DNS,
        POOL, POOL_IMMUTABLE, WORKER,
    },
    fixes: Safe,
    check: Judge(check),
}

const COMMON: CommonFindings = CommonFindings { undecodable: &UNDECODABLE, failure: &FAILURE };

/// The first version that checks pools that are updated in place.
const CHECKS_IN_PLACE: ExtensionVersion = ExtensionVersion::new(1, 48);

fn check(context: &Context<'_>, change: Write<'_, Shoot>, findings: &mut Findings) {
    let shoot = change.new;
    let Some(component) = begin(context, shoot, &EXTENSION, COMMON, findings) else {
        return;
    };
    credentials::check(context, shoot, component.version(), findings);
    if findings.has_violations() {
        return;
    }
    let Some(profile) = offer(context, shoot, findings) else {
        return;
    };
    let old = match change.old {
        None => None,
        Some(old) => match configs(&component, true, &profile, findings) {
            Some(configs) => Some((old, configs)),
            None => return,
        },
    };
    let Some(new) = configs(&component, false, &profile, findings) else {
        return;
    };
    let judged = Judged {
        version: component.version(),
        gardener: context.config.gardener_version,
        shoot,
        new: &new,
        old: old.as_ref().map(|(_, configs)| configs),
        offered: new.offered.as_ref(),
    };
    if let Some((old, _)) = &old {
        offered::check_panic(&judged, findings);
        if !findings.has_violations() {
            let checks_in_place = judged.version >= CHECKS_IN_PLACE;
            let settings = (&POOL_IMMUTABLE, checks_in_place);
            check_pools_update(context, [shoot, *old], settings, findings);
        }
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
    if let Some(old) = judged.old {
        let configs = [&judged.new.infrastructure, &old.infrastructure];
        infrastructure_update::check(configs, judged.version, findings);
    }
    offered::check(judged, findings);
    network::check(judged, findings);
    infrastructure::check(judged, findings);
    control_plane::check(judged, findings);
    pools::check(context, component, judged, findings);
    dns::check(context, judged, findings);
}

/// Decodes the configurations of the new or stored Shoot; `None` if the component fails.
fn configs(
    component: &Component<'_, '_>,
    is_old: bool,
    profile: &EffectiveProfile,
    findings: &mut Findings,
) -> Option<Configs> {
    let infrastructure = required(ConfigurationPlace::Infrastructure, "infrastructureConfig");
    let control_plane = required(ConfigurationPlace::ControlPlane, "controlPlaneConfig");
    Some(Configs {
        infrastructure: infrastructure.decode(component, is_old, findings)?,
        control_plane: control_plane.decode(component, is_old, findings)?,
        offered: offered(component, is_old, profile, findings)?,
    })
}

/// Decodes the configuration in the profile; `Some(None)` if the garden does not contain it.
fn offered(
    component: &Component<'_, '_>,
    is_lenient: bool,
    profile: &EffectiveProfile,
    findings: &mut Findings,
) -> Option<Option<CloudProfileConfig>> {
    let (name, place) = (profile.cloud_profile(), FieldPath::new("spec.cloudProfile"));
    let text = match &profile.spec().provider_config {
        KeptConfiguration::Unknown => return Some(None),
        KeptConfiguration::Text(text) => text,
        KeptConfiguration::Absent => {
            let message = format!("CloudProfile `{}` has no `providerConfig`", short(name));
            findings
                .report(&MISSING, ErrorType::Denied, FieldPath::root(), message)
                .at(&place)
                .help("use another profile, or let a garden operator add its `providerConfig`");
            return None;
        }
    };
    let of = (name, &place, &UNDECODABLE);
    decode_profile(component, (text, is_lenient), of, findings).map(Some)
}

/// Returns how a configuration is decoded.
fn required(place: ConfigurationPlace, name: &'static str) -> RequiredConfiguration {
    RequiredConfiguration {
        place,
        name,
        failure: Failure::without_field(&UNDECODABLE),
        missing: &MISSING,
        missing_in_stored: ErrorType::Required,
        message: format!("a Shoot on OpenStack needs a `{name}`"),
        help: format!("set `{name}`, with `apiVersion` and `kind`"),
    }
}
