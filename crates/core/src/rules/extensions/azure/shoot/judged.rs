// SPDX-License-Identifier: Apache-2.0
use crate::admission::{ErrorType, FieldPath, Findings, Help, finding_kinds};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::azure::infrastructure::InfrastructureConfig;

finding_kinds! {
    pub(super) UNDECODABLE = "azure/undecodable": "a configuration of a Shoot on Azure cannot be decoded",
    pub(super) FAILURE = "azure/failure": "the admission component of provider-azure fails",
    pub(super) MISSING = "azure/infrastructure-missing": "a Shoot on Azure has no infrastructureConfig",
    pub(super) ZONES = "azure/infrastructure-zones": "a zone of a Shoot on Azure is not available in its region",
    pub(super) INFRASTRUCTURE = "azure/infrastructure-invalid": "a value in the infrastructureConfig of a Shoot on Azure is invalid",
    pub(super) CIDRS = "azure/infrastructure-cidrs": "a CIDR of a Shoot on Azure is malformed, or does not fit the others",
    pub(super) IMMUTABLE = "azure/infrastructure-immutable": "an immutable field of the infrastructureConfig is changed",
    pub(super) CONTROL_PLANE = "azure/control-plane-invalid": "a value in the controlPlaneConfig of a Shoot on Azure is invalid",
    pub(super) NETWORK = "azure/network-invalid": "the network of a Shoot on Azure lacks a node range, has an overlay with calico, or has IPv6",
    pub(super) DNS = "azure/dns-credentials": "the credentials of the DNS provider `azure-dns` are missing or of another kind",
    pub(super) POOL = "azure/pool-invalid": "the volumes or zones of a worker pool on Azure are invalid",
    pub(super) POOL_IMMUTABLE = "azure/pool-immutable": "an immutable field of a worker pool on Azure is changed",
    pub(super) WORKER = "azure/worker-invalid": "a value in the providerConfig of a worker pool on Azure is invalid",
}

/// The first version that validates names and identifiers with regular expressions.
pub(super) const CHECKS_SYNTAX: ExtensionVersion = ExtensionVersion::new(1, 55);
/// The first version that checks pools that are updated in place.
pub(super) const CHECKS_IN_PLACE: ExtensionVersion = ExtensionVersion::new(1, 54);
/// The first version without clusters of virtual machine scale sets that annotations enable.
pub(super) const DROPS_ALPHA: ExtensionVersion = ExtensionVersion::new(1, 50);
/// The first version without migrations of availability sets that annotations start.
pub(super) const DROPS_MIGRATION: ExtensionVersion = ExtensionVersion::new(1, 56);

/// The annotation of clusters of virtual machine scale sets.
const ALPHA: &str = "alpha.azure.provider.extensions.gardener.cloud/vmo";
/// The annotation that migrates availability sets.
const MIGRATION: &str = "migration.azure.provider.extensions.gardener.cloud/vmo";

/// The objects of a request, with the decoded configuration of the infrastructure.
pub(super) struct Judged<'j> {
    pub(super) version: ExtensionVersion,
    pub(super) shoot: &'j Shoot,
    pub(super) infrastructure: &'j InfrastructureConfig,
}

impl Judged<'_> {
    /// Reports whether the extension creates virtual machine scale sets for an annotation.
    pub(super) fn has_scale_sets(&self) -> bool {
        has_scale_sets(self.shoot)
    }

    /// Reports whether the extension migrates availability sets for an annotation.
    pub(super) fn is_migrated(&self) -> bool {
        let is_known = self.version >= DROPS_ALPHA && self.version < DROPS_MIGRATION;
        is_known && is_annotated(self.shoot, MIGRATION)
    }
}

/// Reports whether a Shoot has the annotation of clusters of virtual machine scale sets.
pub(super) fn has_scale_sets(shoot: &Shoot) -> bool {
    is_annotated(shoot, ALPHA)
}

fn is_annotated(shoot: &Shoot, annotation: &str) -> bool {
    let value = shoot.metadata.annotations.get(annotation);
    value.is_some_and(|it| it == "true")
}

/// Returns the place of a field of the configuration of the infrastructure.
pub(super) fn in_infrastructure(dotted: &'static str) -> ReportedPath {
    let config = FieldPath::new("spec.provider.infrastructureConfig");
    ReportedPath::same(config.descendant(dotted))
}

/// Reports an invalid value of the configuration of the infrastructure.
pub(super) fn report(
    place: &ReportedPath,
    error: ErrorType,
    message: impl Into<String>,
    help: impl Into<Help>,
    findings: &mut Findings,
) {
    place.report((&INFRASTRUCTURE, error), message, findings).help(help);
}
