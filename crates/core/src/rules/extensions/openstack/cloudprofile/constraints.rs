// SPDX-License-Identifier: Apache-2.0
//! Floating pools and load balancer providers of a profile.

use std::collections::HashSet;

use crate::admission::{ErrorType, FieldPath, Findings};
use crate::rules::extensions::openstack::load_balancers::check_classes;
use crate::rules::extensions::openstack::profiles::INVALID;
use crate::rules::extensions::openstack::syntax::CHECKS_SYNTAX;
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::openstack::cloud_profile::{
    Constraints, FloatingPool, LoadBalancerProvider,
};

/// The first version that allows several load balancer providers in a region.
const ALLOWS_SEVERAL_PROVIDERS: ExtensionVersion = ExtensionVersion::new(1, 42);

pub(super) fn check(constraints: &Constraints, version: ExtensionVersion, findings: &mut Findings) {
    let place = ReportedPath::same(FieldPath::new("spec.providerConfig.constraints"));
    let pools = place.child("floatingPools");
    let mut seen = HashSet::new();
    for (index, pool) in constraints.floating_pools.iter().enumerate() {
        let place = pools.index(index);
        check_pool(pool, &mut seen, &place, findings);
        let settings = (version >= CHECKS_SYNTAX, &INVALID);
        let at = place.child("loadBalancerClasses");
        check_classes(&pool.load_balancer_classes, &at, settings, findings);
    }
    let providers = place.child("loadBalancerProviders");
    let mut seen = HashSet::new();
    for (index, provider) in constraints.load_balancer_providers.iter().enumerate() {
        check_provider(provider, &mut seen, &providers.index(index), version, findings);
    }
    for (is_empty, place, what) in [
        (constraints.floating_pools.is_empty(), pools, "floating pool"),
        (constraints.load_balancer_providers.is_empty(), providers, "load balancer provider"),
    ] {
        if is_empty {
            let message = format!("the providerConfig has no {what}");
            place
                .report((&INVALID, ErrorType::Required), message, findings)
                .help("add one with its `name`");
        }
    }
}

/// Checks a floating pool. Pools for all regions and domains can be duplicates.
fn check_pool(
    pool: &FloatingPool,
    seen: &mut HashSet<String>,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    check_filled("name", Some(&pool.name), place, findings);
    check_filled("region", pool.region.as_deref(), place, findings);
    check_filled("domain", pool.domain.as_deref(), place, findings);
    if pool.region.is_none() && pool.domain.is_none() {
        return;
    }
    let [domain, region] = [&pool.domain, &pool.region].map(|it| it.as_deref().unwrap_or("*"));
    if !seen.insert(format!("{},{domain},{region}", pool.name)) {
        let name = short(&pool.name);
        let message = format!("floating pool `{name}` is a duplicate for its region and domain");
        place
            .child("name")
            .report((&INVALID, ErrorType::Duplicate), message, findings)
            .value(pool.name.as_str())
            .help("remove one of the two");
    }
}

/// Checks a load balancer provider. Providers for all regions can be duplicates.
fn check_provider(
    provider: &LoadBalancerProvider,
    seen: &mut HashSet<String>,
    place: &ReportedPath,
    version: ExtensionVersion,
    findings: &mut Findings,
) {
    check_filled("name", Some(&provider.name), place, findings);
    let Some(region) = &provider.region else {
        return;
    };
    check_filled("region", Some(region), place, findings);
    let (key, place) = if version >= ALLOWS_SEVERAL_PROVIDERS {
        (format!("{},{region}", provider.name), place.clone())
    } else {
        (region.clone(), place.child("region"))
    };
    if !seen.insert(key) {
        let (name, region) = (short(&provider.name), short(region));
        let message = format!("load balancer provider `{name}` for `{region}` is a duplicate");
        place
            .report((&INVALID, ErrorType::Duplicate), message, findings)
            .help("remove one of the two");
    }
}

/// Reports a string that is empty; an absent one is accepted.
fn check_filled(
    field: &'static str,
    text: Option<&str>,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    if text.is_some_and(str::is_empty) {
        place
            .child(field)
            .report((&INVALID, ErrorType::Required), format!("`{field}` is empty"), findings)
            .help(match field {
                "name" => "set it to the name in OpenStack",
                _ => "set it, or remove the field",
            });
    }
}
