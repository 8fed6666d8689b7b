// SPDX-License-Identifier: Apache-2.0
use crate::admission::{FieldPath, finding_kinds};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::alicloud::infrastructure::InfrastructureConfig;

finding_kinds! {
    pub(super) UNDECODABLE = "alicloud/undecodable": "a configuration of a Shoot on Alibaba Cloud cannot be decoded",
    pub(super) FAILURE = "alicloud/failure": "the admission component of provider-alicloud fails",
    pub(super) MISSING = "alicloud/infrastructure-missing": "a Shoot on Alibaba Cloud has no infrastructureConfig",
    pub(super) INFRASTRUCTURE = "alicloud/infrastructure-invalid": "a value in the infrastructureConfig of a Shoot on Alibaba Cloud is invalid",
    pub(super) CIDRS = "alicloud/infrastructure-cidrs": "a CIDR of a Shoot on Alibaba Cloud is malformed, or overlaps with another one",
    pub(super) IMMUTABLE = "alicloud/infrastructure-immutable": "an immutable field of the infrastructureConfig is changed",
    pub(super) CONTROL_PLANE = "alicloud/control-plane-invalid": "a value in the controlPlaneConfig of a Shoot on Alibaba Cloud is invalid",
    pub(super) NETWORK = "alicloud/network-invalid": "the network of a Shoot on Alibaba Cloud lacks a node range, or has a reserved CIDR",
    pub(super) NETWORK_IMMUTABLE = "alicloud/network-immutable": "a CIDR of the network of a Shoot on Alibaba Cloud is changed",
    pub(super) POOL = "alicloud/pool-invalid": "the volumes or zones of a worker pool on Alibaba Cloud are invalid",
    pub(super) POOL_IMMUTABLE = "alicloud/pool-immutable": "an immutable field of a worker pool on Alibaba Cloud is changed",
}

/// A Shoot with the decoded configuration of its infrastructure.
pub(super) struct Judged<'j> {
    pub(super) shoot: &'j Shoot,
    pub(super) infrastructure: &'j InfrastructureConfig,
}

/// Returns the place of a field of the configuration of the infrastructure.
pub(super) fn in_infrastructure(dotted: &'static str) -> ReportedPath {
    let real = FieldPath::new("spec.provider.infrastructureConfig");
    ReportedPath { own: FieldPath::new(dotted), real: real.descendant(dotted) }
}
