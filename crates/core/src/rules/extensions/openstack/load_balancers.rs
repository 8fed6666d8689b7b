// SPDX-License-Identifier: Apache-2.0
//! Load balancer classes. Source: `pkg/apis/openstack/validation/cloudprofile.go`.

use std::collections::HashSet;

use super::syntax::{NAME, check_uuid};
use crate::admission::{ErrorType, FindingKind, Findings};
use crate::rules::shared::lists::{one_of, short};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::openstack::cloud_profile::LoadBalancerClass;

pub(super) const VPN: &str = "vpn";
const DEFAULT: &str = "default";
const PRIVATE: &str = "private";
const PURPOSES: &[&str] = &[DEFAULT, PRIVATE, VPN];

/// Checks load balancer classes by themselves.
pub(super) fn check_classes(
    classes: &[LoadBalancerClass],
    place: &ReportedPath,
    (checks_syntax, kind): (bool, &'static FindingKind),
    findings: &mut Findings,
) {
    let mut names = HashSet::new();
    let [mut has_default, mut has_private] = [false; 2];
    for (index, class) in classes.iter().enumerate() {
        let of_class = place.index(index);
        check_class(class, &of_class, kind, findings);
        if checks_syntax {
            check_syntax(class, &of_class, kind, findings);
        }
        if !names.insert(class.name.as_str()) {
            let message = format!("load balancer class `{}` is a duplicate", short(&class.name));
            of_class
                .child("name")
                .report((kind, ErrorType::Duplicate), message, findings)
                .value(class.name.as_str())
                .help("remove one of the two");
        }
        for (purpose, is_taken) in [(DEFAULT, &mut has_default), (PRIVATE, &mut has_private)] {
            let is_for = class.purpose.as_deref() == Some(purpose) || class.name == purpose;
            if is_for && *is_taken {
                let message = format!("several load balancer classes have the purpose `{purpose}`");
                place
                    .report((kind, ErrorType::Invalid), message, findings)
                    .help("keep one class with this purpose or name");
            }
            *is_taken |= is_for;
        }
    }
}

fn check_class(
    class: &LoadBalancerClass,
    place: &ReportedPath,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    if let Some(purpose) = &class.purpose
        && !PURPOSES.contains(&purpose.as_str())
    {
        let message = format!("`{}` is not a purpose of load balancers", short(purpose));
        place
            .report((kind, ErrorType::Invalid), message, findings)
            .value(purpose.as_str())
            .help(one_of(purpose, PURPOSES));
    }
    let subnet =
        [&class.floating_subnet_id, &class.floating_subnet_name, &class.floating_subnet_tags];
    if subnet.iter().filter(|it| it.is_some()).count() > 1 {
        let message = "a load balancer class selects the floating subnet in several ways";
        place
            .report((kind, ErrorType::Forbidden), message, findings)
            .help("keep one of `floatingSubnetID`, `floatingSubnetName` and `floatingSubnetTags`");
    }
}

fn check_syntax(
    class: &LoadBalancerClass,
    place: &ReportedPath,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    for (field, id) in [
        ("floatingNetworkID", &class.floating_network_id),
        ("floatingSubnetID", &class.floating_subnet_id),
    ] {
        if let Some(id) = id {
            check_uuid(id, &place.child(field), kind, findings);
        }
    }
    for (field, name) in [
        ("name", Some(&class.name)),
        ("floatingSubnetName", class.floating_subnet_name.as_ref()),
        ("floatingSubnetTags", class.floating_subnet_tags.as_ref()),
    ] {
        if let Some(name) = name {
            NAME.check(name, &place.child(field), kind, findings);
        }
    }
}
