// SPDX-License-Identifier: Apache-2.0
use crate::admission::{FieldPath, finding_kinds};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::aws::infrastructure::InfrastructureConfig;

finding_kinds! {
    pub(super) UNDECODABLE = "aws/undecodable": "a configuration of a Shoot on AWS cannot be decoded",
    pub(super) FAILURE = "aws/failure": "the admission component of provider-aws fails",
    pub(super) MISSING = "aws/infrastructure-missing": "a Shoot on AWS has no infrastructureConfig",
    pub(super) ZONES = "aws/infrastructure-zones": "a zone is not available in the region, or a duplicate",
    pub(super) INFRASTRUCTURE = "aws/infrastructure-invalid": "a value in the infrastructureConfig of a Shoot on AWS is invalid",
    pub(super) CIDRS = "aws/infrastructure-cidrs": "a CIDR of a Shoot on AWS is malformed, or overlaps with another one",
    pub(super) IMMUTABLE = "aws/infrastructure-immutable": "an immutable field of the infrastructureConfig is changed",
    pub(super) CONTROL_PLANE = "aws/control-plane-invalid": "a value in the controlPlaneConfig of a Shoot on AWS is invalid",
    pub(super) NETWORK = "aws/network-invalid": "the network of a Shoot on AWS lacks a node range, or has an overlay with IPv6",
    pub(super) DNS = "aws/dns-credentials": "the credentials of the DNS provider `aws-route53` are missing or of another kind",
    pub(super) POOL = "aws/pool-invalid": "the volumes or zones of a worker pool on AWS are invalid",
    pub(super) POOL_IMMUTABLE = "aws/pool-immutable": "an immutable field of a worker pool on AWS is changed",
    pub(super) WORKER = "aws/worker-invalid": "a value in the providerConfig of a worker pool on AWS is invalid",
    pub(super) IMAGE = "aws/image-unmapped": "the CloudProfile maps the machine image to no suitable AMI in the region",
}

/// The first version that validates identifiers with regular expressions.
pub(super) const CHECKS_SYNTAX: ExtensionVersion = ExtensionVersion::new(1, 64);

/// The objects of a request, with the decoded configuration of the infrastructure.
pub(super) struct Judged<'j> {
    pub(super) version: ExtensionVersion,
    pub(super) shoot: &'j Shoot,
    pub(super) infrastructure: &'j InfrastructureConfig,
}

/// The type of volumes that needs the number of operations per second.
pub(super) const IO1: &str = "io1";

/// Returns the place of a field of the configuration of the infrastructure.
pub(super) fn in_infrastructure(dotted: &'static str) -> ReportedPath {
    let real = FieldPath::new("spec.provider.infrastructureConfig");
    ReportedPath { own: FieldPath::new(dotted), real: real.descendant(dotted) }
}
