// SPDX-License-Identifier: Apache-2.0
use crate::admission::{FieldPath, finding_kinds};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::openstack::cloud_profile::CloudProfileConfig;
use garden_gate_model::api::extensions::openstack::control_plane::ControlPlaneConfig;
use garden_gate_model::api::extensions::openstack::infrastructure::InfrastructureConfig;
use garden_gate_model::api::{GardenerVersion, Shoot};

finding_kinds! {
    pub(super) UNDECODABLE = "openstack/undecodable": "a configuration of a Shoot on OpenStack cannot be decoded",
    pub(super) FAILURE = "openstack/failure": "the admission component of provider-openstack fails",
    pub(super) MISSING = "openstack/config-missing": "a Shoot on OpenStack lacks a configuration, or its CloudProfile does",
    pub(super) CREDENTIALS = "openstack/credentials": "the credentials of a Shoot on OpenStack are missing or of another kind",
    pub(super) OFFERED = "openstack/not-offered": "the CloudProfile does not offer the floating pool, load balancer provider or load balancer class",
    pub(super) INFRASTRUCTURE = "openstack/infrastructure-invalid": "a value in the infrastructureConfig of a Shoot on OpenStack is invalid",
    pub(super) CIDRS = "openstack/infrastructure-cidrs": "a CIDR of a Shoot on OpenStack is missing or malformed, or overlaps with another one",
    pub(super) IMMUTABLE = "openstack/infrastructure-immutable": "an immutable field of the infrastructureConfig is changed",
    pub(super) CONTROL_PLANE = "openstack/control-plane-invalid": "a value in the controlPlaneConfig of a Shoot on OpenStack is invalid",
    pub(super) NETWORK = "openstack/network-invalid": "the network of a Shoot on OpenStack lacks a node range, or has unsupported IP families",
    pub(super) DNS = "openstack/dns-credentials": "the credentials of the DNS provider `openstack-designate` are missing or of another kind",
    pub(super) POOL = "openstack/pool-invalid": "a worker pool on OpenStack has no zones, or a volume type without size",
    pub(super) POOL_IMMUTABLE = "openstack/pool-immutable": "an immutable field of a worker pool on OpenStack is changed",
    pub(super) WORKER = "openstack/worker-invalid": "a value in the providerConfig of a worker pool on OpenStack is invalid",
}

/// The first version with IPv6 networks.
pub(super) const HAS_IPV6: ExtensionVersion = ExtensionVersion::new(1, 55);

/// The decoded configurations of a Shoot.
pub(super) struct Configs {
    pub(super) infrastructure: InfrastructureConfig,
    pub(super) control_plane: ControlPlaneConfig,
    /// The configuration in the profile; `None` if the garden does not contain it.
    pub(super) offered: Option<CloudProfileConfig>,
}

/// The objects of a request, with their decoded configurations.
pub(super) struct Judged<'j> {
    pub(super) version: ExtensionVersion,
    pub(super) gardener: GardenerVersion,
    pub(super) shoot: &'j Shoot,
    pub(super) new: &'j Configs,
    /// Absent on CREATE.
    pub(super) old: Option<&'j Configs>,
    /// The configuration in the profile; `None` if the garden does not contain it.
    pub(super) offered: Option<&'j CloudProfileConfig>,
}

/// Returns the place of a field of the configuration of the infrastructure.
pub(super) fn in_infrastructure(dotted: &'static str) -> ReportedPath {
    let place = FieldPath::new("spec.provider.infrastructureConfig");
    ReportedPath::same(place.descendant(dotted))
}

/// Returns the place of a field of the configuration of the control plane.
pub(super) fn in_control_plane(dotted: &'static str) -> ReportedPath {
    let place = FieldPath::new("spec.provider.controlPlaneConfig");
    ReportedPath::same(place.descendant(dotted))
}
