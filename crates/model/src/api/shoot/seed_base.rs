//! The parts of a Shoot on which a Seed in it depends.

use std::collections::BTreeSet;

use crate::api::{GARDEN_NAMESPACE, Shoot};

/// The parts of a Shoot of the garden namespace that a ManagedSeed for it must match.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedBase {
    /// Whether an API server has completed the Shoot; otherwise absent values may be filled in later.
    pub is_stored: bool,
    /// The type of the infrastructure provider.
    pub provider: String,
    /// The region.
    pub region: String,
    /// The zones of all worker pools.
    pub zones: BTreeSet<String>,
    /// The node, pod and service networks.
    pub networks: [Option<String>; 3],
    /// The domain.
    pub domain: Option<String>,
    /// The primary DNS provider of the domain.
    pub primary_provider: Option<PrimaryProvider>,
    /// Whether the vertical pod autoscaler is enabled.
    pub has_autoscaler: bool,
    /// Whether the Shoot has no workers.
    pub is_workerless: bool,
    /// Whether the API server, the controller manager or kube-proxy lack topology hints.
    pub lacks_topology_hints: bool,
}

/// The primary DNS provider of a Shoot.
#[derive(Clone, Debug, PartialEq)]
pub struct PrimaryProvider {
    /// The type.
    pub kind: Option<String>,
    /// Whether the provider names its own credentials.
    pub has_credentials: bool,
}

impl SeedBase {
    /// Returns the parts of a Shoot; `None` outside of the garden namespace, where no Shoot can become a Seed.
    pub(super) fn of(shoot: &Shoot) -> Option<Self> {
        let (metadata, spec) = (&shoot.metadata, &shoot.spec);
        if metadata.namespace != GARDEN_NAMESPACE {
            return None;
        }
        let networking = spec.networking.as_ref();
        let networks = networking.map_or([const { None }; 3], |it| {
            [&it.nodes, &it.pods, &it.services].map(Clone::clone)
        });
        let kubernetes = &spec.kubernetes;
        let hints = [
            kubernetes.kube_api_server.as_ref().map(|it| it.topology_hints),
            kubernetes.kube_controller_manager.as_ref().map(|it| it.topology_hints),
            kubernetes.kube_proxy.as_ref().map(|it| it.topology_hints),
        ];
        let dns = spec.dns.as_ref();
        let mut providers = dns.into_iter().flat_map(|it| &it.providers);
        let primary = providers.find(|it| it.primary == Some(true));
        let autoscaler = kubernetes.vertical_pod_autoscaler.as_ref();
        Some(Self {
            is_stored: metadata.creation_timestamp.is_some(),
            provider: spec.provider.kind.clone(),
            region: spec.region.clone(),
            zones: spec.provider.workers.iter().flat_map(|it| &it.zones).cloned().collect(),
            networks,
            domain: dns.and_then(|it| it.domain.clone()),
            primary_provider: primary.map(|it| PrimaryProvider {
                kind: it.kind.clone(),
                has_credentials: it.credentials_ref.is_some() || it.secret_name.is_some(),
            }),
            has_autoscaler: autoscaler.is_some_and(|it| it.enabled == Some(true)),
            is_workerless: shoot.is_workerless(),
            lacks_topology_hints: hints.iter().flatten().any(|it| it.are_disabled),
        })
    }
}
