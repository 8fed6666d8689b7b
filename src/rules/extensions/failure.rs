use crate::admission::{ErrorType, FieldPath, FindingKind};
use crate::api::extensions::ConfigurationPlace;
use crate::gardener::extensions::Document;

/// The findings of every extension.
#[derive(Clone, Copy)]
pub(in crate::rules) struct CommonFindings {
    /// A configuration cannot be decoded.
    pub(in crate::rules) undecodable: &'static FindingKind,
    /// The component fails.
    pub(in crate::rules) failure: &'static FindingKind,
}

/// How an extension reports that it cannot decode a configuration.
#[derive(Clone)]
pub(in crate::rules) struct Failure {
    /// The type of the error.
    pub(in crate::rules) error: ErrorType,
    /// The field that it names; the root if it names none.
    pub(in crate::rules) field: FieldPath,
    /// The finding.
    pub(in crate::rules) kind: &'static FindingKind,
}

/// Returns the path of a configuration in its object.
pub(in crate::rules) fn path(document: &Document<'_>) -> FieldPath {
    let pools = || FieldPath::new("spec.provider.workers").index(document.index);
    match document.place {
        ConfigurationPlace::Infrastructure => FieldPath::new("spec.provider.infrastructureConfig"),
        ConfigurationPlace::ControlPlane => FieldPath::new("spec.provider.controlPlaneConfig"),
        ConfigurationPlace::Worker => pools().child("providerConfig"),
        ConfigurationPlace::MachineImage => pools().descendant("machine.image.providerConfig"),
        ConfigurationPlace::Network => FieldPath::new("spec.networking.providerConfig"),
        ConfigurationPlace::Extension => FieldPath::new("spec.extensions")
            .index(document.index)
            .child("providerConfig"),
        ConfigurationPlace::CloudProfile => FieldPath::new("spec.providerConfig"),
        ConfigurationPlace::SeedProvider => FieldPath::new("spec.provider.providerConfig"),
        ConfigurationPlace::Backup => FieldPath::new("spec.backup.providerConfig"),
    }
}
