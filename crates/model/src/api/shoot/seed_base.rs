// SPDX-License-Identifier: Apache-2.0
//! The parts of a Shoot on which a Seed in it depends.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::api::{GARDEN_NAMESPACE, Shoot};
use garden_gate_text::json::Json;

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
    /// Whether the Shoot has no workers.
    pub is_workerless: bool,
    /// Settings that are not in [`struct@Shoot`].
    pub settings: SeedBaseSettings,
}

/// Settings of a Shoot on which only a Seed in it depends. They are decoded apart from [`struct@Shoot`], which each request decodes.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(from = "ShootSettings")]
pub struct SeedBaseSettings {
    /// Whether the vertical pod autoscaler is enabled.
    pub has_autoscaler: bool,
    /// Whether the API server, the controller manager or kube-proxy lack topology hints.
    pub lacks_topology_hints: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ShootSettings {
    spec: Option<SpecSettings>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SpecSettings {
    kubernetes: Option<KubernetesSettings>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct KubernetesSettings {
    #[serde(rename = "kubeAPIServer")]
    kube_api_server: Option<ComponentSettings>,
    kube_controller_manager: Option<ComponentSettings>,
    kube_proxy: Option<ComponentSettings>,
    vertical_pod_autoscaler: Option<AutoscalerSettings>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ComponentSettings {
    feature_gates: TopologyHints,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct AutoscalerSettings {
    enabled: Option<bool>,
}

/// The feature gate `TopologyAwareHints` of a component, without which a Seed cannot route traffic by topology.
#[derive(Default)]
struct TopologyHints {
    /// Whether the gate is disabled explicitly.
    are_disabled: bool,
}

impl<'de> Deserialize<'de> for TopologyHints {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let gates = Box::<RawValue>::deserialize(deserializer)?;
        let gate = Json::text(gates.get()).take(&["TopologyAwareHints"]).read::<bool>();
        Ok(Self { are_disabled: matches!(gate, Ok(false)) })
    }
}

impl From<ShootSettings> for SeedBaseSettings {
    fn from(shoot: ShootSettings) -> Self {
        let kubernetes = shoot.spec.and_then(|it| it.kubernetes).unwrap_or_default();
        let components =
            [kubernetes.kube_api_server, kubernetes.kube_controller_manager, kubernetes.kube_proxy];
        let autoscaler = kubernetes.vertical_pod_autoscaler;
        Self {
            has_autoscaler: autoscaler.is_some_and(|it| it.enabled == Some(true)),
            lacks_topology_hints: components
                .iter()
                .flatten()
                .any(|it| it.feature_gates.are_disabled),
        }
    }
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
    /// Returns the parts of a Shoot, without `settings`; `None` outside of the garden namespace, where no Shoot can become a Seed.
    pub(super) fn of(shoot: &Shoot) -> Option<Self> {
        let (metadata, spec) = (&shoot.metadata, &shoot.spec);
        if metadata.namespace != GARDEN_NAMESPACE {
            return None;
        }
        let networking = spec.networking.as_ref();
        let networks = networking.map_or([const { None }; 3], |it| {
            [&it.nodes, &it.pods, &it.services].map(Clone::clone)
        });
        let dns = spec.dns.as_ref();
        let mut providers = dns.into_iter().flat_map(|it| &it.providers);
        let primary = providers.find(|it| it.primary == Some(true));
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
            is_workerless: shoot.is_workerless(),
            settings: SeedBaseSettings::default(),
        })
    }
}
