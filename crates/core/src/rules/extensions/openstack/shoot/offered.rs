// SPDX-License-Identifier: Apache-2.0
//! The floating pool and load balancers that the profile offers. Source: `pkg/apis/openstack/validation/{infrastructure,controlplane}.go`.

use std::collections::HashSet;

use super::floating_pools::{FloatingPools, Search};
use super::judged::{FAILURE, Judged, OFFERED, in_control_plane, in_infrastructure};
use crate::admission::{ErrorType, FieldPath, Findings};
use crate::rules::shared::lists::{list, short, use_one_of};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::openstack::cloud_profile::{
    CloudProfileConfig, LoadBalancerClass, LoadBalancerProvider,
};

/// The first version that uses all load balancer providers of a region.
const OFFERS_SEVERAL_PROVIDERS: ExtensionVersion = ExtensionVersion::new(1, 42);

/// Reports the panic of the component in the update of a Shoot without binding, whose credentials it needs.
pub(super) fn check_panic(judged: &Judged<'_>, findings: &mut Findings) {
    let Some(old) = judged.old else { return };
    let new = judged.new;
    // The component compares pointers to zones.
    let has_zone = new.control_plane.zone.is_some() || old.control_plane.zone.is_some();
    let changes = has_zone
        || new.control_plane.load_balancer_classes != old.control_plane.load_balancer_classes
        || new.infrastructure.floating_pool_name != old.infrastructure.floating_pool_name;
    if !has_binding(judged) && changes {
        let message = "`admission-openstack` panics, because the Shoot names no credentials";
        findings
            .report(&FAILURE, ErrorType::Panic, FieldPath::root(), message)
            .at(&FieldPath::new("spec.credentialsBindingName"))
            .help("name a CredentialsBinding");
    }
}

fn has_binding(judged: &Judged<'_>) -> bool {
    let spec = &judged.shoot.spec;
    spec.secret_binding_name.is_some() || spec.credentials_binding_name.is_some()
}

/// Checks new and changed references to the profile.
pub(super) fn check(judged: &Judged<'_>, findings: &mut Findings) {
    if !has_binding(judged) {
        return;
    }
    let (new, old) = (judged.new, judged.old);
    let changes_pool = old.is_none_or(|it| {
        it.infrastructure.floating_pool_name != new.infrastructure.floating_pool_name
    });
    let changes_provider = old.is_none_or(|it| {
        it.control_plane.load_balancer_provider != new.control_plane.load_balancer_provider
    });
    let classes = &new.control_plane.load_balancer_classes;
    let changes_classes = !classes.is_empty()
        && old.is_none_or(|it| it.control_plane.load_balancer_classes != *classes);
    if !(changes_pool || changes_provider || changes_classes) {
        return;
    }
    let Some(profile) = judged.offered else {
        let place = FieldPath::new("spec.provider.infrastructureConfig");
        let message = "it is unknown whether the profile offers the floating pool and the load balancers: the garden does not contain its `providerConfig`";
        findings.undetermined(&place, message);
        return;
    };
    if changes_provider {
        check_provider(judged, profile, findings);
    }
    if !(changes_pool || changes_classes) {
        return;
    }
    let pools = FloatingPools::of(&profile.constraints.floating_pools, &judged.shoot.spec.region);
    let search = pools.search(&new.infrastructure.floating_pool_name);
    if changes_pool && search.found.is_empty() {
        report_pool(judged, &search, findings);
    }
    if changes_classes {
        check_classes(judged, &search, findings);
    }
}

fn report_pool(judged: &Judged<'_>, search: &Search<'_>, findings: &mut Findings) {
    let name = &judged.new.infrastructure.floating_pool_name;
    let message = format!(
        "the profile does not offer the floating pool `{}` in region `{}`",
        short(name),
        short(&judged.shoot.spec.region)
    );
    in_infrastructure("floatingPoolName")
        .report((&OFFERED, ErrorType::NotSupported), message, findings)
        .value(name.as_str())
        .help(use_one_of(&search.names));
}

fn check_provider(judged: &Judged<'_>, profile: &CloudProfileConfig, findings: &mut Findings) {
    let region = judged.shoot.spec.region.as_str();
    let is_used = |it: &LoadBalancerProvider, region: Option<&str>| it.region.as_deref() == region;
    let providers = &profile.constraints.load_balancer_providers;
    let has_own = providers.iter().any(|it| is_used(it, Some(region)));
    let region = Some(region).filter(|_| has_own);
    let offered = providers.iter().filter(|it| is_used(it, region));
    let count = if judged.version >= OFFERS_SEVERAL_PROVIDERS { providers.len() } else { 1 };
    let offered: Vec<&str> = offered.map(|it| it.name.as_str()).take(count).collect();
    let provider = judged.new.control_plane.load_balancer_provider.as_str();
    if !offered.contains(&provider) {
        let message = format!(
            "the profile does not offer the load balancer provider `{}` in region `{}`",
            short(provider),
            short(&judged.shoot.spec.region)
        );
        in_control_plane("loadBalancerProvider")
            .report((&OFFERED, ErrorType::NotSupported), message, findings)
            .value(provider)
            .help(use_one_of(&offered));
    }
}

/// Checks that the floating pool has the load balancer classes, if it has any.
fn check_classes(judged: &Judged<'_>, search: &Search<'_>, findings: &mut Findings) {
    let classes = &judged.new.control_plane.load_balancer_classes;
    let place = in_control_plane("loadBalancerClasses");
    if search.found.is_empty() {
        let name = &judged.new.infrastructure.floating_pool_name;
        let message = format!(
            "load balancer classes need a floating pool that the profile offers, which `{}` is not",
            short(name)
        );
        let place = ReportedPath {
            own: FieldPath::new("floatingPoolName"),
            real: in_infrastructure("floatingPoolName").real,
        };
        place
            .report((&OFFERED, ErrorType::Invalid), message, findings)
            .value(name.as_str())
            .help(use_one_of(&search.names));
        return;
    }
    let mut pools = search.found.values();
    if pools.any(|it| it.load_balancer_classes.is_empty()) {
        return;
    }
    let offered: Vec<&LoadBalancerClass> =
        search.found.values().flat_map(|it| &it.load_balancer_classes).collect();
    let known: HashSet<[Option<&str>; 5]> = offered.iter().map(|it| networks(it)).collect();
    for (index, class) in classes.iter().enumerate() {
        if !known.contains(&networks(class)) {
            findings.report_lazily(&OFFERED, |findings| {
                let message = format!(
                    "the floating pool has no load balancer class with the networks of `{}`",
                    short(&class.name)
                );
                let names = offered.iter().map(|it| &it.name);
                place
                    .index(index)
                    .report((&OFFERED, ErrorType::NotSupported), message, findings)
                    .help(format!("use the networks of one of {}", list(names)));
            });
        }
    }
}

/// Returns what makes two load balancer classes equal, apart from their names and purposes.
fn networks(class: &LoadBalancerClass) -> [Option<&str>; 5] {
    [
        class.floating_network_id.as_deref(),
        class.floating_subnet_id.as_deref(),
        class.floating_subnet_name.as_deref(),
        class.floating_subnet_tags.as_deref(),
        class.subnet_id.as_deref(),
    ]
}
