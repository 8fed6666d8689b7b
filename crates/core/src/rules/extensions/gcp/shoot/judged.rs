// SPDX-License-Identifier: Apache-2.0
use crate::admission::{FieldPath, finding_kinds};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::gcp::control_plane::ControlPlaneConfig;
use garden_gate_model::api::extensions::gcp::infrastructure::InfrastructureConfig;
use garden_gate_model::api::extensions::gcp::worker::WorkerConfig;
use garden_gate_model::api::{Shoot, Worker};

finding_kinds! {
    pub(super) UNDECODABLE = "gcp/undecodable": "a configuration of a Shoot on Google Cloud cannot be decoded",
    pub(super) FAILURE = "gcp/failure": "the admission component of provider-gcp fails",
    pub(super) MISSING = "gcp/config-missing": "a Shoot on Google Cloud has no infrastructureConfig or controlPlaneConfig",
    pub(super) PROFILE = "gcp/shoot-profile-config-missing": "the profile of a Shoot on Google Cloud has no providerConfig",
    pub(super) INFRASTRUCTURE = "gcp/infrastructure-invalid": "a value in the infrastructureConfig of a Shoot on Google Cloud is invalid",
    pub(super) CIDRS = "gcp/infrastructure-cidrs": "a CIDR of a Shoot on Google Cloud is malformed, or overlaps with another one",
    pub(super) IMMUTABLE = "gcp/infrastructure-immutable": "an immutable field of the infrastructureConfig or controlPlaneConfig is changed",
    pub(super) CONTROL_PLANE = "gcp/control-plane-invalid": "a value in the controlPlaneConfig of a Shoot on Google Cloud is invalid",
    pub(super) NETWORK = "gcp/network-invalid": "the network of a Shoot on Google Cloud lacks a node range, or does not suit IPv6",
    pub(super) DNS = "gcp/dns-credentials": "the credentials of the DNS provider `google-clouddns` are missing or of another kind",
    pub(super) POOL = "gcp/pool-invalid": "the volume or zones of a worker pool on Google Cloud are invalid",
    pub(super) POOL_IMMUTABLE = "gcp/pool-immutable": "an immutable field of a worker pool on Google Cloud is changed",
    pub(super) WORKER = "gcp/worker-invalid": "a value in the providerConfig of a worker pool on Google Cloud is invalid",
}

/// The first version that validates identifiers with regular expressions.
pub(super) const CHECKS_SYNTAX: ExtensionVersion = ExtensionVersion::new(1, 46);

/// The Shoot of a request, with its decoded configurations.
pub(super) struct Judged<'j> {
    pub(super) version: ExtensionVersion,
    pub(super) shoot: &'j Shoot,
    pub(super) infrastructure: &'j InfrastructureConfig,
    pub(super) control_plane: &'j ControlPlaneConfig,
}

/// A worker pool and its configuration, with their places.
pub(super) struct Pool<'p> {
    pub(super) pool: &'p Worker,
    pub(super) config: &'p WorkerConfig,
    pub(super) place: FieldPath,
    pub(super) config_place: ReportedPath,
}

/// The type of local SSDs.
pub(super) const SCRATCH: &str = "SCRATCH";

/// Returns the place of the networks in the configuration of the infrastructure.
pub(super) fn networks() -> ReportedPath {
    ReportedPath::same(FieldPath::new("spec.provider.infrastructureConfig").child("networks"))
}
