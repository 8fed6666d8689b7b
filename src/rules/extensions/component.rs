use super::decoding::Failure;
use crate::admission::{
    Configurations, Context, ErrorType, ExtensionUse, FieldPath, FindingKind, Findings,
};
use crate::api::extensions::{ConfigurationPlace, Extension, ExtensionVersion};
use crate::gardener::extensions::{Document, Documents, Edit, Refusal};

/// The admission component of an extension while it judges a request.
pub(in crate::rules) struct Component<'c, 'a> {
    pub(in crate::rules) extension: &'static Extension,
    pub(super) run: ExtensionUse,
    configurations: &'c Configurations<'a>,
}

/// The findings of every extension.
#[derive(Clone, Copy)]
pub(in crate::rules) struct CommonFindings {
    /// A configuration cannot be decoded.
    pub(in crate::rules) undecodable: &'static FindingKind,
    /// The component fails.
    pub(in crate::rules) failure: &'static FindingKind,
}

impl<'c, 'a> Component<'c, 'a> {
    /// Prepares the judgement of a request; `None` if the component does not see it, or its mutating webhook has refused it.
    ///
    /// If the component is not known to be registered, the findings of the rule are only warnings.
    pub(in crate::rules) fn begin(
        context: &'c Context<'a>,
        extension: &'static Extension,
        common: CommonFindings,
        findings: &mut Findings,
    ) -> Option<Self> {
        let run = context.extension(extension);
        if run.is_older_than_known {
            return None;
        }
        findings.only_warn(run.not_registered.as_deref());
        let configurations = context.configurations();
        let place = FieldPath::root();
        let configurations =
            findings.known(configurations, &place, "the changes of mutating webhooks")?;
        let component = Self {
            extension,
            run,
            configurations,
        };
        let Some((of, refusal)) = &configurations.refusal else {
            return Some(component);
        };
        if *of == extension.name {
            component.report(refusal, common, findings);
        }
        None
    }

    /// Returns the version of the extension in the landscape, or the nearest known one.
    pub(in crate::rules) fn version(&self) -> ExtensionVersion {
        self.run.version
    }

    /// Returns the configurations of the new object, as changed by mutating webhooks.
    pub(in crate::rules) fn new_documents(&self) -> &'c Documents<'a> {
        &self.configurations.new
    }

    /// Returns the configurations of the stored object.
    pub(in crate::rules) fn old_documents(&self) -> &'c Documents<'a> {
        &self.configurations.old
    }

    /// Returns the changes of mutating webhooks.
    pub(in crate::rules) fn edits(&self) -> impl Iterator<Item = &'c Edit> {
        self.configurations.edits.iter().map(|(_, edit)| edit)
    }

    /// Reports the refusal of the extension's mutating webhook.
    fn report(&self, refusal: &Refusal, common: CommonFindings, findings: &mut Findings) {
        match refusal {
            Refusal::Undecodable { place } => {
                let failure = Failure {
                    error: ErrorType::Decode,
                    field: FieldPath::root(),
                    kind: common.undecodable,
                };
                let documents = self.configurations.new.each(*place);
                for document in documents {
                    self.check(document, &failure, findings);
                }
            }
            Refusal::Panic { pointer, message } => {
                findings
                    .report(
                        common.failure,
                        ErrorType::Panic,
                        FieldPath::root(),
                        message.clone(),
                    )
                    .at(&FieldPath::of_pointer(pointer));
            }
            Refusal::Denied { pointer, message } => {
                findings
                    .report(
                        common.failure,
                        ErrorType::Denied,
                        FieldPath::root(),
                        message.clone(),
                    )
                    .at(&FieldPath::of_pointer(pointer));
            }
        }
    }
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
