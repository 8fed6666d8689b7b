// SPDX-License-Identifier: Apache-2.0
//! Resources that are encrypted at rest, compared as Kubernetes compares them.

use std::collections::BTreeSet;

use garden_gate_model::api::{Shoot, ShootStatus};

/// Pairs of group and resource; `configmaps` and `configmaps.` are the same.
pub(crate) type Resources<'a> = BTreeSet<(&'a str, &'a str)>;

/// Returns the resources that the spec asks to encrypt.
pub(crate) fn wanted(shoot: &Shoot) -> Resources<'_> {
    let server = shoot.spec.kubernetes.kube_api_server.as_ref();
    let config = server.and_then(|server| server.encryption_config.as_ref());
    config.map_or_else(Resources::new, |config| parse(&config.resources))
}

/// Returns the resources that are encrypted, by the status.
pub(crate) fn actual(status: &ShootStatus) -> Resources<'_> {
    parse(&status.credentials.encryption_at_rest.resources)
}

fn parse(resources: &[String]) -> Resources<'_> {
    let split = |resource: &'_ str| resource.find('.');
    resources
        .iter()
        .map(|resource| match split(resource) {
            Some(dot) => (&resource[..dot], &resource[dot + 1..]),
            None => (resource.as_str(), ""),
        })
        .collect()
}

/// Returns the provider type; an omitted one is the default that Gardener fills in.
pub(crate) fn provider(shoot: &Shoot) -> &str {
    let server = shoot.spec.kubernetes.kube_api_server.as_ref();
    let config = server.and_then(|server| server.encryption_config.as_ref());
    config.and_then(|config| config.provider.kind.as_deref()).unwrap_or("aescbc")
}
