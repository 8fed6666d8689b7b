// SPDX-License-Identifier: Apache-2.0
use super::failure::CommonFindings;
use crate::admission::{Configurations, Context, ExtensionUse, FieldPath, Findings};
use garden_gate_model::api::extensions::{Extension, ExtensionVersion};
use garden_gate_model::gardener::extensions::{Documents, Edit};

/// The admission component of an extension while it judges a request.
pub(crate) struct Component<'c, 'a> {
    pub(crate) extension: &'static Extension,
    pub(super) run: ExtensionUse,
    pub(super) configurations: &'c Configurations<'a>,
}

impl<'c, 'a> Component<'c, 'a> {
    /// Prepares the judgement of a request; `None` if the component does not see it, or its mutating webhook has refused it.
    ///
    /// If the component is not known to be registered, the findings of the rule are only warnings.
    pub(crate) fn begin(
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
        let component = Self { extension, run, configurations };
        let Some((of, refusal)) = &configurations.refusal else {
            return Some(component);
        };
        if *of == extension.name {
            component.report(refusal, common, findings);
        }
        None
    }

    /// Returns the version of the extension in the landscape, or the nearest known one.
    pub(crate) fn version(&self) -> ExtensionVersion {
        self.run.version
    }

    /// Returns the configurations of the new object, as changed by mutating webhooks.
    pub(crate) fn new_documents(&self) -> &'c Documents<'a> {
        &self.configurations.new
    }

    /// Returns the configurations of the stored object.
    pub(crate) fn old_documents(&self) -> &'c Documents<'a> {
        &self.configurations.old
    }

    /// Returns the changes of mutating webhooks.
    pub(crate) fn edits(&self) -> impl Iterator<Item = &'c Edit> {
        self.configurations.edits.iter().map(|(_, edit)| edit)
    }
}
